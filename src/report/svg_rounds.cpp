// SPDX-License-Identifier: MIT
// Panels, dots, axis.
#include "report/svg_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "msgring/report/markup.hpp"

namespace msgring::report {
namespace {

constexpr double kWidth = 400.0;
constexpr double kHeight = 230.0;
constexpr double kLeft = 58.0;
constexpr double kRight = 6.0;
constexpr double kTop = 22.0;
constexpr double kBottom = 40.0;
constexpr double kPanelGap = 6.0;
constexpr double kCharacterWidth = 7.0;

struct Range {
  double low;
  double high;
};

// From costs to drawing units.
class VerticalAxis {
 public:
  explicit VerticalAxis(Range costs) : costs_(costs) {}

  double y(double cost) const {
    const double part = (cost - costs_.low) / (costs_.high - costs_.low);
    return kHeight - kBottom - part * (kHeight - kTop - kBottom);
  }

  /// Three to seven round numbers within the range.
  std::vector<double> ticks() const {
    const double raw = (costs_.high - costs_.low) / 4.0;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double digit = raw / power;
    const double step = power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
    std::vector<double> ticks;
    for (double k = std::ceil(costs_.low / step); k * step <= costs_.high; k += 1.0) {
      ticks.push_back(k * step);
    }
    return ticks;
  }

 private:
  Range costs_;
};

Range range_of(const Entry& entry) {
  Range range{entry.result.baseline.mean, entry.result.baseline.mean};
  for (const auto* role : {&entry.contrast.baseline, &entry.contrast.changed}) {
    for (const stats::Boot& boot : *role) {
      const auto [low, high] = std::minmax_element(boot.rounds.begin(), boot.rounds.end());
      range.low = std::min(range.low, *low);
      range.high = std::max(range.high, *high);
    }
  }
  // Equal rounds still need a range to stand in.
  const double pad = std::max((range.high - range.low) * 0.08, range.high * 1e-4);
  return {range.low - pad, range.high + pad};
}

std::string tick_text(double value) {
  return std::abs(value) >= 1e5 ? fmt::format("{:.4g}", value) : fmt::format("{:g}", value);
}

std::string axis_svg(const VerticalAxis& axis, const std::string& unit) {
  std::string svg =
      fmt::format(R"(<text x="2" y="12" class="unit">{}</text>)", markup_escaped(unit));
  for (const double tick : axis.ticks()) {
    svg += fmt::format(R"(<line class="grid" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)"
                       R"(<text x="{3}" y="{4:.1f}" text-anchor="end">{5}</text>)",
                       kLeft, kWidth - kRight, axis.y(tick), kLeft - 5, axis.y(tick) + 3.5,
                       tick_text(tick));
  }
  return svg;
}

struct Panel {
  double left;
  double width;
};

// As much of a boot's label as its panel can hold; the page's table has all of it.
std::string shortened(const std::string& label, double width) {
  const auto fits = static_cast<std::size_t>(std::max(1.0, width / kCharacterWidth));
  return label.size() <= fits ? label : label.substr(0, fits > 1 ? fits - 1 : 1) + "~";
}

std::string dots_svg(const stats::Boot& boot, const Panel& panel, const VerticalAxis& axis) {
  // A line of no length with round ends is a dot; one path holds a boot of any size.
  std::string path;
  const double step = panel.width / static_cast<double>(boot.rounds.size());
  for (std::size_t i = 0; i < boot.rounds.size(); ++i) {
    path += fmt::format("M{:.1f} {:.1f}h0", panel.left + step * (static_cast<double>(i) + 0.5),
                        axis.y(boot.rounds[i]));
  }
  return fmt::format(R"(<path class="dots" d="{}"/>)", path);
}

std::string panel_svg(const stats::Boot& boot, double mean, const std::string& role,
                      const Panel& panel, const VerticalAxis& axis) {
  const double middle = panel.left + panel.width / 2.0;
  return fmt::format(R"(<line class="mean" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>{})"
                     R"(<text class="role" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)"
                     R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)",
                     panel.left, panel.left + panel.width, axis.y(mean), axis.y(mean),
                     dots_svg(boot, panel, axis), middle, kHeight - kBottom + 15,
                     markup_escaped(shortened(role, panel.width)), middle, kHeight - kBottom + 31,
                     markup_escaped(shortened(boot.label, panel.width)));
}

std::string band_svg(const Entry& entry, const Panel& first, const VerticalAxis& axis) {
  const double mean = entry.result.baseline.mean;
  const double high = std::max(axis.y(mean * (1.0 + entry.result.interval.high)), kTop);
  const double low = std::min(axis.y(mean * (1.0 + entry.result.interval.low)), kHeight - kBottom);
  return fmt::format(R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                     first.left, high, kWidth - kRight - first.left, std::max(low - high, 1.0));
}

std::string role_svg(const std::vector<stats::Boot>& boots, const stats::RoleSummary& summary,
                     const std::string& role, Panel first, const VerticalAxis& axis) {
  std::string svg;
  for (std::size_t i = 0; i < boots.size(); ++i) {
    svg += panel_svg(boots[i], summary.boots[i].all.mean, role, first, axis);
    first.left += first.width + kPanelGap;
  }
  return svg;
}

}  // namespace

std::string svg_of_rounds(const Comparison& comparison, const Entry& entry) {
  const VerticalAxis axis(range_of(entry));
  const auto& baseline = entry.contrast.baseline;
  const auto& changed = entry.contrast.changed;
  const auto boots = static_cast<double>(baseline.size() + changed.size());
  const double width = (kWidth - kLeft - kRight - kPanelGap * (boots - 1.0)) / boots;
  const Panel first{kLeft, width};
  const Panel first_changed{kLeft + static_cast<double>(baseline.size()) * (width + kPanelGap),
                            width};
  const double baseline_y = axis.y(entry.result.baseline.mean);
  std::string svg = fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="Rounds of {}">)",
                                kWidth, kHeight, markup_escaped(place_of(entry)));
  svg += axis_svg(axis, unit_per(comparison, entry));
  svg += fmt::format(R"(<g class="changed">{}</g>)",
                     entry.is_finding ? band_svg(entry, first_changed, axis) : std::string());
  svg += fmt::format(R"(<line class="base" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)", kLeft,
                     kWidth - kRight, baseline_y);
  svg += fmt::format(R"(<g class="baseline">{}</g>)",
                     role_svg(baseline, entry.result.baseline, entry.baseline_role, first, axis));
  svg +=
      fmt::format(R"(<g class="changed">{}</g>)",
                  role_svg(changed, entry.result.changed, entry.changed_role, first_changed, axis));
  return svg + "</svg>";
}

}  // namespace msgring::report
