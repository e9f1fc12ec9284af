// SPDX-License-Identifier: MIT
// The folder of a bisect: the question, every answer, and everything that was measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "msgring/bisect/decision.hpp"
#include "msgring/boot/run_lock.hpp"

namespace msgring::bisect {

/// What was asked. It is written once, before anything is measured.
struct Question {
  std::string asked;  ///< "6.12..7.1", as the command line said it
  std::string tree;   ///< the git repository; empty: releases
  std::string good;   ///< ids of the ends
  std::string bad;
  std::vector<std::string> candidates;  ///< releases from good to bad; of a tree empty
  std::string config;                   ///< a tree's kernel configuration; empty: msgring's own
  double threshold = 0.05;              ///< a fraction
  std::string primary;                  ///< the comparison that decides; empty: the first
  std::string plan;                     ///< what each boot does: boot::plan_text of a step
  std::string bench_sha256;

  bool operator==(const Question&) const = default;
};

/// One answered candidate. Step 0 is the bad reference.
struct Step {
  unsigned number = 0;
  std::string candidate;
  std::string label;
  Measured measured;
  Decision decision;
};

/// The folder, held by one process at a time.
///
///     bisect.json           the question
///     answers/NN.json       one per step, written when the step is done
///     steps/NN-NAME/        what was measured in it: the folder of a run
///     final/                the run that proves the step that was found
///
/// Nothing is overwritten. What is answered is what is on disk: after a crash at any moment the
/// answers are told to a fresh search, which goes on from there.
class BisectFolder {
 public:
  /// Begins one. Throws Error (kUsage) when something is there.
  static BisectFolder begin(const std::filesystem::path& path, const Question& question);
  /// Goes on with one. Throws Error (kUsage) when there is none, Error (kInvalid) when it is
  /// damaged.
  static BisectFolder resume(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  const Question& question() const noexcept { return question_; }
  const std::vector<Step>& steps() const noexcept { return steps_; }
  std::filesystem::path step_folder(unsigned number, const std::string& name) const;
  std::filesystem::path final_folder() const { return path_ / "final"; }

  /// Steps are kept in order, each once.
  void keep(const Step& step);

 private:
  BisectFolder(std::filesystem::path path, boot::RunLock lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  boot::RunLock lock_;
  Question question_;
  std::vector<Step> steps_;
};

}  // namespace msgring::bisect
