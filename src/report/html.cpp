// SPDX-License-Identifier: MIT
// The report as one HTML file.
#include <fmt/format.h>

#include <sstream>

#include "msgring/report/markup.hpp"
#include "msgring/report/report.hpp"
#include "report/html_style.hpp"
#include "report/result_table.hpp"
#include "report/svg_rounds.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

// Escaped, and a number stays on the line of its percent sign.
std::string prose(std::string_view text) {
  std::string html = markup_escaped(text);
  for (std::size_t at = html.find(" %"); at != std::string::npos; at = html.find(" %", at)) {
    html.replace(at, 1, "&#160;");
  }
  return html;
}

std::string element(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>", tag, prose(text));
}

std::string section(std::string_view title, const std::string& body) {
  return body.empty() ? std::string()
                      : fmt::format("<section>{}{}</section>\n", element("h2", title), body);
}

std::string list(const std::vector<std::string>& lines) {
  std::string items;
  for (const std::string& line : lines) {
    items += element("li", line);
  }
  return items.empty() ? std::string() : fmt::format("<ul>{}</ul>", items);
}

// A table whose cells know their column, so that a narrow page can show a row as a card. A title
// stands above the rows that follow it.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_title(std::string_view title) {
    body_ += fmt::format("<tr class=\"title\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                         columns_.size(), markup_escaped(title));
  }

  void add_row(const std::vector<std::string>& cells) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      body_ += fmt::format("<td{} data-label=\"{}\">{}</td>", class_of(i, cells[i]),
                           markup_escaped(columns_[i].header), prose(cells[i]));
    }
    body_ += "</tr>\n";
  }

  std::string html() const {
    std::string head;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      head += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(i, {}),
                          markup_escaped(columns_[i].header));
    }
    return fmt::format(
        "<div class=\"wide\"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>",
        head, body_);
  }

 private:
  std::string class_of(std::size_t column, std::string_view cell) const {
    if (columns_[column].align == Align::kRight) {
      return " class=\"n\"";
    }
    return cell == gate_state_text(stats::GateState::kFailed) ? " class=\"failed\"" : "";
  }

  std::vector<Column> columns_;
  std::string body_;
};

std::string verdict_html(const Comparison& comparison) {
  const std::string sentence = verdict_sentence(comparison);
  const std::string word(stats::verdict_text(comparison.verdict));
  const std::string family = family_sentence(comparison);
  std::string html;
  for (const std::string& caveat : comparison.caveats) {
    html += fmt::format("<p class=\"caveat\">{}</p>\n", prose(caveat));
  }
  return html + fmt::format("<p class=\"verdict {0}\"><strong>{0}</strong>{1}.</p>\n{2}", word,
                            prose(sentence.substr(word.size())),
                            family.empty() ? "" : element("p", family + "."));
}

std::string results_html(const Comparison& comparison) {
  HtmlTable table(result_columns(comparison));
  std::string title;
  for (const Entry& entry : comparison.entries) {
    if (entry.title != title) {
      title = entry.title;
      table.add_title(title);
    }
    table.add_row(result_cells(comparison, entry));
  }
  return table.html() + (comparison.entries.size() > 1 ? element("p", "* the primary") : "");
}

std::string boots_html(const Comparison& comparison) {
  const Table boots = boot_table(comparison);
  HtmlTable table(boots.columns());
  for (const auto& row : boots.rows()) {
    table.add_row(row);
  }
  return table.html();
}

std::string plots_html(const Comparison& comparison) {
  std::string html =
      "<p>A dot is a round, a line a boot's mean, the dashed line the baseline; the band is the "
      "interval of the other role's mean.</p><div class=\"plots\">";
  for (const Entry& entry : comparison.entries) {
    html += fmt::format(
        "<figure><h3>{}</h3>{}<figcaption>{} against {}, {}: {}</figcaption></figure>\n",
        markup_escaped(place_of(entry)), svg_of_rounds(comparison, entry),
        markup_escaped(entry.changed_role), markup_escaped(entry.baseline_role),
        markup_escaped(unit_per(comparison, entry)), stats::verdict_text(entry.result.verdict));
  }
  return html + "</div>";
}

std::string gates_html(const Comparison& comparison) {
  HtmlTable table({{"gate", Align::kLeft}, {"state", Align::kLeft}, {"figure", Align::kLeft}});
  for (const GateLine& line : gate_lines(comparison)) {
    const std::string advice = line.advice.empty() ? "" : ". To do: " + line.advice;
    table.add_row({line.name, std::string(gate_state_text(line.state)), line.figure + advice});
  }
  return table.html();
}

std::string differences_html(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const comparison::Difference& difference : comparison.differences) {
    lines.push_back(fmt::format("{} ({})", difference_text(comparison, difference),
                                weight_name(difference.weight)));
  }
  return list(lines);
}

std::string points_html(const Comparison& comparison) {
  std::string html;
  for (const comparison::PointFacts& point : comparison.points) {
    std::vector<std::string> facts;
    for (const auto& [key, value] : point.context.items()) {
      facts.push_back(fmt::format("{}: {}", key, value));
    }
    html += fmt::format(
        "<p>{}, role {}: <code>{}</code><br>SHA-256 <code>{}</code></p>"
        "<details><summary>its {} facts</summary>{}</details>\n",
        markup_escaped(point.label), markup_escaped(point.role), markup_escaped(point.source),
        markup_escaped(point.sha256), facts.size(), list(facts));
  }
  return html;
}

std::string prepared_html(const Section& section) {
  std::string html =
      section.svg.empty() ? "" : fmt::format("<div class=\"flame\">{}</div>\n", section.svg);
  html += "<pre>";
  std::istringstream lines(section.text);
  for (std::string line; std::getline(lines, line);) {
    html += markup_escaped(line) + "\n";
  }
  return html + "</pre>\n";
}

}  // namespace

std::string html_report(const Comparison& comparison, Sections sections) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>msgring: {}</title>\n<style>{}</style></head>\n<body><main>\n",
      stats::verdict_text(comparison.verdict), kHtmlStyle);
  html += element("h1", fmt::format("msgring comparison, order {}", comparison.order)) + "\n";
  html += verdict_html(comparison);
  html += section("Results", results_html(comparison));
  html += section("Rounds", plots_html(comparison));
  for (const Section& more : sections) {
    html += section(more.title, prepared_html(more));
  }
  html += section("Gates", gates_html(comparison));
  html += section("Doubts", list(doubt_lines(comparison)));
  html += section("Boots of the primary comparison", boots_html(comparison));
  html += section("Differences between the points", differences_html(comparison));
  html += section("Method", list(method_lines(comparison)));
  html += section("Points", points_html(comparison));
  return html + "</main></body></html>\n";
}

}  // namespace msgring::report
