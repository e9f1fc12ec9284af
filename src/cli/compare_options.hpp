// SPDX-License-Identifier: MIT
// What `msgring compare` is asked for.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "msgring/comparison/comparison.hpp"
#include "msgring/report/kcidb.hpp"
#include "msgring/report/mail.hpp"

namespace msgring::cli {

enum class Format { kText, kJson, kMarkdown, kRegzbot, kEml, kHtml, kKcidb };

struct CompareOptions {
  std::vector<std::string> files;
  std::string order;
  std::vector<std::string> roles;
  comparison::Plan plan;  ///< roles are filled in when the points are known
  std::string threshold = "1";
  Format format = Format::kText;
  std::string out;
  std::vector<std::string> plots;
  bool force = false;
  std::string colour = "auto";
  std::vector<std::string> fail_on;
  report::MailOptions mail;
  report::KcidbOptions kcidb;
  std::vector<std::string> kcidb_builds;
};

/// Binds every option of the subcommand to `options`, which must outlive the parsing.
void bind_compare_options(CLI::App& command, CompareOptions& options);

/// The comparison's plan for `points`: roles from --roles, --order or the points themselves, and
/// the threshold as a fraction. Throws Error (kUsage).
comparison::Plan plan_for(const CompareOptions& options, const std::vector<point::Point>& points);

}  // namespace msgring::cli
