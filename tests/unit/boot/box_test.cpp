// SPDX-License-Identifier: MIT
// What is decided about a real machine: which boot it is in, which entry boots what, what ssh is
// told.
#include <gmock/gmock.h>

#include "boot/boot_switch.hpp"
#include "boot/box_kernels.hpp"
#include "boot/box_witness.hpp"
#include "boot/ssh_box.hpp"
#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kOldId = "11111111-1111-1111-1111-111111111111";
constexpr std::string_view kNewId = "22222222-2222-2222-2222-222222222222";

Witness witness(std::string_view boot_id, std::int64_t btime_s, double uptime_s,
                std::string release = "6.12.1", std::string command_line = "ro") {
  return {{std::string(boot_id), btime_s, uptime_s, std::move(release), "ab"},
          std::move(command_line)};
}

// The note: name size 4, description size 2, type 3 (NT_GNU_BUILD_ID), "GNU\0", bytes ab cd.
const std::string kAnswer =
    "boot_id 11111111-1111-1111-1111-111111111111\nrelease 6.12.1-amd64\nbtime 1700000000\n"
    "uptime 12.50 3.00\nnotes 040000000200000003000000474e5500abcd0000\n"
    "cmdline root=/dev/vda ro\nend\n";

TEST(BoxWitness, IsReadFromWhatTheBoxPrints) {
  const auto read = parse_witness(kAnswer);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->boot.boot_id, kOldId);
  EXPECT_EQ(read->boot.release, "6.12.1-amd64");
  EXPECT_EQ(read->boot.btime_s, 1'700'000'000);
  EXPECT_EQ(read->boot.uptime_s, 12.5);
  EXPECT_EQ(read->boot.build_id, "abcd");
  EXPECT_EQ(read->command_line, "root=/dev/vda ro");
}

TEST(BoxWitness, IsNothingWhenTheAnswerIsCutOrForeign) {
  EXPECT_FALSE(parse_witness(kAnswer.substr(0, kAnswer.size() - 4)).has_value());
  EXPECT_FALSE(parse_witness("Welcome!\n").has_value());
  std::string path = kAnswer;
  path.replace(path.find("1111"), 4, "/../");
  EXPECT_FALSE(parse_witness(path).has_value());
}

TEST(JudgeArrival, WantsEveryWitnessToAgree) {
  const Witness before = witness(kOldId, 1000, 500);
  EXPECT_EQ(judge_arrival(before, witness(kOldId, 1000, 530), seconds(30)), Arrival::kOldBoot);
  EXPECT_EQ(judge_arrival(before, witness(kNewId, 1510, 20), seconds(30)), Arrival::kFresh);
  // Another boot_id, but up for longer than the request is ago.
  EXPECT_EQ(judge_arrival(before, witness(kNewId, 1510, 530), seconds(30)),
            Arrival::kContradiction);
  // Another boot_id, but started in the same second: a container.
  EXPECT_EQ(judge_arrival(before, witness(kNewId, 1000, 20), seconds(30)), Arrival::kContradiction);
  // The same boot_id, and yet younger: a machine that repeats it.
  EXPECT_EQ(judge_arrival(before, witness(kOldId, 1510, 20), seconds(30)), Arrival::kContradiction);
}

TEST(WrongKernel, NamesWhatWasAskedForAndWhatCameUp) {
  const std::string line = kexec_command_line("root=/dev/vda", "slab_nomerge");
  const WantedKernel wanted{"7.1.3", line};
  EXPECT_THAT(wrong_kernel(wanted, witness(kNewId, 1, 1, "7.1.3", line)), IsEmpty());
  EXPECT_EQ(wrong_kernel(wanted, witness(kNewId, 1, 1, "6.12.1", line)),
            "asked for 7.1.3, 6.12.1 came up");
  EXPECT_THAT(wrong_kernel(wanted, witness(kNewId, 1, 1, "7.1.3", "root=/dev/vda")),
              HasSubstr("not by this kexec"));
}

TEST(CommandLine, LosesWhatABootAddsAndKeepsTheRest) {
  const std::string base = base_command_line("BOOT_IMAGE=/vmlinuz-6 root=UUID=1-2 ro quiet");
  EXPECT_EQ(base, "root=UUID=1-2 ro quiet");
  const std::string line = kexec_command_line(base, "init_on_alloc=0");
  EXPECT_EQ(line, "root=UUID=1-2 ro quiet msgring.boot=kexec init_on_alloc=0");
  // A run that begins in a kernel of an earlier run has the same base.
  EXPECT_EQ(base_command_line(line + " acpi_rsdp=0x1"), base);
}

constexpr std::string_view kGrubConfig = R"(
function load_video {
  insmod all_video
}
menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple-U' {
	linux	/boot/vmlinuz-7.1.3-amd64 root=UUID=U ro quiet
}
submenu 'Advanced options' $menuentry_id_option 'gnulinux-advanced-U' {
	menuentry 'with Linux 6.12.9-amd64 (recovery mode)' $menuentry_id_option 'gnulinux-6.12.9-amd64-recovery-U' {
		linux	/boot/vmlinuz-6.12.9-amd64 root=UUID=U ro single
	}
	menuentry 'with Linux 6.12.9-amd64' --class gnu $menuentry_id_option 'gnulinux-6.12.9-amd64-advanced-U' {
		if [ x$grub_platform = xxen ]; then insmod xzio; fi
		linux	/vmlinuz-6.12.9-amd64 root=UUID=U ro quiet
		initrd	/initrd.img-6.12.9-amd64
	}
}
)";

