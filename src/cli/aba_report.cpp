// SPDX-License-Identifier: MIT
#include "cli/aba_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/colour.hpp"
#include "cli/verdict_status.hpp"
#include "msgring/comparison/comparison.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/report/mail.hpp"
#include "msgring/report/report.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

/// The kernel that was booted, by its image's digest, and its command line.
std::string booted(const point::Point& point) {
  const std::string kernel = point.context.get("boot.kernel", "");
  return fmt::format("{} {}", kernel.substr(kernel.rfind(' ') + 1),
                     point.context.get("kernel.cmdline", ""));
}

/// Is every role the same kernel with the same command line, so that nothing may be found? Two
/// names may well mean one kernel: "6.12" and "6.12.117".
bool is_a_a(const std::vector<point::Point>& points) {
  return std::all_of(points.begin(), points.end(), [&points](const point::Point& point) {
    return booted(point) == booted(points.front());
  });
}

comparison::Comparison compare(const fs::path& folder, const boot::RunResult& result,
                               const ReportOptions& options) {
  comparison::Plan how;
  std::vector<point::Point> points;
  for (const boot::MeasuredBoot& boot : result.boots) {
    points.push_back(point::read_points(boot.point_file).front());
    // Reports lie beside the points and travel with them.
    points.back().source = boot.point_file.lexically_relative(folder);
    how.roles.emplace_back(1, boot.boot.role);
  }
  how.against = std::string("A");
  how.primary = options.primary;
  how.a_a = is_a_a(points);
  how.settings.threshold = options.threshold;
  comparison::Comparison comparison = comparison::compare_points(points, how);
  comparison.caveats.insert(comparison.caveats.end(), result.dropped.begin(), result.dropped.end());
  if (result.lost_attempts > 0) {
    comparison.caveats.push_back(fmt::format(
        "{} tries of boots were lost; the folder lost/ says why", result.lost_attempts));
  }
  return comparison;
}

/// A report of an interrupted attempt to report is made anew: the run is not sealed yet.
void write(const fs::path& file, const std::string& text) {
  host::OutputFile(file, host::Overwrite::kForce, "report").commit(text);
}

}  // namespace

ExitStatus report_run(const boot::RunSetup& setup, const boot::Plan& plan,
                      const boot::RunResult& result, const ReportOptions& options,
                      const std::stop_token& stop) {
  const fs::path& folder = setup.folder;
  const comparison::Comparison comparison = compare(folder, result, options);
  const std::vector<report::Section> why = find_reasons(comparison, plan, setup, options.why, stop);
  write(folder / "report.txt", report::text_report(comparison, report::Colour::kNever, why));
  write(folder / "report.json", report::json_report(comparison));
  write(folder / "report.md", report::markdown_report(comparison, why));
  write(folder / "report.html", report::html_report(comparison, why));
  if (comparison.verdict == stats::Verdict::kSlower) {
    report::MailOptions mail;
    mail.introduced = options.introduced;
    mail.measured_by = "msgring aba --plan plan.toml   # of the run's folder";
    write(folder / "mail.txt", report::regzbot_mail(comparison, mail, why));
  }
  boot::seal_run(folder);
  fmt::print("{}", report::text_report(comparison, colour_for_stdout("auto"), why));
  fmt::print("folder   {}\n", folder.native());
  return status_of(comparison, options.fail_on);
}

}  // namespace msgring::cli
