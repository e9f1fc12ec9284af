// SPDX-License-Identifier: MIT
// Every position of the first bad candidate, with and without holes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "msgring/bisect/search.hpp"
#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> candidates(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("c{}", i));
  }
  return names;
}

/// Answers until the search is over; returns how many answers it took.
std::size_t answer_all(ListSearch& search, std::size_t first_bad,
                       const std::set<std::string>& skipped) {
  std::size_t answers = 0;
  while (const auto candidate = search.next()) {
    const std::size_t index = std::stoul(candidate->substr(1));
    search.tell(*candidate, skipped.count(*candidate) != 0 ? Answer::kSkip
                            : index < first_bad            ? Answer::kGood
                                                           : Answer::kBad);
    ++answers;
  }
  return answers;
}

TEST(ListSearch, FindsEveryFirstBadCandidateInFewAnswers) {
  for (std::size_t first_bad = 1; first_bad < 33; ++first_bad) {
    ListSearch search(candidates(33));
    EXPECT_LE(answer_all(search, first_bad, {}), 5U);  // 31 between the ends: log2(32) = 5
    EXPECT_EQ(search.found().first_bad(), fmt::format("c{}", first_bad));
    EXPECT_EQ(search.found().last_good, fmt::format("c{}", first_bad - 1));
    EXPECT_TRUE(search.found().is_one());
  }
}

TEST(ListSearch, GoesAroundWhatIsSkipped) {
  ListSearch search(candidates(9));
  answer_all(search, 6, {"c4"});
  EXPECT_EQ(search.found().first_bad(), "c6");
  EXPECT_TRUE(search.found().is_one());
}

TEST(ListSearch, NamesAllSuspectsWhereSkipsHideTheStep) {
  ListSearch search(candidates(9));
  answer_all(search, 4, {"c4", "c5"});
  EXPECT_EQ(search.found().last_good, "c3");
  EXPECT_THAT(search.found().suspects, ElementsAre("c4", "c5", "c6"));
}

TEST(ListSearch, IsOverAtOnceBetweenNeighbours) {
  const ListSearch search(candidates(2));
  EXPECT_FALSE(search.next().has_value());
  EXPECT_EQ(search.found().first_bad(), "c1");
  EXPECT_EQ(search.steps_left(), 0U);
}

TEST(ListSearch, RefusesWhatItCannotSearch) {
  EXPECT_THROW(ListSearch({}), Error);
  EXPECT_THROW(ListSearch({"a"}), Error);
  EXPECT_THROW(ListSearch({"a", "b", "a"}), Error);
  ListSearch search(candidates(5));
  EXPECT_THROW(search.tell("c0", Answer::kGood), Error);
  EXPECT_THROW(search.tell("nobody", Answer::kGood), Error);
}

}  // namespace
}  // namespace msgring::bisect
