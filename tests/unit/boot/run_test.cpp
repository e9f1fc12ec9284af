// SPDX-License-Identifier: MIT
// Runs with a driver that only pretends: order, retries, balance, resume, evidence.
#include "msgring/boot/run.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "msgring/boot/run_lock.hpp"
#include "msgring/error.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What the pretended machines are to do, by the boot's name: how many tries fail before one works.
struct Script {
  std::map<std::string, unsigned> losses;
  std::string interrupt_at;  ///< the boot during which the whole run is stopped
  std::stop_source stop;
  std::vector<std::string> booted;
  std::vector<std::vector<std::string>> arguments;
  std::mutex mutex;
};

class PretendedMachine : public Machine {
 public:
  PretendedMachine(BootRequest request, Script& script)
      : request_(std::move(request)), script_(script) {}

  void boot(BootObserver& observer) override {
    const std::scoped_lock lock(script_.mutex);
    std::ofstream(request_.console_log) << "console\n";
    EXPECT_TRUE(fs::is_directory(request_.scratch));
    script_.booted.push_back(request_.name);
    script_.arguments.push_back(request_.arguments);
    observer.on_phase(BootPhase::kSettle);
    if (request_.name == script_.interrupt_at) {
      script_.stop.request_stop();
      throw Error(ExitStatus::kInterrupted, "interrupted");
    }
    unsigned& losses = script_.losses[request_.name];
    if (losses > 0) {
      --losses;
      throw BootFailure(Outcome::kGuestHang, "silence", {"last words"});
    }
  }
  void run(BootObserver& observer) override { observer.on_phase(BootPhase::kMeasure); }
  BootResult fetch(BootObserver& /*observer*/) override {
    return {R"({"context": {"a": "b"}, "benchmarks": []})",
            {{FrameKind::kKallsyms, "", "0 t x\n"}},
            {{"boot.run_id", "id"}}};
  }

 private:
  BootRequest request_;
  Script& script_;
};

class PretendedDriver : public Driver {
 public:
  PretendedDriver(host::Unit unit, Script& script) : unit_(unit), script_(script) {}
  std::string_view name() const override { return "pretended"; }
  void prepare(const DriverSetup& setup) override { kernels = setup.kernels.size(); }
  host::Unit unit() const override { return unit_; }
  std::vector<std::string> notes() const override { return {"a note"}; }
  unsigned most_parallel_boots() const override { return 1; }
  std::string command_line(const BootRequest& request) const override {
    return "boot " + request.name;
  }
  std::unique_ptr<Machine> make_machine(const BootRequest& request, std::stop_token) override {
    return std::make_unique<PretendedMachine>(request, script_);
  }

  unsigned earlier_losses(const std::string& boot) const override {
    const auto found = earlier.find(boot);
    return found == earlier.end() ? 0 : found->second;
  }

  std::size_t kernels = 0;
  std::map<std::string, unsigned> earlier;

 private:
  host::Unit unit_;
  Script& script_;
};

class QuietObserver : public RunObserver {
 public:
  void on_note(std::string_view line) override { notes.emplace_back(line); }
  void on_start(const PlannedBoot&, unsigned) override {}
  void on_phase(const PlannedBoot&, BootPhase) override {}
  void on_log(const PlannedBoot&, std::string_view) override {}
  void on_measured(const PlannedBoot&) override { ++measured; }
  void on_lost(const PlannedBoot&, const BootFailure&, bool will_retry) override {
    retries.push_back(will_retry);
  }
  std::vector<std::string> notes;
  std::vector<bool> retries;
  unsigned measured = 0;
};

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* release : {"6.12.1", "7.1.1"}) {
      fs::create_directories(base_.path() / "kernels" / release);
      std::ofstream(base_.path() / "kernels" / release / "vmlinuz") << release;
    }
    std::ofstream(setup_.bench_program) << "bench";
    plan_.roles = {{'A', "6.12", ""}, {'B', "7.1", "x"}};
    plan_.seeds = {1, 2};
    plan_.retries = 1;
  }

  RunResult execute(RunStart start = RunStart::kFresh,
                    host::Unit unit = host::Unit::kInstructions) {
    PretendedDriver driver(unit, script_);
    return execute_run(plan_, setup_, driver, start, observer_, script_.stop.get_token());
  }
  std::string refusal(RunStart start) {
    try {
      execute(start);
    } catch (const Error& error) {
      return describe(error);
    }
    return "accepted";
  }

  host::TemporaryFolder base_{"msgring-test"};
  RunSetup setup_{
      base_.path() / "run", base_.path() / "bench", KernelCache(base_.path() / "kernels"), {}};
  Plan plan_;
  Script script_;
  QuietObserver observer_;
};

