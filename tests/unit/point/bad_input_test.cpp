// SPDX-License-Identifier: MIT
// Every kind of bad file gives one line: file, line, column, what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "msgring/error.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::point {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct BadInput {
  const char* name;
  std::string text;
  const char* line;  ///< how the error begins
};

void PrintTo(const BadInput& bad, std::ostream* out) { *out << bad.name; }

const std::string context = R"({"context": {"num_cpus": 2}, )";

std::string with_row(const std::string& row) { return context + R"("benchmarks": [)" + row + "]}"; }

std::string expect_one_invalid_line(const std::string& text,
                                    std::vector<Point> (*read)(const std::string&)) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kInvalid);
    std::string line = describe(error);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_LT(line.size(), 400U) << line;
    return line;
  }
  ADD_FAILURE() << "accepted";
  return {};
}

class BadJson : public testing::TestWithParam<BadInput> {};

TEST_P(BadJson, GivesOneLineWithFileAndPlace) {
  const std::string line = expect_one_invalid_line(GetParam().text, [](const std::string& text) {
    return std::vector<Point>{parse_point(text, "p.json")};
  });
  EXPECT_THAT(line, StartsWith(GetParam().line));
}

INSTANTIATE_TEST_SUITE_P(
    Point, BadJson,
    testing::Values(
        BadInput{"empty", "", "p.json:1:1: is empty"},
        BadInput{"blanks", " \n\n", "p.json:1:1: holds nothing but blanks"},
        BadInput{"nul", std::string("{\"a\":\0}", 7), "p.json:1:6: holds a NUL byte"},
        BadInput{"elf",
                 std::string("\x7f"
                             "ELF\x02\x01\x01\0\0",
                             9),
                 "p.json:1:8: holds a NUL byte"},
        BadInput{"gzip", "\x1f\x8b\x08", "p.json:1:1: is gzip-compressed"},
        BadInput{"bom", "\xef\xbb\xbf{}", "p.json:1:1: begins with a byte order mark"},
        BadInput{"prose", "hello world", "p.json:1:1: is not JSON: it begins with \"hello world\""},
        BadInput{"text_before", "fio: this platform lacks\n\n{\"context\": {}}",
                 "p.json:1:1: text before the JSON, which begins in line 3: \"fio: this platform"},
        BadInput{"list", "[1]", "p.json:1:1: the JSON is a list, not an object"},
        BadInput{"truncated", context + "\n\"benchmarks\": [{\"name\": \"a",
                 "p.json:2:27: ends in the middle: it is truncated"},
        BadInput{"truncated_between", context, "p.json:1:30: ends in the middle"},
        BadInput{"trailing", "{\"context\": {}} x", "p.json:1:17: syntax error"},
        BadInput{"bad_utf8", "{\"a\": \"\xff\"}", "p.json:1:8: syntax error"},
        BadInput{"overflow", with_row(R"({"name": "a", "real_time": 1e999})"),
                 "p.json:1:76: number overflow"},
        BadInput{"key_twice_in_context", R"({"context": {"date": "a", "date": "b"}})",
                 "p.json:1:35: the key \"date\" stands twice"},
        BadInput{"key_twice_in_row",
                 with_row("\n"
                          R"({"name": "a", "cpu": 1, "cpu": 2})"),
                 "p.json:2:32: the key \"cpu\" stands twice"},
        BadInput{"key_twice_on_top", R"({"context": {}, "context": {}})",
                 "p.json:1:17: the key \"context\" stands twice"},
        BadInput{"nan_as_key", "{NaN: 1}", "p.json:1:2: a number where a key must stand"},
        BadInput{"deep",
                 R"({"context": {"a": )" + std::string(40, '[') + std::string(40, ']') + "}}",
                 "p.json:1:49: nested deeper than 32 levels"},
        BadInput{"wide",
                 R"({"other": {"a": [1)" +
                     [] {
                       std::string many;
                       for (int i = 0; i < 100'001; ++i) {
                         many += ",1";
                       }
                       return many;
                     }() +
                     "]}}",
                 "p.json:1:200016: one element with more than 100000 values"},
        BadInput{"no_context", R"({"benchmarks": []})", "p.json:1:1: has no context"},
        BadInput{"context_list", R"({"context": []})", "p.json:1:13: context is a list"},
        BadInput{"context_text", R"({"context": "x"})", "p.json:1:13: context is a string"},
        BadInput{"no_rows", context + "\"benchmarks\": []}", "p.json:1:47: holds no rounds"},
        BadInput{"no_list", R"({"context": {}})", "p.json:1:16: has no list of benchmarks"},
        BadInput{"list_is_text", context + "\"benchmarks\": 7}",
                 "p.json:1:44: benchmarks is a number, not a list"},
        BadInput{"row_is_number", with_row("7"),
                 "p.json:1:45: benchmarks[0] is a number, not an object"},
        BadInput{"no_name", with_row("{}"), "p.json:1:45: benchmarks[0] has no name"},
        BadInput{"name_is_number", with_row(R"({"name": 7})"),
                 "p.json:1:54: benchmarks[0].name is a number, not a string"},
        BadInput{"no_time", with_row(R"({"name": "a"})"),
                 "p.json:1:45: benchmarks[0] has no real_time"},
        BadInput{"half_an_iteration",
                 with_row(R"({"name": "a", "iterations": 1.5, "real_time": 1})"),
                 "p.json:1:73: benchmarks[0].iterations is 1.5, not a count"},
        BadInput{"unknown_unit", with_row(R"({"name": "a", "real_time": 1, "time_unit": "h"})"),
                 "p.json:1:88: benchmarks[0].time_unit is \"h\"; known are ns"},
        BadInput{"mixed_units",
                 with_row("{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"ns\"},\n"
                          "{\"name\": \"b\", \"real_time\": 1, \"time_unit\": \"instructions\"}"),
                 "p.json:2:1: a round in instructions, while the file says ns"},
        BadInput{"aggregates_only",
                 with_row(R"({"name": "a_mean", "run_type": "aggregate", "real_time": 1})"),
                 "p.json:1:106: holds only aggregates (1 rows) and no rounds"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(BadJsonDefects, NamesTheCommaThatOldVersionsForgot) {
  const std::string line = expect_one_invalid_line(
      "{\"context\": {\n\"library_build_type\": \"release\"\n\"foo\": \"bar\"\n},\n\"benchmarks\": "
      "[]}",
      [](const std::string& text) { return std::vector<Point>{parse_point(text, "p.json")}; });
  EXPECT_THAT(line, StartsWith("p.json:3:"));
  EXPECT_THAT(line, HasSubstr("no comma before the keys of --benchmark_context"));
}

class BadTsv : public testing::TestWithParam<BadInput> {};

TEST_P(BadTsv, GivesOneLineWithFileAndPlace) {
  const std::string line = expect_one_invalid_line(
      GetParam().text, [](const std::string& text) { return parse_tsv(text, "p.tsv"); });
  EXPECT_THAT(line, StartsWith(GetParam().line));
}

const std::string header = "point\tround\telapsed_ns\tns_per_install\tsemantic_pass\tcpu\n";

INSTANTIATE_TEST_SUITE_P(
    Point, BadTsv,
    testing::Values(
        BadInput{"empty", "", "p.tsv:1:1: is empty"},
        BadInput{"binary", std::string("a\0b", 3), "p.tsv:1:2: holds a NUL byte"},
        BadInput{"windows", header + "a\t0\t4096\t1\t1\t2\r\n", "p.tsv:2:15: Windows line end"},
        BadInput{"missing", "point\tround\telapsed_ns\n",
                 "p.tsv:1:1: the header lacks: ns_per_install, semantic_pass, cpu"},
        BadInput{"column_twice", "point\tpoint\n", "p.tsv:1:7: the column \"point\" stands twice"},
        BadInput{"header_only", header, "p.tsv:2:1: has a header line and no rounds"},
        BadInput{"short_line", header + "a\t0\t4096\n",
                 "p.tsv:2:1: 3 columns, but the header has 6"},
        BadInput{"blank_line", header + "\n", "p.tsv:2:1: 1 columns, but the header has 6"},
        BadInput{"word", header + "a\t0\tfast\t1\t1\t2\n",
                 "p.tsv:2:5: elapsed_ns is \"fast\", not a number"},
        BadInput{"nan", header + "a\t0\tnan\t1\t1\t2\n", "p.tsv:2:5: elapsed_ns is \"nan\""},
        BadInput{"negative", header + "a\t0\t-5\t1\t1\t2\n", "p.tsv:2:5: elapsed_ns is \"-5\""},
        BadInput{"no_time", header + "a\t0\t0\t1\t1\t2\n", "p.tsv:2:5: a round without time"},
        BadInput{"half_round", header + "a\t0.5\t4096\t1\t1\t2\n",
                 "p.tsv:2:3: round is 0.5, not a whole number"},
        BadInput{"disagree", header + "a\t0\t4096\t1.3\t1\t2\n",
                 "p.tsv:2:10: elapsed_ns and ns_per_install give no whole number"},
        BadInput{"no_point_name", header + "\t0\t4096\t1\t1\t2\n",
                 "p.tsv:2:1: a round without the name of its point"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace msgring::point
