// SPDX-License-Identifier: MIT
// Gnuplot draws what it is given, in every format; names cannot become commands.
#include "msgring/report/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "comparison/sample_points.hpp"
#include "msgring/error.hpp"
#include "report/sample_comparisons.hpp"

namespace msgring::report {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(PlotFormatOf, FollowsTheName) {
  EXPECT_EQ(plot_format_of("a.svg"), PlotFormat::kSvg);
  EXPECT_EQ(plot_format_of("a.b/c.png"), PlotFormat::kPng);
  EXPECT_EQ(plot_format_of("x.txt"), PlotFormat::kText);
  EXPECT_THROW(plot_format_of("x.pdf"), Error);
}

TEST(PlotScript, QuotesNamesFromFiles) {
  auto points = testing_points::sandwich(0.1);
  points[0].label = "'; system 'x";
  comparison::Plan plan;
  plan.roles = {"A", "B", "A"};
  const std::string script =
      plot_script(comparison::compare_points(points, plan), PlotFormat::kSvg);
  EXPECT_THAT(script, HasSubstr("'A ''; system ''x'"));
}

TEST(Gnuplot, DrawsEveryFormat) {
  const auto gnuplot = find_gnuplot();
  if (!gnuplot) {
    GTEST_SKIP() << "gnuplot is not installed (package gnuplot-nox)";
  }
  const comparison::Comparison comparison = testing_reports::public_evidence();
  const std::string svg = draw(comparison, PlotFormat::kSvg, *gnuplot);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("A parent-a"));
  EXPECT_THAT(svg, HasSubstr("ns per install"));
  EXPECT_THAT(draw(comparison, PlotFormat::kPng, *gnuplot), StartsWith("\x89PNG"));
  const std::string text = draw(comparison, PlotFormat::kText, *gnuplot);
  EXPECT_THAT(text, HasSubstr("BBB"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 72U) << line;
    EXPECT_FALSE(!line.empty() && line.back() == ' ') << line;
  }
}

TEST(Gnuplot, AFailureIsOneLine) {
  const auto gnuplot = find_gnuplot();
  if (!gnuplot) {
    GTEST_SKIP() << "gnuplot is not installed (package gnuplot-nox)";
  }
  try {
    run_gnuplot(*gnuplot, "set terminal nonsense\n");
    FAIL() << "drew with a terminal that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kEnvironment);
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
  }
}

}  // namespace
}  // namespace msgring::report
