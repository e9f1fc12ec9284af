// SPDX-License-Identifier: MIT
// The search itself: ask, measure, decide, keep, until one candidate is left.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "msgring/bisect/folder.hpp"
#include "msgring/bisect/search.hpp"

namespace msgring::bisect {

/// How candidates are measured. Both work in a folder of their own, which may hold what an earlier
/// process left there when it was killed.
class Measurer {
 public:
  virtual ~Measurer() = default;
  /// The bad end against the good one.
  virtual Measured references(const std::filesystem::path& folder) = 0;
  /// A candidate against the good end. `references` are the figures of the bad one.
  virtual Measured candidate(const std::string& candidate, const std::filesystem::path& folder,
                             const Figures& references) = 0;
};

/// Told how a search goes on.
class FindObserver {
 public:
  virtual ~FindObserver() = default;
  virtual void on_begin(unsigned number, const std::string& label, std::size_t steps_left) = 0;
  virtual void on_answer(const Step& step) = 0;
};

/// Answers what the folder has no answer for yet: the references first, then what `search` asks
/// about. Throws what check_references and the measurer throw, and Error (kInterrupted) when
/// stopped: then the folder can be resumed.
Found find(BisectFolder& folder, Search& search, Measurer& measurer, FindObserver& observer,
           const std::stop_token& stop);

}  // namespace msgring::bisect
