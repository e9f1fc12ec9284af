// SPDX-License-Identifier: MIT
// QEMU's command line, and what can be said of a kernel before it is booted.
#include "msgring/boot/qemu.hpp"

#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "boot/vcpu_pinning.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

QemuLine some_line() {
  QemuLine line;
  line.seed = 7;
  line.kernel = "/k/vmlinuz";
  line.initrd = "/r/initrd";
  line.append = "slab_nomerge";
  line.console = "/r/a,b/console";
  return line;
}

TEST(QemuCommandLine, LeavesNothingToChanceUnderTheEmulator) {
  const auto words = qemu_command_line({"qemu", 7, 2, ""}, some_line());
  EXPECT_EQ(words.front(), "qemu");
  EXPECT_THAT(words, IsSupersetOf({"shift=0,sleep=off", "-seed", "7", "base=2026-01-01,clock=vm",
                                   "-no-reboot", "/r/initrd"}));
  EXPECT_THAT(words, Contains("file,id=console,path=/r/a,,b/console"));
  const std::string append = kernel_command_line(Accelerator::kTcg, "slab_nomerge");
  EXPECT_THAT(words, Contains(append));
  EXPECT_THAT(append, HasSubstr(" nokaslr "));
  EXPECT_THAT(append, ::testing::EndsWith(" slab_nomerge"));
}

TEST(QemuCommandLine, GivesKvmTwoProcessorsAndNoEmulatedClock) {
  QemuLine line = some_line();
  line.accelerator = Accelerator::kKvm;
  line.initrd.clear();
  const auto words = qemu_command_line({"qemu", 7, 2, ""}, line);
  EXPECT_THAT(words, IsSupersetOf({"kvm", "host", "2"}));
  EXPECT_THAT(words, Not(Contains("-icount")));
  EXPECT_THAT(words, Not(Contains("-initrd")));
}

TEST(ProbeQemu, ReadsTheVersionAndNamesWhatIsMissing) {
  const host::TemporaryFolder folder("msgring-test");
  const auto fake = [&](const std::string& said) {
    const auto path = folder.path() / "qemu";
    std::ofstream(path) << "#!/bin/sh\necho '" << said << "'\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.native();
  };
  const QemuProgram qemu = probe_qemu(fake("QEMU emulator version 10.0.2 (Debian)"));
  EXPECT_EQ(qemu.major, 10U);
  EXPECT_EQ(qemu.minor, 0U);
  EXPECT_THROW(probe_qemu(fake("QEMU emulator version 4.2.1")), Error);
  EXPECT_THROW(probe_qemu(fake("something else")), Error);
  try {
    probe_qemu("/nowhere/qemu-system-x86_64");
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kEnvironment);
    EXPECT_THAT(describe(error), HasSubstr("qemu-system-x86"));
  }
}

TEST(CheckKernelImage, KnowsBothFormatsAndRefusesTheRest) {
  const host::TemporaryFolder folder("msgring-test");
  const auto file = folder.path() / "image";
  std::string bzimage(0x210, '\0');
  bzimage.replace(0x1FE, 2, "\x55\xAA");
  bzimage.replace(0x202, 4, "HdrS");
  std::ofstream(file) << bzimage;
  EXPECT_NO_THROW(check_kernel_image(file));
  std::ofstream(file) << "\x7F"
                      << "ELF and more";
  EXPECT_NO_THROW(check_kernel_image(file));
  std::ofstream(file) << "a letter";
  EXPECT_THROW(check_kernel_image(file), Error);
  EXPECT_THROW(check_kernel_image("/nowhere"), std::system_error);
}

TEST(MissingInConfig, NamesModulesAndAbsence) {
  const std::string config =
      "CONFIG_BLK_DEV_INITRD=y\nCONFIG_DEVTMPFS=y\n# CONFIG_IO_URING is not set\nCONFIG_PCI=y\n"
      "CONFIG_PROC_FS=y\nCONFIG_SYSFS=y\nCONFIG_SERIAL_8250_CONSOLE=y\nCONFIG_VIRTIO_CONSOLE=m\n"
      "CONFIG_VIRTIO_PCI=y\n";
  EXPECT_THAT(missing_in_config(config),
              ::testing::ElementsAre("CONFIG_IO_URING=n", "CONFIG_VIRTIO_CONSOLE=m"));
}

TEST(PinVcpus, FindsThreadsByQemusNames) {
  // This process plays QEMU: two threads with the names that QEMU gives to virtual CPUs.
  std::stop_source source;
  const auto play = [token = source.get_token()](const char* name) {
    ::prctl(PR_SET_NAME, name);
    while (!token.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  std::jthread first(play, "CPU 0/KVM");
  std::jthread second(play, "CPU 1/KVM");
  const std::string done = pin_vcpus(::getpid());
  source.request_stop();
  if (std::thread::hardware_concurrency() < 2) {
    EXPECT_THAT(done, HasSubstr("unpinned: "));
  } else {
    EXPECT_THAT(done, ::testing::MatchesRegex("0:[0-9]+ 1:[0-9]+"));
  }
}

}  // namespace
}  // namespace msgring::boot
