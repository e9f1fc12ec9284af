// SPDX-License-Identifier: MIT
// A unit's text, its file and its link.
#include "msgring/boot/resume_unit.hpp"

#include <fmt/format.h>

#include "msgring/host/output_file.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

/// In quotes, for a setting that takes several words. `$` means something in commands only.
enum class Dollar { kPlain, kDoubled };

std::string unit_word(std::string_view text, Dollar dollar) {
  std::string word = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      word += '\\';
    }
    word += letter;
    if (letter == '%' || (letter == '$' && dollar == Dollar::kDoubled)) {
      word += letter;
    }
  }
  return word + '"';
}

std::string escaped_percent(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    result += letter;
    result += letter == '%' ? "%" : "";
  }
  return result;
}

}  // namespace

std::string resume_unit_text(const ResumeUnit& unit) {
  std::string command;
  for (const std::string& word : unit.command) {
    command += (command.empty() ? "" : " ") + unit_word(word, Dollar::kDoubled);
  }
  std::string mounts;
  for (const fs::path& path : unit.mounts) {
    mounts += (mounts.empty() ? "" : " ") + unit_word(path.native(), Dollar::kPlain);
  }
  const std::string environment =
      unit.library_path.empty()
          ? ""
          : fmt::format("Environment={}\n",
                        unit_word("LD_LIBRARY_PATH=" + unit.library_path, Dollar::kPlain));
  return fmt::format(
      "# Made by msgring aba --driver local; it goes away with the run. msgring abort removes it.\n"
      "[Unit]\n"
      "Description=msgring goes on with its run\n"
      "ConditionPathExists={}\n"
      "After=multi-user.target\n"
      "RequiresMountsFor={}\n"
      "\n"
      "[Service]\n"
      "Type=simple\n"
      "{}"
      "ExecStart={}\n"
      "TimeoutStartSec=infinity\n"
      "KillMode=mixed\n"
      "Restart=on-failure\n"
      "RestartSec=10\n"
      "RestartPreventExitStatus=1 2 3 4 130\n"
      "StandardOutput=journal+console\n"
      "StandardError=journal+console\n"
      "\n"
      "[Install]\n"
      "WantedBy=multi-user.target\n",
      escaped_percent(unit.state_file.native()), mounts, environment, command);
}

void ResumeUnitFile::install(std::string_view text) const {
  fs::create_directories(link().parent_path());
  host::OutputFile(path(), host::Overwrite::kForce, "unit", text.size()).commit(text);
  std::error_code ignored;
  fs::remove(link(), ignored);
  fs::create_symlink(fs::path("..") / kResumeUnit, link());
  host::sync_folder(link().parent_path());
  host::sync_folder(folder_);
}

void ResumeUnitFile::remove() const {
  const bool linked = fs::remove(link());
  const bool written = fs::remove(path());
  if (linked) {
    host::sync_folder(link().parent_path());
  }
  if (written) {
    host::sync_folder(folder_);
  }
}

bool ResumeUnitFile::is_installed() const {
  std::error_code ignored;
  return fs::is_regular_file(path(), ignored) && fs::exists(link(), ignored);
}

}  // namespace msgring::boot
