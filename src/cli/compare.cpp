// SPDX-License-Identifier: MIT
// Reads, compares, reports, and says by its exit status what came out.
#include "cli/compare.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/colour.hpp"
#include "cli/compare_options.hpp"
#include "cli/verdict_status.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/report/plot.hpp"
#include "msgring/report/report.hpp"

namespace msgring::cli {
namespace {

using comparison::Comparison;
using host::OutputFile;

// Files that were proved writable before the work began.
struct Outputs {
  std::optional<OutputFile> report;
  std::vector<OutputFile> plots;
};

// Evidence is not replaced by what was made from it, not even with --force.
void refuse_inputs_as_outputs(const CompareOptions& options) {
  std::vector<std::string> outputs = options.plots;
  outputs.push_back(options.out);
  for (const std::string& output : outputs) {
    for (const std::string& input : options.files) {
      std::error_code absent;
      if (std::filesystem::equivalent(output, input, absent)) {
        throw Error(ExitStatus::kUsage,
                    fmt::format("{} would overwrite the point {}", output, input),
                    "give another name to --out or --plot");
      }
    }
  }
}

Outputs open_outputs(const CompareOptions& options) {
  refuse_inputs_as_outputs(options);
  const auto overwrite = options.force ? host::Overwrite::kForce : host::Overwrite::kRefuse;
  Outputs outputs;
  for (const std::string& plot : options.plots) {
    report::plot_format_of(plot);
    outputs.plots.emplace_back(plot, overwrite, "--plot");
  }
  if (!options.out.empty()) {
    outputs.report.emplace(options.out, overwrite, "--out");
  }
  return outputs;
}

std::vector<point::Point> read_all(const std::vector<std::string>& files) {
  std::vector<point::Point> points;
  for (const std::string& file : files) {
    std::vector<point::Point> read = point::read_points(file);
    std::move(read.begin(), read.end(), std::back_inserter(points));
  }
  return points;
}

std::string linted_mail(const Comparison& comparison, const CompareOptions& options) {
  const report::MailOptions& mail_options = options.mail;
  std::string mail = report::regzbot_mail(comparison, mail_options);
  const bool as_eml =
      options.format == Format::kEml ||
      (options.out.size() > 4 && options.out.substr(options.out.size() - 4) == ".eml");
  if (as_eml) {
    mail = report::eml_of(mail);
  }
  const auto block = mail_options.introduced.empty() ? report::RegzbotBlock::kOptional
                                                     : report::RegzbotBlock::kRequired;
  const std::vector<std::string> faults = report::lint_mail(mail, block);
  if (!faults.empty()) {
    throw Error(ExitStatus::kUsage, "the mail fails its own linter: " + faults.front(),
                "shorten --title, --impact or --from, and keep them on one line");
  }
  if (mail_options.introduced.empty()) {
    fmt::print(stderr,
               "msgring: note: without --introduced the mail has no #regzbot block, and regzbot "
               "will not track it\n");
  } else if (const auto note = report::note_on_introduced(mail_options.introduced)) {
    fmt::print(stderr, "msgring: note: {}\n", *note);
  }
  return mail;
}

report::KcidbOptions kcidb_options(const CompareOptions& options) {
  report::KcidbOptions kcidb = options.kcidb;
  for (const std::string& build : options.kcidb_builds) {
    const std::size_t equals = build.find('=');
    if (equals == std::string::npos) {
      throw Error(ExitStatus::kUsage, fmt::format("--kcidb-build {}: no role", build),
                  "give ROLE=ORIGIN:ID");
    }
    kcidb.builds[build.substr(0, equals)] = build.substr(equals + 1);
  }
  return kcidb;
}

std::string render(const Comparison& comparison, const CompareOptions& options) {
  switch (options.format) {
    case Format::kText:
      return report::text_report(comparison, options.out.empty() ? colour_for_stdout(options.colour)
                                                                 : report::Colour::kNever);
    case Format::kJson:
      return report::json_report(comparison);
    case Format::kMarkdown:
      return report::markdown_report(comparison);
    case Format::kHtml:
      return report::html_report(comparison);
    case Format::kKcidb:
      return report::kcidb_report(comparison, kcidb_options(options));
    case Format::kRegzbot:
    case Format::kEml:
      break;
  }
  return linted_mail(comparison, options);
}

// A plot is an extra: without gnuplot the report is still made.
void draw_plots(const Comparison& comparison, std::vector<OutputFile>& plots) {
  const auto gnuplot = plots.empty() ? std::nullopt : report::find_gnuplot();
  if (!gnuplot) {
    if (!plots.empty()) {
      fmt::print(stderr,
                 "msgring: note: no plot: gnuplot is not installed (package gnuplot-nox)\n");
    }
    return;
  }
  for (OutputFile& plot : plots) {
    plot.commit(report::draw(comparison, report::plot_format_of(plot.path()), *gnuplot));
  }
}

ExitStatus run(const CompareOptions& options) {
  Outputs outputs = open_outputs(options);
  const std::vector<point::Point> points = read_all(options.files);
  const Comparison comparison = comparison::compare_points(points, plan_for(options, points));
  const std::string text = render(comparison, options);
  draw_plots(comparison, outputs.plots);
  if (outputs.report) {
    outputs.report->commit(text);
  } else {
    fmt::print("{}", text);
  }
  return status_of(comparison, options.fail_on);
}

}  // namespace

void add_compare(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "From points to a verdict and a report");
  bind_compare_options(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace msgring::cli
