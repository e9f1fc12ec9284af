// SPDX-License-Identifier: MIT
// Every check, proved by damage: a good log passes, and each kind of damage fails exactly its
// check.
#include "workload/checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "failed_checks.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kSlots = 8;
constexpr std::uint32_t kRound = 7;

/// The logs of a round that filled an 8-slot table, in the order of allocation.
struct Logs {
  std::vector<Completion> source;
  std::vector<Completion> target;

  Logs() {
    for (std::uint32_t number = 0; number < kSlots; ++number) {
      const auto slot = static_cast<std::int32_t>(number);
      source.push_back({user_data_base(Stream::kSource, kRound) + number, slot, 0});
      target.push_back({user_data_base(Stream::kTarget, kRound) + number, slot, 0});
    }
  }

  CheckReport judge(SlotReport slot_report = SlotReport::kBoth) const {
    CheckReport report;
    std::vector<std::int32_t> source_results(kSlots);
    std::vector<std::int32_t> target_results(kSlots);
    check_stream(source, user_data_base(Stream::kSource, kRound), kSourceStream, source_results,
                 report);
    check_stream(target, user_data_base(Stream::kTarget, kRound), kTargetStream, target_results,
                 report);
    SlotSet filled(kSlots, false);
    check_installs(source_results, target_results, {kSlots, slot_report, 0}, filled, report);
    check_all_filled(filled, report);
    return report;
  }
};

TEST(Checks, AGoodLogPassesAndEveryCheckWasPerformed) {
  const CheckReport report = Logs().judge();
  EXPECT_TRUE(report.passed()) << report.summary();
  for (const Check check :
       {Check::kSourceMissing, Check::kSourceDuplicate, Check::kSourceForeign, Check::kSourceFlags,
        Check::kSourceResult, Check::kTargetMissing, Check::kTargetDuplicate, Check::kTargetForeign,
        Check::kTargetFlags, Check::kTargetResult, Check::kSlotRange, Check::kPairMismatch,
        Check::kSlotDuplicate, Check::kSlotMissing}) {
    EXPECT_TRUE(report.was_performed(check)) << check_name(check);
  }
}

TEST(Checks, AnyOrderOfCompletionsIsGood) {
  Logs logs;
  std::swap(logs.source[1], logs.source[6]);
  std::swap(logs.target[0], logs.target[3]);
  EXPECT_TRUE(logs.judge().passed());
}

struct Damage {
  const char* name;
  std::function<void(Logs&)> apply;
  std::vector<std::string> fails;
  friend void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }
};

class DamagedLog : public testing::TestWithParam<Damage> {};

TEST_P(DamagedLog, FailsExactlyItsChecks) {
  Logs logs;
  GetParam().apply(logs);
  EXPECT_THAT(failed(logs.judge()), testing::UnorderedElementsAreArray(GetParam().fails));
}

