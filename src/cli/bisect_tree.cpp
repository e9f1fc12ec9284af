// SPDX-License-Identifier: MIT
// Commits as candidates: built in msgring's cache, searched in a repository of the bisect's own.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/bisect_subject.hpp"
#include "msgring/bisect/git_search.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

class Commits : public BisectSubject {
 public:
  explicit Commits(std::stop_token stop) : stop_(std::move(stop)), builder_(builder_setup()) {}

  bisect::Question question(const BisectOptions& options) override {
    bisect::Question question;
    question.tree = fs::absolute(options.tree).lexically_normal();
    question.good = bisect::commit_of(question.tree, options.good, stop_);
    question.bad = bisect::commit_of(question.tree, options.bad, stop_);
    question.asked = fmt::format("{}..{}", options.good, options.bad);
    question.config = options.config.empty() ? "" : fs::absolute(options.config).native();
    // Refuses ends that cannot be searched between before anything is kept.
    const host::TemporaryFolder trial("msgring-bisect");
    const bisect::GitSearch search(question.tree, trial.path() / "repository.git", question.good,
                                   question.bad, stop_);
    return question;
  }

  std::unique_ptr<bisect::Search> search(const bisect::BisectFolder& folder) override {
    const bisect::Question& question = folder.question();
    return std::make_unique<bisect::GitSearch>(question.tree, folder.path() / "repository.git",
                                               question.good, question.bad, stop_);
  }

  boot::RolePlan kernel_of(const std::string& candidate,
                           const bisect::BisectFolder& folder) override {
    tree::BuildRequest request;
    request.tree = folder.question().tree;
    request.revision = candidate;
    request.config = folder.question().config;
    try {
      const tree::BuiltKernel built = builder_.build(request);
      boot::RolePlan role;
      role.kernel = built.kernel.image;
      role.facts = tree::identity_facts(built.identity);
      return role;
    } catch (const tree::BuildFailure& failure) {
      keep_log(folder.path() / "build-logs", candidate, failure.log());
      throw bisect::NoKernel("does not build: " + failure.first_error());
    } catch (const Error& error) {
      if (error.status() != ExitStatus::kUsage) {
        throw;
      }
      // This revision is no kernel that could be measured: its configuration loses an option, ...
      throw bisect::NoKernel(fmt::format("cannot be built: {}", error.what()));
    }
  }

  std::string introduced(const bisect::Found& found) override { return short_id(found); }

  std::string note_on_introduced(const bisect::Found& found) override {
    return fmt::format(
        "#regzbot introduced: {} is this tree's id of the commit; see to it that "
        "mainline's is the same.",
        short_id(found));
  }

  void keep_search(const bisect::Search& search, const bisect::BisectFolder& folder) override {
    const fs::path file = folder.path() / "bisect.log";
    const auto* git = dynamic_cast<const bisect::GitSearch*>(&search);
    std::error_code ignored;
    if (git != nullptr && !fs::exists(file, ignored)) {
      host::write_new_file(file, git->log());
    }
  }

 private:
  tree::BuilderSetup builder_setup() const {
    tree::BuilderSetup setup;
    setup.progress = [](std::string_view line) {
      fmt::print(stderr, "msgring bisect: {}\n", line);
    };
    setup.stop = stop_;
    return setup;
  }

  static std::string short_id(const bisect::Found& found) {
    return found.first_bad().substr(0, 12);
  }

  /// The builder's own log may be gone one day; the bisect's evidence stays.
  static void keep_log(const fs::path& folder, const std::string& commit, const fs::path& log) {
    const fs::path file = folder / (commit.substr(0, 12) + ".log");
    std::error_code ignored;
    if (!fs::exists(file, ignored) && fs::is_regular_file(log, ignored)) {
      fs::create_directories(folder);
      host::write_new_file(file, host::read_file(log));
    }
  }

  std::stop_token stop_;
  tree::KernelBuilder builder_;
};

}  // namespace

std::unique_ptr<BisectSubject> tree_subject(std::stop_token stop) {
  return std::make_unique<Commits>(std::move(stop));
}

}  // namespace msgring::cli
