// SPDX-License-Identifier: MIT
// Any bytes are a table of points, or one Error; what can be read can be compared or refused, and
// reported in every format. A mail that is written passes the linter.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "msgring/comparison/comparison.hpp"
#include "msgring/error.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/report/kcidb.hpp"
#include "msgring/report/mail.hpp"
#include "msgring/report/plot.hpp"
#include "msgring/report/report.hpp"

// libFuzzer's entry; the name is its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    auto points = msgring::point::parse_tsv(text, "fuzz.tsv");
    for (msgring::point::Point& point : points) {
      point.sha256 = std::string(64, '0');  // set by who reads the file
    }
    msgring::comparison::Plan plan;
    plan.roles = msgring::comparison::default_roles(points);
    plan.settings.resamples = 20;
    const auto comparison = msgring::comparison::compare_points(points, plan);
    msgring::report::text_report(comparison, msgring::report::Colour::kNever);
    msgring::report::html_report(comparison);
    msgring::report::markdown_report(comparison);
    msgring::report::json_report(comparison);
    msgring::report::kcidb_report(comparison, {});
    msgring::report::plot_script(comparison, msgring::report::PlotFormat::kText);
    const std::string mail = msgring::report::regzbot_mail(comparison, {});
    if (!msgring::report::lint_mail(mail, msgring::report::RegzbotBlock::kOptional).empty()) {
      __builtin_trap();
    }
  } catch (const msgring::Error&) {
    return 0;
  }
  return 0;
}
