// SPDX-License-Identifier: MIT
// `msgring show`: results first, then faults, then the facts by group.
#include "msgring/report/point_report.hpp"

#include <fmt/format.h>

#include "msgring/report/table.hpp"
#include "report/painter.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

constexpr std::size_t kWidth = 100;

Table phase_table(const point::Point& point, const std::vector<comparison::PhaseSummary>& phases) {
  const std::string unit(host::unit_text(point.unit));
  Table table({{"phase", Align::kLeft},
               {"one operation", Align::kLeft},
               {"n"},
               {"mean " + unit},
               {"median " + unit},
               {"min"},
               {"max"},
               {"CV %"},
               {"not valid"}});
  std::string title;
  for (const comparison::PhaseSummary& phase : phases) {
    if (phase.title != title) {
      title = phase.title;
      table.add_row({title});
    }
    table.add_row({"  " + phase.phase.name, phase.phase.noun, std::to_string(phase.cost.n),
                   cost(phase.cost.mean), cost(phase.cost.median), cost(phase.cost.min),
                   cost(phase.cost.max), percent(phase.cost.cv, Sign::kPlain),
                   std::to_string(phase.invalid)});
  }
  return table;
}

std::string facts_text(const point::Facts& facts, const Painter& painter) {
  std::string out;
  std::string group;
  for (const auto& [key, value] : facts.items()) {
    const std::size_t dot = key.find('.');
    const std::string own = dot == std::string::npos ? "benchmark" : key.substr(0, dot);
    if (own != group) {
      group = own;
      out += fmt::format("\n{}\n", painter.heading(group));
    }
    const std::string head =
        fmt::format("  {:<24} ", dot == std::string::npos ? key : key.substr(dot + 1));
    out += wrap(value, kWidth, head, std::string(head.size() + 2, ' '));
  }
  return out;
}

std::string faults_text(const std::vector<point::Fault>& faults, const Painter& painter) {
  if (faults.empty()) {
    return painter.good("no faults") + ": it may be compared\n";
  }
  std::string out =
      painter.bad(fmt::format("{} fault{}", faults.size(), faults.size() == 1 ? "" : "s")) +
      ": it must not be used as evidence\n";
  for (const point::Fault& fault : faults) {
    out += wrap(fmt::format("{}: {}", fault.place, fault.what), kWidth, "  ", "    ");
  }
  return out;
}

}  // namespace

std::string point_report(const point::Point& point,
                         const std::vector<comparison::PhaseSummary>& phases,
                         const std::vector<point::Fault>& faults, Colour colour) {
  const Painter painter(colour);
  std::string out;
  if (point.unit == host::Unit::kInstructions) {
    out += "Counts instructions of an emulated CPU, not time.\n";
  }
  out += fmt::format("{} ({}), SHA-256 {}\n\n", painter.heading(point.label), point.source,
                     point.sha256);
  out += phase_table(point, phases).render() + "\n";
  out += faults_text(faults, painter);
  out += facts_text(point.context, painter);
  return out;
}

}  // namespace msgring::report