TEST_F(RunTest, BootsInOrderAndLeavesOnlyEvidence) {
  const RunResult result = execute();
  EXPECT_THAT(script_.booted,
              ElementsAre("s1-01-A", "s1-02-B", "s1-03-A", "s2-01-A", "s2-02-B", "s2-03-A"));
  EXPECT_EQ(result.boots.size(), 6U);
  EXPECT_TRUE(result.dropped.empty());
  EXPECT_THAT(observer_.notes, ElementsAre("a note"));
  const auto point = nlohmann::json::parse(host::read_file(result.boots[1].point_file));
  EXPECT_EQ(point["context"]["boot.role"], "B");
  EXPECT_EQ(point["context"]["boot.run_id"], "id");
  EXPECT_EQ(point["context"]["a"], "b");
  EXPECT_EQ(host::read_file(setup_.folder / "points" / "s1-02-B.kallsyms"), "0 t x\n");
  for (const auto& entry : fs::directory_iterator(setup_.folder)) {
    EXPECT_NE(entry.path().filename().native().front(), '.') << entry.path();
  }
}

TEST_F(RunTest, PutsARolesFactsIntoItsPointsAlsoWhenResumed) {
  plan_.roles[1].facts = {{"boot.revision", "HEAD"},
                          {kImageDigestFact, host::sha256_of_bytes("7.1.1")}};
  script_.losses["s1-02-B"] = 9;
  execute();
  script_.losses.clear();
  plan_ = stored_plan(setup_.folder);
  const RunResult result = execute(RunStart::kResume);
  ASSERT_EQ(result.boots.size(), 6U);
  for (const MeasuredBoot& boot : result.boots) {
    const auto point = nlohmann::json::parse(host::read_file(boot.point_file));
    EXPECT_EQ(point["context"].contains("boot.revision"), boot.boot.role == 'B');
  }
}

TEST_F(RunTest, RefusesAnImageThatIsNotTheOneOfItsFacts) {
  plan_.roles[1].facts = {{kImageDigestFact, std::string(64, '0')}};
  EXPECT_THAT(refusal(RunStart::kFresh),
              HasSubstr("is not the image that the plan describes; build it again"));
}

TEST_F(RunTest, TellsTheBenchmarkToCountUnlessItWasToldOtherwise) {
  plan_.seeds = {1};
  execute();
  EXPECT_THAT(script_.arguments[0], ElementsAre("--clock", "tsc"));
  setup_.folder = base_.path() / "other";
  plan_.arguments = {"--clock=monotonic_raw"};
  execute();
  EXPECT_THAT(script_.arguments.back(), ElementsAre("--clock=monotonic_raw"));
  setup_.folder = base_.path() / "third";
  plan_.arguments = {};
  execute(RunStart::kFresh, host::Unit::kNanoseconds);
  EXPECT_THAT(script_.arguments.back(), ElementsAre());
  EXPECT_EQ(script_.booted.back(), "03-A");
}

TEST_F(RunTest, TriesALostBootAgainAndCountsIt) {
  script_.losses["s1-02-B"] = 1;
  const RunResult result = execute();
  EXPECT_EQ(result.boots.size(), 6U);
  EXPECT_EQ(result.lost_attempts, 1U);
  EXPECT_EQ(result.boots[1].lost_attempts, 1U);
  EXPECT_THAT(host::read_file(setup_.folder / "lost" / "s1-02-B.1.txt"),
              HasSubstr("guest-hang: silence\n\nthe console's last lines:\nlast words\n"));
  EXPECT_TRUE(fs::exists(setup_.folder / "consoles" / "s1-02-B.2.log"));
  EXPECT_THAT(observer_.retries, ElementsAre(true));
}

TEST_F(RunTest, LeavesAWholeSandwichOutWhenABootStaysLost) {
  script_.losses["s1-02-B"] = 9;
  const RunResult result = execute();
  ASSERT_EQ(result.boots.size(), 3U);
  EXPECT_EQ(result.boots[0].boot.name, "s2-01-A");
  EXPECT_THAT(result.dropped, ElementsAre("sandwich 1 is left out: boot s1-02-B gave no point"));
  EXPECT_EQ(result.lost_attempts, 2U);
}

TEST_F(RunTest, CountsTheTriesThatEarlierProcessesOfTheRunHaveLost) {
  plan_.seeds = {1};
  plan_.repeat = 2;
  PretendedDriver driver(host::Unit::kInstructions, script_);
  driver.earlier = {{"s1-02-B", 1}, {"s1-04-A", 2}};
  script_.losses["s1-02-B"] = 1;
  EXPECT_THROW(
      execute_run(plan_, setup_, driver, RunStart::kFresh, observer_, script_.stop.get_token()),
      RunOver);
  // One retry: the one is given up with its second loss, the other is not booted any more.
  EXPECT_THAT(script_.booted, ElementsAre("s1-01-A", "s1-02-B", "s1-03-A", "s1-05-B", "s1-06-A"));
  EXPECT_THAT(observer_.retries, ElementsAre(false));
}

