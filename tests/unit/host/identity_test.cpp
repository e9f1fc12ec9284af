// SPDX-License-Identifier: MIT
// Digests, build ids, preemption modes and hypervisors against known answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <system_error>

#include "fake_tree.hpp"
#include "host/hypervisor.hpp"
#include "host/preemption.hpp"
#include "msgring/host/boot_identity.hpp"
#include "msgring/host/sha256.hpp"

namespace msgring::host {
namespace {

using testing::HasSubstr;

TEST(Sha256, AgreesWithTheStandardsExamples) {
  // FIPS 180-4 examples: the empty message and "abc".
  EXPECT_EQ(sha256_of_bytes(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of_bytes("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfFileReadsItToTheEndWhateverItsSizeSays) {
  FakeTree tree;
  // One million "a" (FIPS 180-4's long example): more than one buffer.
  tree.put("/a", std::string(1'000'000, 'a'));
  EXPECT_EQ(sha256_of_file(tree.root().path("/a")),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // /proc says size 0; the content is not empty.
  EXPECT_EQ(sha256_of_file("/proc/version"), sha256_of_bytes(read_text_file("/proc/version").text));
  EXPECT_THROW(sha256_of_file(tree.root().path("/missing")), std::system_error);
}

/// An ELF note: three native 32-bit words, then name and description, each padded to 4 bytes.
std::string note(std::uint32_t type, std::string_view name, std::string_view description) {
  std::string bytes;
  for (const std::uint32_t word : {static_cast<std::uint32_t>(name.size()),
                                   static_cast<std::uint32_t>(description.size()), type}) {
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  for (const std::string_view part : {name, description}) {
    bytes.append(part).append((4 - part.size() % 4) % 4, '\0');
  }
  return bytes;
}

constexpr std::string_view kGnu("GNU\0", 4);

TEST(BuildId, IsFoundBehindOtherNotes) {
  const std::string own = note(3, kGnu, "\x01\x23\xab");
  EXPECT_EQ(build_id_of_notes(own), "0123ab");
  EXPECT_EQ(build_id_of_notes(note(0x101, std::string("Linux\0", 6), "abcde") + own), "0123ab");
  EXPECT_EQ(build_id_of_notes(note(4, kGnu, "gold") + note(3, std::string("Xen\0", 4), "x") + own),
            "0123ab");
}

TEST(BuildId, IsAbsentFromDamagedNotesNeverReadPastTheEnd) {
  const std::string own = note(3, kGnu, std::string(20, '\x42'));
  EXPECT_EQ(build_id_of_notes(""), std::nullopt);
  EXPECT_EQ(build_id_of_notes(note(4, kGnu, "gold")), std::nullopt);
  for (std::size_t length = 0; length < own.size(); ++length) {
    EXPECT_EQ(build_id_of_notes(own.substr(0, length)), std::nullopt) << length;
  }
  std::string huge = own;
  huge.replace(0, 8, std::string(8, '\xff'));
  EXPECT_EQ(build_id_of_notes(huge), std::nullopt);
}

TEST(BootIdentity, OfThisMachineHasAllItsWitnesses) {
  const BootIdentity boot = read_boot_identity(Root());
  EXPECT_EQ(boot.boot_id.size(), 36U) << boot.boot_id;
  EXPECT_GT(boot.btime_s.value_or(0), 0);
  EXPECT_GT(boot.uptime_s.value_or(0), 0);
  EXPECT_FALSE(boot.release.empty());
}

TEST(BootIdentity, SaysWhatIsMissing) {
  const FakeTree empty;
  const BootIdentity boot = read_boot_identity(empty.root());
  EXPECT_EQ(boot.boot_id, "absent (no boot_id in /proc)");
  EXPECT_EQ(boot.btime_s, std::nullopt);
  EXPECT_EQ(boot.uptime_s, std::nullopt);
  EXPECT_EQ(boot.build_id, "absent (no /sys/kernel/notes)");
}

std::string mode_with(const std::string& debugfs, const std::string& config) {
  FakeTree tree;
  if (!debugfs.empty()) {
    tree.put("/sys/kernel/debug/sched/preempt", debugfs);
  }
  tree.put("/proc/sys/kernel/osrelease", "1\n").put("/boot/config-1", config);
  return text_of(preemption_mode(tree.root(), read_kernel_config(tree.root())));
}

TEST(PreemptionMode, IsTheParenthesisedWordOfAnyList) {
  EXPECT_EQ(mode_with("none voluntary (full)\n", ""), "full");
  EXPECT_EQ(mode_with("full (lazy)\n", ""), "lazy");
  EXPECT_EQ(mode_with("(none) voluntary full lazy newest\n", ""), "none");
  EXPECT_THAT(mode_with("none voluntary full\n", ""), HasSubstr("unknown (no choice marked"));
}

TEST(PreemptionMode, ComesFromConfigurationOnlyWhereItCannotChange) {
  EXPECT_EQ(mode_with("", "CONFIG_PREEMPT_VOLUNTARY=y\n"), "voluntary (built in)");
  EXPECT_EQ(mode_with("", "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT=y\n"), "rt (built in)");
  EXPECT_EQ(mode_with("", "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n"),
            "unknown (no sched/preempt in debugfs)");
  EXPECT_EQ(mode_with("", ""), "unknown (no sched/preempt in debugfs)");
}

TEST(Hypervisor, IsTakenFromItsSignature) {
  EXPECT_EQ(accelerator_text(hypervisor_of(value("KVMKVMKVM"))), "kvm");
  EXPECT_EQ(accelerator_text(hypervisor_of(value("TCGTCGTCGTCG"))), "tcg");
  EXPECT_EQ(accelerator_text(hypervisor_of(value(""))), "none (no hypervisor)");
  EXPECT_EQ(accelerator_text(hypervisor_of(value("Microsoft Hv"))), "unknown (hypervisor Hyper-V)");
  EXPECT_EQ(text_of(hypervisor_of(value("NewNewNewNew")).name), "signature NewNewNewNew");
  EXPECT_EQ(accelerator_text(hypervisor_of(unknown("no CPUID"))), "unknown (no CPUID signature)");
}

}  // namespace
}  // namespace msgring::host
