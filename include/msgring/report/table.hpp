// SPDX-License-Identifier: MIT
// Aligned plain-text tables, and text that is broken into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::report {

enum class Align { kLeft, kRight };

struct Column {
  std::string header;
  Align align = Align::kRight;
};

/// Columns as wide as their widest cell, two blanks apart. A row of one cell is a line of its own
/// across all columns: the title of the rows below it.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// `cells` has one cell, or as many as there are columns.
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// The lines without trailing blanks, each ended by a newline and begun with `indent`.
  std::string render(std::string_view indent = {}) const;

  const std::vector<Column>& columns() const noexcept { return columns_; }
  const std::vector<std::vector<std::string>>& rows() const noexcept { return rows_; }

 private:
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Characters as a terminal shows them: UTF-8 sequences count once.
std::size_t display_width(std::string_view text) noexcept;

/// Breaks `text` at blanks into lines of at most `width` characters where its words allow, the
/// first begun with `first_indent`, the others with `indent`; every line ends with a newline.
std::string wrap(std::string_view text, std::size_t width, std::string_view first_indent = {},
                 std::string_view indent = {});

/// Every line of `text` begun with `indent`; empty lines stay empty.
std::string indented(std::string_view text, std::string_view indent);

}  // namespace msgring::report
