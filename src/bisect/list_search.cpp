// SPDX-License-Identifier: MIT
// Binary search with holes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "msgring/bisect/search.hpp"
#include "msgring/error.hpp"

namespace msgring::bisect {

ListSearch::ListSearch(std::vector<std::string> candidates) : candidates_(std::move(candidates)) {
  if (candidates_.size() < 2) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{} in the range: a search needs a good end and a bad end",
                            candidates_.empty() ? "nothing" : "only " + candidates_.front()),
                "widen the range");
  }
  const std::set<std::string> distinct(candidates_.begin(), candidates_.end());
  if (distinct.size() != candidates_.size()) {
    throw Error(ExitStatus::kUsage, "a candidate is in the list twice", "give each once");
  }
  bad_ = candidates_.size() - 1;
}

std::optional<std::string> ListSearch::next() const {
  const std::size_t middle = good_ + (bad_ - good_) / 2;
  std::optional<std::size_t> nearest;
  const auto distance = [middle](std::size_t i) { return i > middle ? i - middle : middle - i; };
  for (std::size_t i = good_ + 1; i < bad_; ++i) {
    const bool is_open = answers_.count(candidates_[i]) == 0;
    if (is_open && (!nearest || distance(i) < distance(*nearest))) {
      nearest = i;
    }
  }
  return nearest ? std::optional<std::string>(candidates_[*nearest]) : std::nullopt;
}

void ListSearch::tell(const std::string& candidate, Answer answer) {
  const auto place = std::find(candidates_.begin(), candidates_.end(), candidate);
  const auto index = static_cast<std::size_t>(place - candidates_.begin());
  if (index <= good_ || index >= bad_) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: is not between {} and {}", candidate,
                                                candidates_[good_], candidates_[bad_]));
  }
  answers_[candidate] = answer;
  if (answer == Answer::kGood) {
    good_ = index;
  } else if (answer == Answer::kBad) {
    bad_ = index;
  }
}

Found ListSearch::found() const {
  const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(good_);
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(bad_);
  return {*first, {first + 1, last + 1}};
}

std::size_t ListSearch::steps_left() const { return std::bit_width(bad_ - good_ - 1); }

}  // namespace msgring::bisect
