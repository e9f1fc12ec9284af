// SPDX-License-Identifier: MIT
// Which candidate to ask about next, and what the answers amount to.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "msgring/bisect/decision.hpp"

namespace msgring::bisect {

/// Where a search ended. `suspects` are all that may be the first bad candidate, in order, and more
/// than one where candidates between had to be skipped.
struct Found {
  std::string last_good;
  std::vector<std::string> suspects;

  bool is_one() const { return suspects.size() == 1; }
  const std::string& first_bad() const { return suspects.back(); }
};

/// A search between a good end and a bad end, both known. Candidates are ids: a release, a commit.
class Search {
 public:
  virtual ~Search() = default;

  /// The next candidate to be asked about; nothing when the search is over. Stays the same until
  /// it is answered.
  virtual std::optional<std::string> next() const = 0;
  /// Throws Error (kUsage) for a candidate that is not between the ends.
  virtual void tell(const std::string& candidate, Answer answer) = 0;
  /// Valid when next() has nothing more.
  virtual Found found() const = 0;

  /// About how many further answers are needed.
  virtual std::size_t steps_left() const = 0;
  /// A candidate for a person: "0123456789ab mm: charge twice".
  virtual std::string label(const std::string& candidate) const { return candidate; }
  /// A candidate as part of a file name.
  virtual std::string name(const std::string& candidate) const { return candidate; }
};

/// A binary search over a list of which the first is good and the last is bad.
///
/// What is skipped costs nothing else: the candidate nearest to the middle is taken instead.
class ListSearch : public Search {
 public:
  /// Throws Error (kUsage) for fewer than two candidates or one given twice.
  explicit ListSearch(std::vector<std::string> candidates);

  std::optional<std::string> next() const override;
  void tell(const std::string& candidate, Answer answer) override;
  Found found() const override;
  std::size_t steps_left() const override;

 private:
  std::vector<std::string> candidates_;
  std::map<std::string, Answer> answers_;
  std::size_t good_ = 0;
  std::size_t bad_;
};

}  // namespace msgring::bisect
