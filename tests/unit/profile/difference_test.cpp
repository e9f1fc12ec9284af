// SPDX-License-Identifier: MIT
#include "msgring/profile/difference.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "sample.hpp"

namespace msgring::profile {
namespace {

using testing::HasSubstr;

Profile baseline() {
  return sample_profile("6.12", 10,
                        {{"fill", 0, 0},
                         {"[user space]", 0, 20},
                         {"io_issue_sqe", 0, 300},
                         {"io_msg_ring", 2, 400},
                         {"kfree", 3, 50}});
}

// io_msg_ring is called through a function that the other compiler inlined, and allocates.
Profile child() {
  return sample_profile("7.1", 10,
                        {{"fill", 0, 0},
                         {"[user space]", 0, 20},
                         {"io_issue_sqe", 0, 280},
                         {"__io_issue_sqe", 2, 30},
                         {"io_msg_ring", 3, 410},
                         {"__kmalloc_noprof", 4, 160}});
}

const FunctionRow& row(const Difference& difference, const std::string& name) {
  for (const FunctionRow& found : difference.functions) {
    if (found.name == name) {
      return found;
    }
  }
  throw std::runtime_error("no row " + name);
}

TEST(Difference, RowsAreSortedByTheSizeOfTheirChange) {
  const Difference difference = subtract(baseline(), child(), Names::kAsTheyAre).front();
  std::vector<std::string> names;
  for (const FunctionRow& found : difference.functions) {
    names.push_back(found.name);
  }
  // +160, -50, +30, -20, +10, 0
  EXPECT_THAT(names, testing::ElementsAre("__kmalloc_noprof", "kfree", "__io_issue_sqe",
                                          "io_issue_sqe", "io_msg_ring", "[user space]"));
  EXPECT_EQ(row(difference, "__kmalloc_noprof").sides, Sides::kOnlyB);
  EXPECT_EQ(row(difference, "kfree").sides, Sides::kOnlyA);
  EXPECT_EQ(row(difference, "io_msg_ring").sides, Sides::kBoth);
  EXPECT_EQ(difference.user, (Pair{20, 20}));
  EXPECT_EQ(difference.total, (Pair{770, 900}));
  EXPECT_EQ(difference.divisor, 10);
}

TEST(Difference, InclusiveCostsCountEverythingBelowOnce) {
  const Profile recursive =
      sample_profile("x", 1, {{"fill", 0, 0}, {"walk", 0, 5}, {"step", 1, 7}, {"walk", 2, 11}});
  const Difference difference = subtract(recursive, child(), Names::kAsTheyAre).front();
  EXPECT_EQ(row(difference, "walk").self.a, 16 * 10);       // 5 + 11, times B's operations
  EXPECT_EQ(row(difference, "walk").inclusive.a, 23 * 10);  // 5 + 7 + 11, not 34
  EXPECT_EQ(row(difference, "io_msg_ring").inclusive.b, 570);
}

TEST(Difference, AnInlinedFunctionDoesNotTearTheTreeApart) {
  const Difference difference = subtract(baseline(), child(), Names::kAsTheyAre).front();
  for (const DifferenceNode& node : difference.nodes) {
    if (node.name == "io_msg_ring") {
      EXPECT_EQ(node.inclusive, (Pair{450, 570}));
      EXPECT_EQ(difference.nodes[node.parent].name, "io_issue_sqe");
    }
    if (node.name == "__io_issue_sqe") {
      EXPECT_EQ(node.inclusive, (Pair{0, 30}));  // its own alone
    }
  }
}

TEST(Difference, DifferentNumbersOfOperationsHaveOneDivisor) {
  Profile twice = child();
  twice.phases[0].operations = 20;
  const Difference difference = subtract(baseline(), twice, Names::kAsTheyAre).front();
  EXPECT_EQ(difference.divisor, 200);
  // 770 / 10 and 900 / 20 per install.
  EXPECT_EQ(difference.total, (Pair{770 * 20, 900 * 10}));
}

// Random trees with shared and one-sided names: nothing may be lost or counted twice.
TEST(Difference, RowsAndNodesSumToTheTotalsExactly) {
  std::mt19937 random(7);
  const auto tree = [&](std::uint64_t operations) {
    std::vector<SampleNode> nodes{{"fill", 0, 0}};
    for (std::uint32_t i = 1; i < 200; ++i) {
      const std::string name = "f" + std::to_string(random() % 40) + (random() % 2 ? ".cold" : "");
      nodes.push_back({name, static_cast<std::uint32_t>(random() % i), random() % 100000});
    }
    return sample_profile("x", operations, nodes);
  };
  for (int i = 0; i < 50; ++i) {
    const Profile a = tree(61440);
    const Profile b = tree(i % 2 == 0 ? 61440 : 4096);
    const Names names = i % 3 == 0 ? Names::kGrouped : Names::kAsTheyAre;
    const Difference difference = subtract(a, b, names).front();
    Pair rows;
    Pair nodes;
    for (const FunctionRow& found : difference.functions) {
      rows += found.self;
    }
    for (const DifferenceNode& node : difference.nodes) {
      nodes += node.self;
    }
    const std::int64_t of_a = static_cast<std::int64_t>(a.phases[0].instructions());
    const std::int64_t of_b = static_cast<std::int64_t>(b.phases[0].instructions());
    EXPECT_EQ(rows, difference.total);
    EXPECT_EQ(nodes, difference.total);
    EXPECT_EQ(difference.nodes[0].inclusive, difference.total);
    // The total divided by the divisor is the profile's count by its operations, exactly.
    EXPECT_EQ(difference.total.a * 61440, of_a * difference.divisor);
    EXPECT_EQ(difference.total.b * static_cast<std::int64_t>(b.phases[0].operations),
              of_b * difference.divisor);
  }
}

TEST(Difference, OfAProfileWithItselfIsZeroEverywhere) {
  const Difference difference = subtract(child(), child(), Names::kAsTheyAre).front();
  for (const FunctionRow& found : difference.functions) {
    EXPECT_EQ(found.self.change(), 0);
    EXPECT_EQ(found.inclusive.change(), 0);
  }
}

TEST(Difference, GroupsTheFormsOfOneFunction) {
  const std::vector<std::string> known{"__kmalloc", "kfree", "kmalloc_trace"};
  EXPECT_EQ(grouped_name("io_read.constprop.0", known), "io_read");
  EXPECT_EQ(grouped_name("io_read.isra.0.cold", known), "io_read");
  EXPECT_EQ(grouped_name("io_read.part.3", known), "io_read");
  EXPECT_EQ(grouped_name("__kmalloc_noprof", known), "__kmalloc");
  EXPECT_EQ(grouped_name("__kmalloc_trace_noprof", known), "kmalloc_trace");
  EXPECT_EQ(grouped_name("__fput", known), "__fput");  // not fput: another function
  const Profile old = sample_profile("6.1", 1, {{"fill", 0, 0}, {"__kmalloc", 0, 90}});
  const Profile now = sample_profile(
      "7.1", 1, {{"fill", 0, 0}, {"__kmalloc_noprof", 0, 100}, {"__kmalloc_noprof.cold", 1, 3}});
  const Difference grouped = subtract(old, now, Names::kGrouped).front();
  EXPECT_EQ(row(grouped, "__kmalloc").self, (Pair{90, 103}));
  EXPECT_EQ(row(grouped, "__kmalloc").sides, Sides::kBoth);
  EXPECT_EQ(subtract(old, now, Names::kAsTheyAre).front().functions.size(), 3U);
}

TEST(Difference, OfTwoWorkloadsIsRefused) {
  Profile other = child();
  other.subject.parameters = "slots:8/batch:2";
  EXPECT_THAT(error_line([&] { subtract(baseline(), other, Names::kAsTheyAre); }),
              HasSubstr("A is first_fill slots:4/batch:2, B is first_fill slots:8/batch:2"));
  other = child();
  other.phases[0].name = "remove";
  EXPECT_THAT(error_line([&] { subtract(baseline(), other, Names::kAsTheyAre); }),
              HasSubstr("share no phase"));
}

TEST(Difference, CountsThatDoNotFitAreRefused) {
  Profile huge = child();
  huge.phases[0].nodes[1].self = std::uint64_t{1} << 62U;
  huge.phases[0].operations = 3;
  EXPECT_THAT(error_line([&] { subtract(baseline(), huge, Names::kAsTheyAre); }),
              HasSubstr("does not fit 63 bits"));
}

}  // namespace
}  // namespace msgring::profile