TEST_F(RunTest, FailsWhenNoSandwichIsComplete) {
  plan_.seeds = {1};
  script_.losses["s1-03-A"] = 9;
  EXPECT_THAT(refusal(RunStart::kFresh), HasSubstr("no sandwich is complete"));
  // What was measured is kept, and the lost boot is all that is left to do.
  script_.losses.clear();
  script_.booted.clear();
  EXPECT_EQ(execute(RunStart::kResume).boots.size(), 3U);
  EXPECT_THAT(script_.booted, ElementsAre("s1-03-A"));
}

TEST_F(RunTest, GoesOnWhereItWasInterrupted) {
  script_.interrupt_at = "s1-03-A";
  EXPECT_THAT(refusal(RunStart::kFresh), HasSubstr("interrupted"));
  script_.stop = std::stop_source();
  script_.interrupt_at.clear();
  script_.booted.clear();
  // What a killed run leaves behind must not hinder.
  fs::create_directories(setup_.folder / ".s1-03-A" / "old");
  EXPECT_EQ(execute(RunStart::kResume).boots.size(), 6U);
  EXPECT_THAT(script_.booted, ElementsAre("s1-03-A", "s2-01-A", "s2-02-B", "s2-03-A"));
  EXPECT_TRUE(fs::exists(setup_.folder / "consoles" / "s1-03-A.2.log"));
}

TEST_F(RunTest, TakesGivenPointsOverInsteadOfBooting) {
  const fs::path given = base_.path() / "given.json";
  std::ofstream(given) << "measured before";
  setup_.given_points = {{"s1-01-A", given}, {"s1-03-A", given}};
  const RunResult result = execute();
  EXPECT_THAT(script_.booted, ElementsAre("s1-02-B", "s2-01-A", "s2-02-B", "s2-03-A"));
  EXPECT_EQ(result.boots.size(), 6U);
  EXPECT_EQ(host::read_file(result.boots[0].point_file), "measured before");
}

TEST_F(RunTest, RefusesAFolderThatIsThereAnotherPlanAndChangedFiles) {
  execute();
  EXPECT_THAT(refusal(RunStart::kFresh), HasSubstr("is there already"));
  plan_.repeat = 2;
  EXPECT_THAT(refusal(RunStart::kResume), HasSubstr("another plan"));
  plan_.repeat = 1;
  std::ofstream(setup_.bench_program) << "another build";
  EXPECT_THAT(refusal(RunStart::kResume), HasSubstr("has changed since the run began"));
  setup_.folder = base_.path() / "nothing";
  EXPECT_THAT(refusal(RunStart::kResume), HasSubstr("no such run"));
}

TEST_F(RunTest, RefusesAFolderInWhichAnotherProcessWorks) {
  fs::create_directories(setup_.folder);
  const RunLock other(setup_.folder);
  EXPECT_THAT(refusal(RunStart::kFresh), HasSubstr("another msgring works"));
}

TEST_F(RunTest, ChecksASealedFolderFileByFile) {
  execute();
  EXPECT_THAT(check_run(setup_.folder), ElementsAre(HasSubstr("not finished")));
  seal_run(setup_.folder);
  EXPECT_THAT(check_run(setup_.folder), ElementsAre());
  EXPECT_THAT(refusal(RunStart::kResume), HasSubstr("is finished"));
  std::ofstream(setup_.folder / "points" / "s1-01-A.json") << "{}";
  std::ofstream(setup_.folder / "points" / "extra.json") << "{}";
  fs::remove(setup_.folder / "points" / "s1-02-B.json");
  EXPECT_THAT(check_run(setup_.folder),
              ElementsAre("points/s1-01-A.json: has changed", "points/s1-02-B.json: is missing",
                          "points/extra.json: was added",
                          "points/s1-02-B.json: is missing, and was not lost"));
}

TEST_F(RunTest, DescribesWithoutLeavingATrace) {
  PretendedDriver driver(host::Unit::kInstructions, script_);
  const auto lines = describe_run(plan_, setup_, driver);
  EXPECT_EQ(lines.size(), 1U + 2 * 6U);
  EXPECT_EQ(lines.back(), "boot s2-03-A");
  EXPECT_FALSE(fs::exists(setup_.folder));
}

}  // namespace
}  // namespace msgring::boot
