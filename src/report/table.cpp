// SPDX-License-Identifier: MIT
// Column widths, padding, line breaks.
#include "msgring/report/table.hpp"

#include <algorithm>

namespace msgring::report {
namespace {

constexpr std::string_view kGap = "  ";

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, display_width(cell)), ' ');
  return align == Align::kRight ? blanks + cell : cell + blanks;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace

std::size_t display_width(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].header);
    for (const auto& row : rows_) {
      if (row.size() == columns_.size()) {
        width = std::max(width, display_width(row[i]));
      }
    }
    widths.push_back(width);
  }
  return widths;
}

std::string Table::render(std::string_view indent) const {
  const std::vector<std::size_t> width = widths();
  std::string out;
  std::string line(indent);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    line +=
        (i > 0 ? std::string(kGap) : "") + padded(columns_[i].header, width[i], columns_[i].align);
  }
  append_line(out, line);
  for (const auto& row : rows_) {
    line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool alone = row.size() != columns_.size();
      line += (i > 0 ? std::string(kGap) : "") +
              (alone ? row[i] : padded(row[i], width[i], columns_[i].align));
    }
    append_line(out, line);
  }
  return out;
}

std::string wrap(std::string_view text, std::size_t width, std::string_view first_indent,
                 std::string_view indent) {
  std::string out;
  std::string line(first_indent);
  bool has_word = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) {
      break;
    }
    std::size_t end = std::min(text.find(' ', begin), text.size());
    if (text.substr(end, 2) == " %") {  // a number keeps its unit
      end = std::min(text.find(' ', end + 1), text.size());
    }
    const std::string_view word = text.substr(begin, end - begin);
    if (has_word && display_width(line) + 1 + display_width(word) > width) {
      append_line(out, line);
      line = indent;
      has_word = false;
    }
    line.append(has_word ? " " : "").append(word);
    has_word = true;
    at = end;
  }
  append_line(out, line);
  return out;
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out += line.empty() ? "" : indent;
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace msgring::report