// A lost sender completion also leaves a slot that nobody accounts for: slot_missing goes with it.
INSTANTIATE_TEST_SUITE_P(
    Completions, DamagedLog,
    testing::Values(
        Damage{"lost_source",
               [](Logs& l) { l.source.erase(l.source.begin() + 2); },
               {"source_missing", "slot_missing"}},
        Damage{"lost_target",
               [](Logs& l) { l.target.erase(l.target.begin() + 2); },
               {"target_missing"}},
        Damage{"doubled_source",
               [](Logs& l) { l.source.push_back(l.source[3]); },
               {"source_duplicate"}},
        Damage{"doubled_target",
               [](Logs& l) { l.target.push_back(l.target[3]); },
               {"target_duplicate"}},
        Damage{"foreign_source",
               [](Logs& l) {
                 l.source.push_back({42, 0, 0});
               },
               {"source_foreign"}},
        Damage{"source_of_an_earlier_round",
               [](Logs& l) {
                 l.source.push_back({user_data_base(Stream::kSource, kRound - 1), 0, 0});
               },
               {"source_foreign"}},
        Damage{"target_completion_in_the_source_ring",
               [](Logs& l) { l.source.push_back(l.target[0]); },
               {"source_foreign"}},
        Damage{"foreign_target",
               [](Logs& l) {
                 l.target.push_back({42, 0, 0});
               },
               {"target_foreign"}},
        Damage{"number_past_the_end",
               [](Logs& l) {
                 l.source.push_back({user_data_base(Stream::kSource, kRound) + kSlots, 0, 0});
               },
               {"source_foreign"}},
        Damage{"flagged_source", [](Logs& l) { l.source[1].flags = 2; }, {"source_flags"}},
        Damage{"flagged_target", [](Logs& l) { l.target[1].flags = 2; }, {"target_flags"}},
        Damage{"failed_source",
               [](Logs& l) { l.source[4].result = -ENFILE; },
               {"source_result", "slot_missing"}},
        Damage{"installed_without_completion_is_no_success",
               [](Logs& l) { l.source[4].result = -EOVERFLOW; },
               {"source_result", "slot_missing"}},
        Damage{"failed_target", [](Logs& l) { l.target[4].result = -ENOMEM; }, {"target_result"}}),
    [](const auto& damage) { return damage.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Slots, DamagedLog,
    testing::Values(
        Damage{"a_slot_twice",
               [](Logs& l) { l.source[5].result = l.target[5].result = 2; },
               {"slot_duplicate", "slot_missing"}},
        Damage{"a_slot_out_of_range",
               [](Logs& l) { l.source[5].result = l.target[5].result = kSlots; },
               {"slot_range", "slot_missing"}},
        Damage{"the_pair_disagrees", [](Logs& l) { l.target[5].result = 6; }, {"pair_mismatch"}},
        Damage{"the_target_says_0_where_the_trial_saw_slots",
               [](Logs& l) { l.target[5].result = 0; },
               {"pair_mismatch"}}),
    [](const auto& damage) { return damage.param.name; });

TEST(Checks, CountsHowOftenAndKeepsTheFirst) {
  Logs logs;
  logs.source.resize(5);
  const CheckReport report = logs.judge();
  EXPECT_EQ(report.failures(Check::kSourceMissing), 3U);
  EXPECT_THAT(report.summary(), testing::HasSubstr("source_missing 3x (first: operation 5)"));
}

TEST(Checks, OnOldKernelsTheTargetMustSayZero) {
  Logs logs;
  for (Completion& completion : logs.target) {
    completion.result = 0;
  }
  EXPECT_TRUE(logs.judge(SlotReport::kSender).passed());
  logs.target[3].result = 3;
  EXPECT_THAT(failed(logs.judge(SlotReport::kSender)), testing::ElementsAre("pair_mismatch"));
}

TEST(Checks, ExplicitSlotsCompleteWithZero) {
  Logs logs;
  for (std::uint32_t number = 0; number < kSlots; ++number) {
    logs.source[number].result = logs.target[number].result = 0;
  }
  EXPECT_TRUE(logs.judge(SlotReport::kNeither).passed());
  logs.source[3].result = 3;
  EXPECT_THAT(failed(logs.judge(SlotReport::kNeither)), testing::ElementsAre("source_result"));
}

TEST(Checks, SkippedTargetCompletionsAreNotClaimedAsChecked) {
  const Logs logs;
  CheckReport report;
  std::vector<std::int32_t> results(kSlots);
  check_stream(logs.source, user_data_base(Stream::kSource, kRound), kSourceStream, results,
               report);
  SlotSet filled(kSlots, false);
  check_installs(results, {}, {kSlots, SlotReport::kSender, 0}, filled, report);
  EXPECT_TRUE(report.passed());
  EXPECT_FALSE(report.was_performed(Check::kTargetResult));
  EXPECT_FALSE(report.was_performed(Check::kPairMismatch));
}

TEST(Checks, ReadBackNeedsTheRightByteFromAFilledSlot) {
  CheckReport good;
  check_read_back(5000, 0, 1, sentinel_byte(5000 - 4096), good);
  EXPECT_TRUE(good.passed());
  CheckReport wrong_byte;
  check_read_back(5, 0, 1, static_cast<std::uint8_t>(sentinel_byte(5) + 1), wrong_byte);
  EXPECT_THAT(failed(wrong_byte), testing::ElementsAre("sentinel"));
  CheckReport empty;
  check_read_back(5, 0, -EBADF, 0, empty);
  EXPECT_THAT(failed(empty), testing::ElementsAre("slot_unreadable"));
  CheckReport short_read;
  check_read_back(5, 0, 0, 0, short_read);
  EXPECT_THAT(failed(short_read), testing::ElementsAre("slot_unreadable"));
}

TEST(Checks, ReadBackNeedsAnEmptySlotToBeEmpty) {
  CheckReport good;
  check_read_back(5, kEmptySlot, -EBADF, 0, good);
  EXPECT_TRUE(good.passed());
  CheckReport occupied;
  check_read_back(5, kEmptySlot, 1, sentinel_byte(5), occupied);
  EXPECT_THAT(failed(occupied), testing::ElementsAre("slot_unreadable"));
}

TEST(Checks, ReadBackTellsSentinelFilesApart) {
  CheckReport good;
  check_read_back(5, 3, 1, sentinel_byte(5, 3), good);
  EXPECT_TRUE(good.passed());
  CheckReport another_file;
  check_read_back(5, 3, 1, sentinel_byte(5, 2), another_file);
  EXPECT_THAT(failed(another_file), testing::ElementsAre("sentinel"));
}

TEST(Checks, NoTwoSentinelFilesAgreeInAnyByte) {
  // A byte depends on its offset by a term that is the same in all files, so offset 0 stands for
  // all of them.
  std::set<std::uint8_t> bytes;
  for (std::uint32_t number = 0; number < 256; ++number) {
    EXPECT_TRUE(bytes.insert(sentinel_byte(0, number)).second) << number;
  }
}

TEST(Checks, ContentsAreTheFileWhereASlotIsFilled) {
  EXPECT_THAT(contents_of({true, false, true}, 7), testing::ElementsAre(7, kEmptySlot, 7));
}

TEST(Checks, TheSentinelFollowsTheReportedFormula) {
  EXPECT_EQ(sentinel_byte(0), 17);         // 131 * 0 + 17
  EXPECT_EQ(sentinel_byte(1), 148);        // 131 + 17
  EXPECT_EQ(sentinel_byte(2), 279 % 256);  // 262 + 17
  EXPECT_EQ(sentinel_byte(4095), 142);     // 131 * 4095 + 17 = 536462 = 2095 * 256 + 142
}

struct RingDamage {
  const char* name;
  std::function<void(RingState&)> apply;
  const char* fails;
  friend void PrintTo(const RingDamage& damage, std::ostream* out) { *out << damage.name; }
};

class DamagedRing : public testing::TestWithParam<RingDamage> {};

TEST_P(DamagedRing, FailsExactlyItsCheck) {
  RingState state{"target ring", 0, 0, 0, 0, false};
  CheckReport good;
  check_ring(state, good);
  ASSERT_TRUE(good.passed());
  GetParam().apply(state);
  CheckReport report;
  check_ring(state, report);
  EXPECT_THAT(failed(report), testing::ElementsAre(GetParam().fails));
  EXPECT_THAT(report.summary(), testing::HasSubstr("target ring"));
}

INSTANTIATE_TEST_SUITE_P(
    State, DamagedRing,
    testing::Values(
        RingDamage{"dropped_sqe", [](RingState& s) { s.sq_dropped = 1; }, "sq_dropped"},
        RingDamage{"overflow", [](RingState& s) { s.cq_overflow = 3; }, "cq_overflow"},
        RingDamage{"overflow_held_back", [](RingState& s) { s.cq_overflow_flagged = true; },
                   "cq_overflow"},
        RingDamage{"unsubmitted", [](RingState& s) { s.sq_pending = 1; }, "outstanding"},
        RingDamage{"unread_completion", [](RingState& s) { s.cq_ready = 1; }, "outstanding"}),
    [](const auto& damage) { return damage.param.name; });

TEST(Checks, AFailedOrTimedOutCallFails) {
  CheckReport good;
  check_enters({.calls = 64}, good);
  EXPECT_TRUE(good.passed());
  CheckReport late;
  check_enters({.calls = 64, .extra_calls = 1, .timeouts = 1}, late);
  EXPECT_THAT(failed(late), testing::ElementsAre("timeout"));
  CheckReport broken;
  check_enters({.calls = 64, .extra_calls = 1, .error = EBADR}, broken);
  EXPECT_THAT(failed(broken), testing::ElementsAre("submit"));
  EXPECT_THAT(broken.summary(), testing::HasSubstr("EBADR"));
  CheckReport full;
  check_enters({.calls = 64, .extra_calls = 1, .overflows = 1}, full);
  EXPECT_THAT(failed(full), testing::ElementsAre("cq_overflow"));
}

}  // namespace
}  // namespace msgring::workload
