// SPDX-License-Identifier: MIT
// Gnuplot's program for the rounds of a comparison.
#include <fmt/format.h>

#include <algorithm>

#include "msgring/error.hpp"
#include "msgring/report/plot.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

constexpr int kPanelPixels = 320;
constexpr int kWidthPixels = 900;

// A gnuplot string: in single quotes nothing but the quote itself is special.
std::string gnuplot_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? "''" : std::string(1, static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  return out + "'";
}

std::string terminal(PlotFormat format, std::size_t panels) {
  const int height = kPanelPixels * static_cast<int>(panels);
  switch (format) {
    case PlotFormat::kSvg:
      return fmt::format("set terminal svg size {},{} noenhanced background '#ffffff'\n",
                         kWidthPixels, height);
    case PlotFormat::kPng:
      return fmt::format("set terminal pngcairo size {},{} noenhanced\n", kWidthPixels, height);
    case PlotFormat::kText:
      break;
  }
  return "set terminal dumb noenhanced size 71,22 mono\n";
}

struct PlacedBoot {
  const stats::Boot* boot;
  double mean;
  double left;  ///< of its first round on the x axis
  bool is_baseline;
  std::string role;

  double right() const { return left + static_cast<double>(boot->rounds.size()) - 1.0; }
};

std::vector<PlacedBoot> place_boots(const Entry& entry) {
  std::vector<PlacedBoot> placed;
  double left = 0.0;
  const auto place = [&](const std::vector<stats::Boot>& boots, const stats::RoleSummary& summary,
                         bool is_baseline, const std::string& role) {
    for (std::size_t i = 0; i < boots.size(); ++i) {
      placed.push_back({&boots[i], summary.boots[i].all.mean, left, is_baseline, role});
      left = placed.back().right() + 3.0;
    }
  };
  place(entry.contrast.baseline, entry.result.baseline, true, entry.baseline_role);
  place(entry.contrast.changed, entry.result.changed, false, entry.changed_role);
  return placed;
}

std::string level_line(double left, double right, double y, std::string_view style) {
  return fmt::format("set arrow from {},{:.10g} to {},{:.10g} nohead {}\n", left - 0.7, y,
                     right + 0.7, y, style);
}

std::string levels(const Entry& entry, const std::vector<PlacedBoot>& boots) {
  const double mean = entry.result.baseline.mean;
  std::string script =
      level_line(boots.front().left, boots.back().right(), mean, "lc rgb '#0969da' dashtype 2");
  for (const PlacedBoot& boot : boots) {
    script += level_line(boot.left, boot.right(), boot.mean,
                         boot.is_baseline ? "lc rgb '#0969da' lw 2" : "lc rgb '#bc4c00' lw 2");
  }
  if (entry.is_finding) {
    const auto first = std::find_if(boots.begin(), boots.end(),
                                    [](const PlacedBoot& boot) { return !boot.is_baseline; });
    for (const double end : {entry.result.interval.low, entry.result.interval.high}) {
      script += level_line(first->left, boots.back().right(), mean * (1.0 + end),
                           "lc rgb '#bc4c00' dashtype 3");
    }
  }
  return script;
}

std::string data_blocks(const std::vector<PlacedBoot>& boots) {
  std::string script;
  for (const bool is_baseline : {true, false}) {
    script += is_baseline ? "$baseline << EOD\n" : "$changed << EOD\n";
    for (const PlacedBoot& boot : boots) {
      for (std::size_t i = 0; boot.is_baseline == is_baseline && i < boot.boot->rounds.size();
           ++i) {
        script +=
            fmt::format("{} {:.10g}\n", boot.left + static_cast<double>(i), boot.boot->rounds[i]);
      }
    }
    script += "EOD\n";
  }
  return script;
}

std::string panel(const Comparison& comparison, const Entry& entry) {
  const std::vector<PlacedBoot> boots = place_boots(entry);
  std::vector<std::string> tics;
  for (const PlacedBoot& boot : boots) {
    tics.push_back(fmt::format("{} {}",
                               gnuplot_string(fmt::format("{} {}", boot.role, boot.boot->label)),
                               (boot.left + boot.right()) / 2.0));
  }
  std::string script = "unset arrow\n" + data_blocks(boots) + levels(entry, boots);
  script +=
      fmt::format("set title {}\nset ylabel {}\nset xtics ({})\n", gnuplot_string(place_of(entry)),
                  gnuplot_string(unit_per(comparison, entry)), fmt::join(tics, ", "));
  script += fmt::format("set xrange [{}:{}]\n", -1.5, boots.back().right() + 1.5);
  script +=
      "plot $baseline using 1:2 with points pt BASE lc rgb '#0969da' notitle, "
      "$changed using 1:2 with points pt CHANGED lc rgb '#bc4c00' notitle\n";
  return script;
}

}  // namespace

PlotFormat plot_format_of(const std::filesystem::path& file) {
  const std::string end = file.extension().string();
  if (end == ".svg") {
    return PlotFormat::kSvg;
  }
  if (end == ".png") {
    return PlotFormat::kPng;
  }
  if (end == ".txt") {
    return PlotFormat::kText;
  }
  throw Error(ExitStatus::kUsage, fmt::format("--plot {}: unknown kind of plot", file.native()),
              "give a name that ends in .svg, .png or .txt");
}

std::string plot_script(const Comparison& comparison, PlotFormat format) {
  const std::size_t panels = comparison.entries.size();
  std::string script = terminal(format, panels);
  // The character terminal draws point types 1, 2, ... as letters A, B, ...: the default roles.
  script += format == PlotFormat::kText ? "BASE = 1\nCHANGED = 2\n" : "BASE = 7\nCHANGED = 5\n";
  script += "set offsets 0, 0, graph 0.08, graph 0.08\nset grid ytics\n";
  const bool stacked = format != PlotFormat::kText;
  script += stacked ? fmt::format("set pointsize 0.6\nset multiplot layout {},1\n", panels) : "";
  for (const Entry& entry : comparison.entries) {
    script += panel(comparison, entry);
  }
  return script + (stacked ? "unset multiplot\n" : "");
}

std::string draw(const Comparison& comparison, PlotFormat format,
                 const std::filesystem::path& gnuplot) {
  const std::string drawn = run_gnuplot(gnuplot, plot_script(comparison, format));
  if (format != PlotFormat::kText) {
    return drawn;
  }
  std::string text;
  std::size_t begin = 0;
  while (begin < drawn.size()) {
    const std::size_t end = std::min(drawn.find('\n', begin), drawn.size());
    const std::string line = drawn.substr(begin, end - begin);
    text += line.substr(0, line.find_last_not_of(" \r") + 1) + "\n";
    begin = end + 1;
  }
  return text;
}

}  // namespace msgring::report
