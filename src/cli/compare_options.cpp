// SPDX-License-Identifier: MIT
// The options of `msgring compare`.
#include "cli/compare_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <map>

#include "msgring/error.hpp"

namespace msgring::cli {
namespace {

const std::map<std::string, Format>& formats() {
  static const std::map<std::string, Format> kFormats = {
      {"text", Format::kText},       {"json", Format::kJson}, {"markdown", Format::kMarkdown},
      {"regzbot", Format::kRegzbot}, {"eml", Format::kEml},   {"html", Format::kHtml},
      {"kcidb", Format::kKcidb}};
  return kFormats;
}

void bind_plan(CLI::App& command, CompareOptions& options) {
  command.add_option("points", options.files, "Point files, or one table of the reporter's rounds")
      ->required();
  command.add_option("--order", options.order,
                     "Sides of the points, a letter each: ABA, ABBA, ... (repeated if it fits)");
  command.add_option("--roles", options.roles, "The same with names: U,P,C,C,P,U")
      ->delimiter(',')
      ->excludes("--order");
  command.add_option("--against", options.plan.against,
                     "The baseline's role (default: the first point's)");
  command.add_option(
      "--primary", options.plan.primary,
      "The comparison that decides: WORKLOAD or WORKLOAD/PHASE (default: the first)");
  command.add_option("--threshold", options.threshold,
                     "Percent within which a difference is none (default: 1)");
  command.add_flag("--a-a", options.plan.a_a,
                   "All points are one kernel: nothing may be found, or the set-up is not sound");
  command.add_flag("--same-boot", options.plan.same_boot,
                   "Try things out with points of one boot: never evidence");
  command
      .add_option("--allow", options.plan.allowed,
                  "Context keys that may differ although they should not: cpu.governor,...")
      ->delimiter(',');
  command.add_option("--seed", options.plan.settings.seed, "Of the bootstrap")
      ->capture_default_str();
  command.add_option("--resamples", options.plan.settings.resamples, "Of the bootstrap")
      ->check(CLI::Range(100, 1'000'000))
      ->capture_default_str();
}

void bind_output(CLI::App& command, CompareOptions& options) {
  command
      .add_option("--format", options.format,
                  "text, json, markdown, regzbot (mail), eml, html, kcidb (default: text)")
      ->transform(CLI::CheckedTransformer(formats()).description(""))
      ->option_text("FORMAT");
  command.add_option("--out", options.out, "Write the report to this new file");
  command
      .add_option("--plot", options.plots,
                  "Draw the rounds with gnuplot: FILE.svg, FILE.png or FILE.txt; may be repeated")
      ->expected(1)
      ->take_all();
  command.add_flag("--force", options.force, "Overwrite files");
  command.add_option("--colour,--color", options.colour, "auto, always, never (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  command
      .add_option("--fail-on", options.fail_on,
                  "Exit with 1 if any comparison has one of these verdicts: slower,faster,...")
      ->delimiter(',')
      ->check(CLI::IsMember({"slower", "faster", "unchanged", "inconclusive"}).description(""));
}

void bind_reports(CLI::App& command, CompareOptions& options) {
  command.add_option("--introduced", options.mail.introduced,
                     "regzbot: the commit, or the range good..bad, that brought the regression");
  command.add_option("--title", options.mail.title, "regzbot: subject and title");
  command.add_option("--impact", options.mail.impact, "regzbot: who is affected in practice");
  command.add_option("--from", options.mail.from, "regzbot: Name <address>");
  command.add_option("--kcidb-origin", options.kcidb.origin, "kcidb: the submitting system")
      ->capture_default_str();
  command
      .add_option("--kcidb-build", options.kcidb_builds,
                  "kcidb: a role's build that is submitted elsewhere, ROLE=ORIGIN:ID")
      ->expected(1)
      ->take_all();
}

double parse_percent(std::string text) {
  text.erase(text.find_last_not_of(" %") + 1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0.0 && value < 100.0)) {
    throw Error(ExitStatus::kUsage, fmt::format("--threshold {}: not a percentage", text),
                "give a number above 0 and below 100, such as 1 or 0.5%");
  }
  return value / 100.0;
}

}  // namespace

void bind_compare_options(CLI::App& command, CompareOptions& options) {
  bind_plan(command, options);
  bind_output(command, options);
  bind_reports(command, options);
}

comparison::Plan plan_for(const CompareOptions& options, const std::vector<point::Point>& points) {
  comparison::Plan plan = options.plan;
  plan.settings.threshold = parse_percent(options.threshold);
  if (!options.roles.empty()) {
    plan.roles = options.roles;
  } else if (!options.order.empty()) {
    plan.roles = comparison::roles_from_order(options.order, points.size());
  } else {
    plan.roles = comparison::default_roles(points);
  }
  return plan;
}

}  // namespace msgring::cli
