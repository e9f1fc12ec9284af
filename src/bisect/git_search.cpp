// SPDX-License-Identifier: MIT
// git does the search, in a repository that has nothing but refs and its bisect's state.
#include "msgring/bisect/git_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <sstream>

#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::bisect {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kDeadline{10};
constexpr std::size_t kShortId = 12;
constexpr std::size_t kSubject = 50;
constexpr std::string_view kFirstBad = "# first bad commit: [";
constexpr std::string_view kPossible = "# possible first bad commit: [";

std::string trimmed(std::string text) {
  const std::size_t end = text.find_last_not_of(" \n");
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What git said, without "fatal: "; its errors first.
std::string complaint(const host::ProgramResult& result) {
  std::string line = first_line(result.errors.empty() ? result.output : result.errors);
  for (const std::string_view prefix : {"fatal: ", "error: "}) {
    if (line.rfind(prefix, 0) == 0) {
      line.erase(0, prefix.size());
    }
  }
  return line;
}

host::ProgramResult run_git(std::vector<std::string> arguments, const std::stop_token& stop) {
  arguments.insert(arguments.begin(), "git");
  try {
    return host::run_program(arguments, kDeadline, stop);
  } catch (const std::system_error&) {
    throw Error(ExitStatus::kEnvironment, "bisect: git is not installed",
                "on Debian or Ubuntu: apt-get install git");
  }
}

host::ProgramResult run_in_tree(const fs::path& tree, std::vector<std::string> arguments,
                                const std::stop_token& stop) {
  arguments.insert(arguments.begin(), {"-C", tree.native()});
  return run_git(std::move(arguments), stop);
}

/// A path below the repository's common folder: "objects", "shallow".
fs::path git_path(const fs::path& tree, const std::string& name, const std::stop_token& stop) {
  const host::ProgramResult result =
      run_in_tree(tree, {"rev-parse", "--path-format=absolute", "--git-path", name}, stop);
  if (!result.end.ok()) {
    throw Error(ExitStatus::kUsage, fmt::format("--tree {}: {}", tree.native(), complaint(result)),
                "name a git repository");
  }
  return trimmed(result.output);
}

/// A bare repository that has the tree's objects by reference.
void make_repository(const fs::path& tree, const fs::path& repository, const std::string& head,
                     const std::stop_token& stop) {
  // What a killed process left here is not evidence: the answers are, and they are told again.
  fs::remove_all(repository);
  const host::ProgramResult made =
      run_git({"init", "--quiet", "--bare", repository.native()}, stop);
  if (!made.end.ok()) {
    throw Error(ExitStatus::kEnvironment, fmt::format("git init: {}", complaint(made)));
  }
  fs::create_directories(repository / "objects" / "info");
  host::write_new_file(repository / "objects" / "info" / "alternates",
                       git_path(tree, "objects", stop).native() + "\n");
  if (const fs::path shallow = git_path(tree, "shallow", stop); fs::exists(shallow)) {
    fs::copy_file(shallow, repository / "shallow");
  }
  // `git bisect` wants a HEAD that is a commit.
  const host::ProgramResult headed =
      run_git({"--git-dir", repository.native(), "update-ref", "--no-deref", "HEAD", head}, stop);
  if (!headed.end.ok()) {
    throw Error(ExitStatus::kUsage, fmt::format("--tree {}: {}", tree.native(), complaint(headed)));
  }
}

}  // namespace

std::string commit_of(const fs::path& tree, const std::string& revision,
                      const std::stop_token& stop) {
  git_path(tree, "objects", stop);
  const host::ProgramResult result = run_in_tree(
      tree, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}, stop);
  if (!result.end.ok()) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--tree {}: has no commit {}", tree.native(), revision),
                "name a commit, a tag or a branch");
  }
  return trimmed(result.output);
}

GitSearch::GitSearch(const fs::path& tree, fs::path repository, std::string good,
                     const std::string& bad, std::stop_token stop)
    : repository_(std::move(repository)), last_good_(std::move(good)), stop_(std::move(stop)) {
  if (last_good_ == bad) {
    throw Error(ExitStatus::kUsage, fmt::format("good and bad are one commit, {}", name(bad)),
                "name two that differ");
  }
  make_repository(tree, repository_, bad, stop_);
  const std::string git_dir = "--git-dir=" + repository_.native();
  if (run_git({git_dir, "merge-base", "--is-ancestor", bad, last_good_}, stop_).end.ok()) {
    throw Error(ExitStatus::kUsage,
                fmt::format("bad ({}) is an ancestor of good ({})", label(bad), label(last_good_)),
                "good and bad are swapped");
  }
  bisect({"start", "--no-checkout", bad, last_good_});
}

std::string GitSearch::git(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "--git-dir=" + repository_.native());
  const std::string command = arguments[1];
  const host::ProgramResult result = run_git(std::move(arguments), stop_);
  if (!result.end.ok()) {
    throw Error(ExitStatus::kUsage, fmt::format("git {}: {}", command, complaint(result)));
  }
  return trimmed(result.output);
}

void GitSearch::bisect(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--git-dir=" + repository_.native(), "bisect"});
  const host::ProgramResult result = run_git(std::move(arguments), stop_);
  next_.reset();
  steps_left_ = 0;
  // Nothing is left to be asked: what was found stands in the log.
  if (!commits_in_log(kFirstBad).empty() || !commits_in_log(kPossible).empty()) {
    return;
  }
  if (!result.end.ok()) {
    throw Error(ExitStatus::kUsage, fmt::format("git bisect: {}", complaint(result)),
                "git bisect needs a good end that the bad one descends from");
  }
  next_ = git({"rev-parse", "--verify", "BISECT_HEAD"});
  static const std::regex roughly("roughly ([0-9]+) step");
  if (std::smatch match; std::regex_search(result.output, match, roughly)) {
    steps_left_ = std::stoul(match[1]);
  }
}

void GitSearch::tell(const std::string& candidate, Answer answer) {
  bisect({std::string(answer_text(answer)), candidate});
  if (answer == Answer::kGood) {
    last_good_ = candidate;
  }
}

std::vector<std::string> GitSearch::commits_in_log(std::string_view prefix) const {
  std::vector<std::string> commits;
  std::istringstream lines(log());
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(prefix, 0) == 0) {
      commits.push_back(line.substr(prefix.size(), line.find(']') - prefix.size()));
    }
  }
  return commits;
}

Found GitSearch::found() const {
  if (const auto first_bad = commits_in_log(kFirstBad); !first_bad.empty()) {
    // The step of a commit is the one from its (first) parent, asked about or not.
    return {git({"rev-parse", "--verify", first_bad.back() + "^"}), {first_bad.back()}};
  }
  // Newest first in the log, where the newest is the bad end itself.
  std::vector<std::string> suspects = commits_in_log(kPossible);
  std::reverse(suspects.begin(), suspects.end());
  return {last_good_, suspects};
}

std::string GitSearch::label(const std::string& candidate) const {
  const std::string subject = git({"log", "-1", "--format=%s", candidate});
  return fmt::format("{} {}", name(candidate),
                     subject.size() > kSubject ? subject.substr(0, kSubject - 3) + "..." : subject);
}

std::string GitSearch::name(const std::string& candidate) const {
  return candidate.substr(0, kShortId);
}

std::string GitSearch::log() const { return git({"bisect", "log"}) + "\n"; }

}  // namespace msgring::bisect
