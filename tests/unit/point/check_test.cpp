// SPDX-License-Identifier: MIT
// Each damage to a sound point gives exactly its own fault.
#include "msgring/point/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace msgring::point {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Row sound_row(std::int64_t repetition) {
  Row row;
  row.run_name = "first_fill/slots:64/iterations:1/repeats:2/manual_time";
  row.workload = "first_fill";
  row.parameters.add("slots", "64");
  row.repetition = repetition;
  row.real_time = 6400.0;
  row.counters = {{"fill_ns", 6400.0}, {"fill_operations", 64.0}, {"check.cqe_lost", 0.0}};
  row.line = 10 + static_cast<std::size_t>(repetition);
  return row;
}

struct Damage {
  const char* key = nullptr;    ///< the fact to change
  const char* value = nullptr;  ///< its new value; null leaves it out
};

Point sound_point(const Damage& damage = {}) {
  Point point;
  point.source = "p.json";
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"library_build_type", "debug"},
           {"msgring.schema", "1"},
           {"msgring.version", "0.1.0"},
           {"msgring.clock", "monotonic_raw"},
           {"msgring.unit", "ns"},
           {"msgring.arguments", "--slots 64"},
           {"msgring.rounds", "2"},
           {"msgring.complete", "yes"},
           {"msgring.checks", "passed"},
           {"msgring.binary_sha256", "ab"},
           {"msgring.workload.first_fill.phases", "fill:install"},
           {"kernel.release", "6.12.95"},
           {"kernel.version", "#1"},
           {"kernel.cmdline", "quiet"},
           {"kernel.boot_id", "unknown (not readable)"},
           {"cpu.model", "x"},
           {"cpu.pinned", "1"},
           {"cpu.clocksource", "tsc"}}) {
    if (damage.key == nullptr || key != damage.key) {
      point.context.add(key, value);
    } else if (damage.value != nullptr) {
      point.context.add(key, damage.value);
    }
  }
  point.rows = {sound_row(0), sound_row(1)};
  return point;
}

TEST(CheckPoint, ASoundPointHasNoFaults) {
  EXPECT_THAT(check_point(sound_point()), IsEmpty()) << "a debug library with manual time is fine";
}

TEST(CheckPoint, EachDamagedFactIsOneFault) {
  const auto fault_of = [](const Damage& damage) {
    const auto faults = check_point(sound_point(damage));
    return faults.size() == 1 ? faults[0].what : testing::PrintToString(faults.size()) + " faults";
  };
  EXPECT_THAT(fault_of({"msgring.schema", nullptr}), HasSubstr("not written by msgring_bench"));
  EXPECT_THAT(fault_of({"msgring.schema", "2"}), HasSubstr("this version reads 1"));
  EXPECT_EQ(fault_of({"kernel.boot_id", nullptr}), "no kernel.boot_id");
  EXPECT_THAT(fault_of({"msgring.complete", "no (interrupted)"}), HasSubstr("no (interrupted)"));
  EXPECT_THAT(fault_of({"msgring.checks", "failed (cqe_lost)"}), HasSubstr("failed (cqe_lost)"));
  EXPECT_THAT(fault_of({"msgring.clock", "tsc"}), HasSubstr("does not count ns"));
  EXPECT_THAT(fault_of({"msgring.rounds", "3"}), HasSubstr("2 rounds, but msgring.rounds is 3"));
  EXPECT_THAT(fault_of({"msgring.rounds", "x"}), HasSubstr("not a number"));
}

TEST(CheckPoint, EachDamagedRowIsOneFaultWithItsLine) {
  const auto faults_of = [](const std::function<void(Row&)>& damage) {
    Point point = sound_point();
    damage(point.rows[1]);
    return check_point(point);
  };
  const auto check = faults_of([](Row& row) { row.counters["check.cqe_lost"] = 3.0; });
  ASSERT_THAT(check, SizeIs(1));
  EXPECT_EQ(check[0].place, "p.json:11");
  EXPECT_EQ(check[0].what, "first_fill slots:64, repetition 1: check.cqe_lost: 3 failures");
  const auto failed = faults_of([](Row& row) {
    row.valid = false;
    row.why = "timeout";
  });
  ASSERT_THAT(failed, SizeIs(1));
  EXPECT_THAT(failed[0].what, HasSubstr("timeout"));
  EXPECT_THAT(faults_of([](Row& row) { row.real_time = 0.0; }), SizeIs(1));
  EXPECT_THAT(faults_of([](Row& row) { row.counters.erase("fill_ns"); }), SizeIs(1));
  const auto later = faults_of([](Row& row) { row.repetition = 2; });
  ASSERT_THAT(later, SizeIs(1));
  EXPECT_THAT(later[0].what, HasSubstr("the last is number 2"));
}

TEST(CheckPoint, ARepeatedRepetitionIsAFault) {
  Point point = sound_point();
  point.rows[1].repetition = 0;
  const auto faults = check_point(point);
  ASSERT_THAT(faults, SizeIs(2)) << "twice the first, and one too few";
  EXPECT_THAT(faults[0].what, HasSubstr("stands twice"));
}

TEST(CheckPoint, ADebugLibraryCountsWhereItsOwnClockWasUsed) {
  Point point = sound_point();
  point.rows[0].run_name = "first_fill/slots:64/iterations:1/repeats:2";
  point.rows[1].run_name = point.rows[0].run_name;
  const auto faults = check_point(point);
  ASSERT_THAT(faults, SizeIs(1));
  EXPECT_THAT(faults[0].what, HasSubstr("debug"));
}

}  // namespace
}  // namespace msgring::point
