// SPDX-License-Identifier: MIT
// Stops at the first fault.
#include "cli/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/check_folder.hpp"
#include "msgring/host/file.hpp"
#include "msgring/point/check.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/report/mail.hpp"

namespace msgring::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool mail = false;
};

void check_points(const std::string& file) {
  for (const point::Point& point : point::read_points(file)) {
    const std::vector<point::Fault> faults = point::check_point(point);
    if (!faults.empty()) {
      throw Error(
          ExitStatus::kInvalid, fmt::format("{}: {}", faults.front().place, faults.front().what),
          faults.size() > 1 ? fmt::format("`msgring show` lists all {} faults", faults.size())
                            : std::string());
    }
    fmt::print("{}: sound, {} rounds\n", file, point.rows.size());
  }
}

void check_mail(const std::string& file) {
  const host::TextFile mail = host::read_text_file(file);
  if (mail.state != host::FileState::kRead) {
    throw_system_error(mail.error, "open", file);
  }
  const std::vector<std::string> faults =
      report::lint_mail(mail.text, report::RegzbotBlock::kRequired);
  if (!faults.empty()) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: {}", file, faults.front()));
  }
  fmt::print("{}: fit to be sent\n", file);
}

}  // namespace

void add_check(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Schema, checks and identity of points; exit 3 on a fault");
  command->add_option("files", options->files, "Point files, folders of runs, or mails with --mail")
      ->required();
  command->add_flag("--mail", options->mail, "Lint mails made with --format regzbot or eml");
  command->callback([options, &status] {
    for (const std::string& file : options->files) {
      if (options->mail) {
        check_mail(file);
      } else if (std::filesystem::is_directory(file)) {
        check_folder(file);
      } else {
        check_points(file);
      }
    }
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
