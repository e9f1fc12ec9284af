// SPDX-License-Identifier: MIT
// From the reporter's table of rounds to points.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "msgring/point/reader.hpp"
#include "point/place.hpp"

namespace msgring::point {
namespace {

enum Column : std::size_t { kPoint, kRound, kElapsed, kPerInstall, kPass, kCpu, kColumns };
constexpr std::array<std::string_view, kColumns> kColumnNames = {
    "point", "round", "elapsed_ns", "ns_per_install", "semantic_pass", "cpu"};

struct Field {
  std::string_view text;
  std::size_t offset;
};

std::vector<Field> split(std::string_view line, std::size_t offset) {
  std::vector<Field> fields;
  std::size_t begin = 0;
  for (std::size_t tab = 0; tab != std::string_view::npos; begin = tab + 1) {
    tab = line.find('\t', begin);
    fields.push_back(
        {line.substr(begin, tab == std::string_view::npos ? tab : tab - begin), offset + begin});
  }
  return fields;
}

class Table {
 public:
  explicit Table(const Source& source) : source_(source) {}

  std::vector<Point> read() {
    refuse_other_texts();
    std::size_t begin = 0;
    while (begin < source_.text.size()) {
      const std::size_t newline = source_.text.find('\n', begin);
      const std::size_t end = std::min(newline, source_.text.size());
      ++line_;
      read_line(split(source_.text.substr(begin, end - begin), begin));
      begin = end + 1;
    }
    if (points_.empty()) {
      fail_at(source_, source_.text.size(), "has a header line and no rounds");
    }
    return std::move(points_);
  }

 private:
  void refuse_other_texts() const {
    if (source_.text.empty()) {
      fail_at(source_, 0, "is empty");
    }
    const std::size_t nul = source_.text.find('\0');
    if (nul != std::string_view::npos) {
      fail_at(source_, nul, "holds a NUL byte: it is binary, not a table");
    }
    const std::size_t carriage_return = source_.text.find('\r');
    if (carriage_return != std::string_view::npos) {
      fail_at(source_, carriage_return, "Windows line end (CR LF)", "convert it with dos2unix");
    }
  }

  void read_line(const std::vector<Field>& fields) {
    if (header_.empty()) {
      read_header(fields);
      return;
    }
    if (fields.size() != header_.size()) {
      fail_at(source_, fields.front().offset,
              fmt::format("{} columns, but the header has {}", fields.size(), header_.size()));
    }
    read_round(fields);
  }

  void read_header(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      if (std::find(header_.begin(), header_.end(), field.text) != header_.end()) {
        fail_at(source_, field.offset,
                fmt::format("the column \"{}\" stands twice", excerpt(field.text)));
      }
      header_.push_back(field.text);
    }
    std::string missing;
    for (std::size_t column = 0; column < kColumns; ++column) {
      const auto found = std::find(header_.begin(), header_.end(), kColumnNames[column]);
      index_[column] = static_cast<std::size_t>(found - header_.begin());
      if (found == header_.end()) {
        missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kColumnNames[column]);
      }
    }
    if (!missing.empty()) {
      fail_at(source_, 0, fmt::format("the header lacks: {}", missing),
              "columns are separated by one tab and named in the first line");
    }
  }

  double number(const std::vector<Field>& fields, Column column) const {
    const Field& field = fields[index_[column]];
    double value = 0.0;
    const char* end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0.0) {
      fail_at(source_, field.offset,
              fmt::format("{} is \"{}\", not a number of at least 0", kColumnNames[column],
                          excerpt(field.text)));
    }
    return value;
  }

  std::int64_t count(const std::vector<Field>& fields, Column column) const {
    const double value = number(fields, column);
    if (std::floor(value) != value || value > 1e15) {
      fail_at(source_, fields[index_[column]].offset,
              fmt::format("{} is {}, not a whole number", kColumnNames[column], value));
    }
    return static_cast<std::int64_t>(value);
  }

  void read_round(const std::vector<Field>& fields) {
    const double elapsed = number(fields, kElapsed);
    const double per_install = number(fields, kPerInstall);
    if (!(elapsed > 0.0) || !(per_install > 0.0)) {
      fail_at(source_, fields[index_[kElapsed]].offset, "a round without time");
    }
    const double operations = std::round(elapsed / per_install);
    if (operations < 1.0 || std::abs(elapsed / operations - per_install) > 1e-5 * per_install) {
      fail_at(source_, fields[index_[kPerInstall]].offset,
              "elapsed_ns and ns_per_install give no whole number of installs");
    }
    Row row;
    row.run_name = row.workload = "first_fill";
    row.repetition = count(fields, kRound);
    row.iterations = 1;
    row.real_time = elapsed;
    row.line = line_;
    row.counters = {{"round", static_cast<double>(row.repetition)},
                    {"operations", operations},
                    {"fill_ns", elapsed},
                    {"fill_operations", operations},
                    {"ns_per_install", per_install},
                    {"cpu", static_cast<double>(count(fields, kCpu))}};
    if (count(fields, kPass) != 1) {
      row.valid = false;
      row.why = "semantic_pass is not 1";
    }
    point_named(fields[index_[kPoint]]).rows.push_back(std::move(row));
  }

  Point& point_named(const Field& name) {
    if (name.text.empty()) {
      fail_at(source_, name.offset, "a round without the name of its point");
    }
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const Point& point) { return point.label == name.text; });
    if (found != points_.end()) {
      return *found;
    }
    Point point;
    point.source = source_.name;
    point.label = name.text;
    point.origin = Origin::kImportedTsv;
    point.context.add("import.format", "reporter's TSV");
    point.context.add("import.other_columns", other_columns());
    point.context.add("msgring.unit", "ns");
    point.context.add("msgring.workload.first_fill.phases", "fill:install");
    return points_.emplace_back(std::move(point));
  }

  std::string other_columns() const {
    std::string names;
    for (const std::string_view name : header_) {
      if (std::find(kColumnNames.begin(), kColumnNames.end(), name) == kColumnNames.end()) {
        names += fmt::format("{}{}", names.empty() ? "" : ",", excerpt(name));
      }
    }
    return names.empty() ? "none" : names;
  }

  const Source& source_;
  std::size_t line_ = 0;
  std::vector<std::string_view> header_;
  std::array<std::size_t, kColumns> index_{};
  std::vector<Point> points_;
};

}  // namespace

std::vector<Point> parse_tsv(std::string_view text, std::string_view name) {
  const Source source{name, text};
  return Table(source).read();
}

}  // namespace msgring::point
