// SPDX-License-Identifier: MIT
// Files that are whole or absent, and a lock.
#include "msgring/bisect/folder.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "msgring/boot/run.hpp"
#include "msgring/error.hpp"
#include "msgring/host/whole_file.hpp"
#include "record.hpp"

namespace msgring::bisect {
namespace {

namespace fs = std::filesystem;

fs::path question_file(const fs::path& folder) { return folder / "bisect.json"; }

fs::path answer_file(const fs::path& folder, unsigned number) {
  return folder / "answers" / fmt::format("{:02}.json", number);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The run of a step that is answered is finished. Also for answers whose process was killed before
/// it could say so.
void seal_answered(const fs::path& folder, std::size_t answers) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "steps")) {
    const boot::RunFolder run(entry.path());
    const bool is_answered = std::strtoul(entry.path().filename().c_str(), nullptr, 10) < answers;
    if (is_answered && is_file(run.plan_file()) && !is_file(run.sums_file())) {
      boot::seal_run(entry.path());
    }
  }
}

}  // namespace

BisectFolder BisectFolder::begin(const fs::path& path, const Question& question) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_empty(path, error)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: is there already", path.native()),
                is_file(question_file(path))
                    ? "go on with this bisect: --resume --out " + path.native()
                    : "take another folder");
  }
  fs::create_directories(path);
  BisectFolder folder(path, boot::RunLock(path));
  fs::create_directories(path / "answers");
  fs::create_directories(path / "steps");
  // Last: a folder with a question is a bisect that can be resumed.
  host::write_new_file(question_file(path), question_json(question));
  folder.question_ = question;
  return folder;
}

BisectFolder BisectFolder::resume(const fs::path& path) {
  if (!is_file(question_file(path))) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: no bisect: it has no bisect.json", path.native()),
                "begin it without --resume");
  }
  BisectFolder folder(path, boot::RunLock(path));
  const fs::path question = question_file(path);
  folder.question_ = parse_question(host::read_file(question), question.native());
  for (unsigned number = 0; is_file(answer_file(path, number)); ++number) {
    const fs::path answer = answer_file(path, number);
    folder.steps_.push_back(parse_step(host::read_file(answer), answer.native()));
  }
  seal_answered(path, folder.steps_.size());
  return folder;
}

fs::path BisectFolder::step_folder(unsigned number, const std::string& name) const {
  return path_ / "steps" / fmt::format("{:02}-{}", number, name);
}

void BisectFolder::keep(const Step& step) {
  host::write_new_file(answer_file(path_, step.number), step_json(step));
  steps_.push_back(step);
  seal_answered(path_, steps_.size());
}

}  // namespace msgring::bisect
