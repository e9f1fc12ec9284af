// SPDX-License-Identifier: MIT
// Real kernels in real guests: what a boot gives, and that it repeats to the instruction.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "vm_support.hpp"

namespace msgring::boot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

nlohmann::json facts_of(const ProbeBoot& boot) {
  if (!boot.result) {
    ADD_FAILURE() << (boot.failure ? boot.failure->what() : "no result");
    return {};
  }
  return nlohmann::json::parse(boot.result->point_text);
}

/// "Linux6_12" for "6.12": test names hold no dots.
std::string kernel_name(const ::testing::TestParamInfo<const char*>& kernel) {
  std::string name = fmt::format("Linux{}", kernel.param);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

class EveryKernel : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryKernel, BootsWithTheProgramAsItsWholeUserSpace) {
  MSGRING_NEED_KERNEL(GetParam());
  const auto kernel = cached_kernel(GetParam());
  ProbeDriver driver(*kernel);
  const BootRequest request = driver.request({"--slots", "64,256", "a b"}, "slab_nomerge");
  const auto machine = driver.machine(request);
  RecordingObserver observer;
  machine->boot(observer);
  machine->run(observer);
  const ProbeBoot boot{machine->fetch(observer), {}};
  const nlohmann::json facts = facts_of(boot);
  EXPECT_EQ(facts["arguments"], (std::vector<std::string>{"--slots", "64,256", "a b"}));
  EXPECT_THAT(facts["version"].get<std::string>(), HasSubstr(kernel->release));
  EXPECT_THAT(facts["cmdline"].get<std::string>(), ::testing::EndsWith(" slab_nomerge\n"));
  EXPECT_THAT(facts["limits"].get<std::string>(), HasSubstr(" 2097152 "));
  EXPECT_THAT(facts["mounts"].get<std::string>(), HasSubstr("tracefs"));
  EXPECT_EQ(observer.phases.back(), BootPhase::kPowerOff);
  EXPECT_THAT(observer.logs, ElementsAre("probing"));
  EXPECT_EQ(boot.result->facts.at("boot.seed"), "1");
  EXPECT_THAT(boot.result->facts.at("boot.run_id"), MatchesRegex("[0-9a-f]{16}"));
  EXPECT_TRUE(own_children().empty());
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, ::testing::Values("6.12", "7"), kernel_name);

TEST(Seed, RepeatsToTheInstructionAndAnotherDoesNot) {
  MSGRING_NEED_KERNEL("7");
  const auto kernel = cached_kernel("7");
  ProbeDriver driver(*kernel);
  BootRequest first = driver.request();
  BootRequest second = driver.request();
  BootRequest other = driver.request();
  other.seed = 2;
  // Two at once: a neighbour's load must not change a count.
  ProbeBoot first_boot;
  std::jthread neighbour([&] { first_boot = driver.boot(first); });
  const ProbeBoot second_boot = driver.boot(second);
  neighbour.join();
  const nlohmann::json one = facts_of(first_boot);
  EXPECT_EQ(one, facts_of(second_boot));
  EXPECT_NE(one["ticks"], facts_of(driver.boot(other))["ticks"]);
  EXPECT_NE(first_boot.result->facts.at("boot.run_id"),
            second_boot.result->facts.at("boot.run_id"));
}

TEST(ResultPort, IsTheSecondSerialPortOfAKernelWithoutVirtioConsole) {
  MSGRING_NEED_KERNEL("6.12");
  const auto kernel = cached_kernel("6.12");
  ProbeDriver driver(*kernel);
  const BootRequest request = driver.request({}, "initcall_blacklist=virtio_console_init");
  facts_of(driver.boot(request));
  EXPECT_GT(std::filesystem::file_size(request.scratch / "serial_results"), 0U);
  EXPECT_EQ(std::filesystem::file_size(request.scratch / "results"), 0U);
}

TEST(TryKvm, AnswersWithinSecondsWithOneLine) {
  MSGRING_NEED_KERNEL("6.12");
  const auto kernel = cached_kernel("6.12");
  const KvmTrial trial = try_kvm(probe_qemu(), kernel->image);
  EXPECT_FALSE(trial.evidence.empty());
  EXPECT_EQ(trial.evidence.find('\n'), std::string::npos);
  EXPECT_TRUE(own_children().empty());
}

}  // namespace
}  // namespace msgring::boot