TEST(GrubEntry, IsTheOrdinaryEntryWithItsSubmenu) {
  EXPECT_EQ(grub_entry(kGrubConfig, "7.1.3-amd64"), "gnulinux-simple-U");
  EXPECT_EQ(grub_entry(kGrubConfig, "6.12.9-amd64"),
            "gnulinux-advanced-U>gnulinux-6.12.9-amd64-advanced-U");
  EXPECT_EQ(grub_entry(kGrubConfig, "6.12.9"), std::nullopt);
}

TEST(BootctlEntry, IsTheOneOfThatVersion) {
  constexpr std::string_view kList =
      R"([{"id":"a.conf","version":"6.12.9"},{"id":"b.conf","version":"7.1.3","isSelected":true},{"type":"auto"}])";
  EXPECT_EQ(bootctl_entry(kList, "7.1.3"), "b.conf");
  EXPECT_EQ(bootctl_entry(kList, "7.1"), std::nullopt);
  EXPECT_EQ(bootctl_entry("No boot entries.", "7.1"), std::nullopt);
}

TEST(BoxKernels, AreChosenByReleaseByItsBeginningOrByPath) {
  const std::vector<std::string> there = {"6.1.9-amd64", "6.12.9-amd64", "6.12.10-amd64"};
  EXPECT_EQ(choose_box_kernel("6.12", there).release, "6.12.10-amd64");
  EXPECT_EQ(choose_box_kernel("6.12.9-amd64", there).image, "/boot/vmlinuz-6.12.9-amd64");
  EXPECT_EQ(choose_box_kernel("/root/vmlinuz-7.1.3+", there).release, "7.1.3+");
  EXPECT_THROW(choose_box_kernel("/root/bzImage", there), Error);
  try {
    choose_box_kernel("7", there);
    FAIL() << "found one";
  } catch (const Error& error) {
    EXPECT_THAT(describe(error), HasSubstr("6.1.9-amd64, 6.12.9-amd64, 6.12.10-amd64"));
  }
}

TEST(SshLine, IsAnArgumentVectorThatNeverAsks) {
  EXPECT_THAT(ssh_line({"root@box", ""}, {"echo", "a b"}),
              ElementsAre("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o",
                          "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "-T", "--",
                          "root@box", "echo 'a b'"));
  const auto copy = scp_line({"root@box", "/c"}, "/from", "/to");
  EXPECT_EQ(copy[1], "-F");
  EXPECT_EQ(copy[2], "/c");
  EXPECT_EQ(copy.back(), "root@box:/to");
  for (const std::string& word : copy) {
    EXPECT_EQ(word.find("HostKey"), std::string::npos);
  }
}

TEST(SshBox, TellsALostConnectionFromAFailedCommand) {
  int exit_code = 255;
  SshBox box({"box", ""},
             [&](const auto&, auto, const auto&) -> host::ProgramResult {
               if (exit_code < 0) {
                 throw Error(ExitStatus::kEnvironment, "ssh: did not end within 60 s");
               }
               return {{exit_code, 0}, "out", "Connection refused"};
             },
             {});
  EXPECT_EQ(box.run({"true"}, seconds(1)).reach, Reach::kUnreachable);
  exit_code = -1;
  EXPECT_EQ(box.run({"true"}, seconds(1)).reach, Reach::kUnreachable);
  exit_code = 7;
  EXPECT_EQ(box.run({"true"}, seconds(1)).reach, Reach::kAnswered);
  EXPECT_EQ(box.run({"true"}, seconds(1)).exit_code, 7);
  EXPECT_FALSE(box.run({"true"}, seconds(1)).ok());
}

TEST(SshBox, RunsWhatMustBePutBackAlsoWhenStopped) {
  std::stop_source source;
  source.request_stop();
  SshBox box(
      {"box", ""},
      [](const auto&, auto, const std::stop_token& stop) -> host::ProgramResult {
        if (stop.stop_requested()) {
          throw Error(ExitStatus::kInterrupted, "ssh: interrupted");
        }
        return {{0, 0}, "done", ""};
      },
      source.get_token());
  EXPECT_THROW(box.run({"true"}, seconds(1)), Error);
  box.ignore_stop();
  EXPECT_EQ(box.run({"true"}, seconds(1)).output, "done");
}

TEST(AskPatiently, WaitsForABoxThatIsBetweenTwoBoots) {
  int lost = 1;
  SshBox box({"box", ""},
             [&](const auto&, auto, const auto&) -> host::ProgramResult {
               return {{lost-- > 0 ? 255 : 0, 0}, "digest", "timed out"};
             },
             {});
  EXPECT_EQ(ask_patiently(box, {"true"}, seconds(60), {}).output, "digest");
  lost = 1000;
  EXPECT_EQ(ask_patiently(box, {"true"}, seconds(0), {}).reach, Reach::kUnreachable);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(ask_patiently(box, {"true"}, seconds(60), stop.get_token()), Error);
}

}  // namespace
}  // namespace msgring::boot
