// SPDX-License-Identifier: MIT
// What a bisect is about: packaged releases, or commits of a kernel tree.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "cli/bisect_options.hpp"
#include "msgring/bisect/folder.hpp"
#include "msgring/bisect/kernel_measurer.hpp"
#include "msgring/bisect/search.hpp"

namespace msgring::cli {

class BisectSubject {
 public:
  virtual ~BisectSubject() = default;
  /// Fills in what is asked: the ends and, of a list, the candidates. Throws Error (kUsage).
  virtual bisect::Question question(const BisectOptions& options) = 0;
  /// A fresh search for a stored question; what it needs on disk lies in `folder`.
  virtual std::unique_ptr<bisect::Search> search(const bisect::BisectFolder& folder) = 0;
  /// A candidate as a side of a plan. Throws as bisect::KernelSource does.
  virtual boot::RolePlan kernel_of(const std::string& candidate,
                                   const bisect::BisectFolder& folder) = 0;
  /// What the mail's `#regzbot introduced:` may say of what was found; empty: nothing.
  virtual std::string introduced(const bisect::Found& found) = 0;
  /// Why it says nothing, or what to see to before it is sent: a line.
  virtual std::string note_on_introduced(const bisect::Found& found) = 0;
  /// Keeps what only the search itself knows, once it is over.
  virtual void keep_search(const bisect::Search& search, const bisect::BisectFolder& folder) = 0;
};

/// Packaged kernels, from `cache` and where that is asked for from the package mirror.
std::unique_ptr<BisectSubject> release_subject(const boot::KernelCache& cache, bool fetch,
                                               std::stop_token stop);

/// Commits of a kernel tree, each built as it is asked about.
std::unique_ptr<BisectSubject> tree_subject(std::stop_token stop);

}  // namespace msgring::cli
