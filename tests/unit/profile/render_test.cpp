// SPDX-License-Identifier: MIT
#include "msgring/profile/render.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>
#include <sstream>

#include "profile/rounding.hpp"
#include "sample.hpp"

namespace msgring::profile {
namespace {

using testing::HasSubstr;

/// 60 functions with awkward remainders, some on one side only, one with a name longer than a line.
std::vector<Difference> sample() {
  std::mt19937 random(3);
  std::vector<SampleNode> a{{"fill", 0, 0}, {"[user space]", 0, 777}};
  std::vector<SampleNode> b{{"fill", 0, 0}, {"[user space]", 0, 778}};
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::string name = "function_number_" + std::to_string(i);
    a.push_back({name, i, random() % 5000});
    b.push_back({name, i, random() % 5000});
  }
  b.push_back({"a_function_with_a_name_that_is_longer_than_a_line_of_text_may_be<&>", 1, 60000});
  return subtract(sample_profile("6.12.95", 7, a), sample_profile("7.1.3", 7, b),
                  Names::kAsTheyAre);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// A printed figure in tenths.
long figure(const std::string& line, std::size_t column) {
  return std::lround(std::stod(line.substr(46 + 10 * column, 10)) * 10);
}

TEST(DifferenceText, FitsAMail) {
  for (const std::string& line : lines_of(difference_text(sample()))) {
    EXPECT_LE(line.size(), 76U) << line;
  }
}

TEST(DifferenceText, PrintedColumnsAddUpToPrintedTotals) {
  const std::vector<std::string> lines = lines_of(difference_text(sample()));
  const auto head = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.substr(0, 9) == "function ";
  });
  ASSERT_NE(head, lines.end());
  std::array<long, 3> sums{};
  auto line = head + 1;
  for (; line->substr(0, 6) != "total "; ++line) {
    EXPECT_EQ(figure(*line, 1) - figure(*line, 0), figure(*line, 2)) << *line;
    for (std::size_t column = 0; column < 3; ++column) {
      sums[column] += figure(*line, column);
    }
  }
  EXPECT_EQ(line - head, 22);  // 20 functions, the others together, the total
  for (std::size_t column = 0; column < 3; ++column) {
    EXPECT_EQ(sums[column], figure(*line, column)) << *line;
  }
}

TEST(DifferenceText, SaysWhatItIsAndWhatItIsNot) {
  const std::string text = difference_text(sample());
  EXPECT_THAT(text, HasSubstr("A  6.12.95\nB  7.1.3\n"));
  EXPECT_THAT(text, HasSubstr("instructions per install"));
  EXPECT_THAT(text, HasSubstr("the length of the path, not its time"));
  EXPECT_THAT(text, HasSubstr("~ (only B)"));
}

TEST(DifferenceBrief, HasTheLargestChangesAndTheOthersTogether) {
  const std::vector<std::string> lines = lines_of(difference_brief(sample(), 3));
  ASSERT_EQ(lines.size(), 7U);  // head, columns, three functions, the others, the total
  EXPECT_THAT(lines[0], HasSubstr("Phase fill: instructions per install in an emulator, +"));
  EXPECT_THAT(lines[5], HasSubstr("59 other functions together"));
  long sum = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    sum += figure(lines[i], 2);
  }
  EXPECT_EQ(sum, figure(lines[6], 2));
}

TEST(DifferenceFolded, StacksSumToTheTotal) {
  const std::vector<Difference> phases = sample();
  Pair sum;
  for (const std::string& line : lines_of(difference_folded(phases))) {
    std::istringstream words(line.substr(line.rfind(' ', line.rfind(' ') - 1)));
    Pair pair;
    words >> pair.a >> pair.b;
    sum += pair;
    EXPECT_EQ(line.substr(0, 5), "fill;");
  }
  EXPECT_EQ(sum, phases.front().total);
}

TEST(DifferenceHtml, NeedsNothingElseAndEscapesNames) {
  const std::string html = difference_html(sample());
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, testing::Not(HasSubstr("<script")));
  EXPECT_THAT(html, testing::Not(HasSubstr("href")));
  EXPECT_THAT(html, testing::Not(HasSubstr("be<&>")));
  EXPECT_THAT(html, HasSubstr("be&lt;&amp;&gt;"));
}

TEST(DifferenceJson, HasEveryFunctionAndTheDivisor) {
  const std::string json = difference_json(sample());
  EXPECT_THAT(json, HasSubstr("\"divisor\": 7"));
  EXPECT_THAT(json, HasSubstr("\"name\": \"function_number_59\""));
}

TEST(Rounding, TenthsSumToTheRoundedSum) {
  // 1/3 each: 0.3 + 0.3 + 0.3 would be 0.9; the sum is 1.0.
  EXPECT_THAT(tenths(std::vector<std::int64_t>{1, 1, 1}, 3), testing::ElementsAre(4, 3, 3));
  EXPECT_THAT(tenths(std::vector<std::int64_t>{-1, -1, -1}, 3), testing::ElementsAre(-3, -3, -4));
  EXPECT_THAT(tenths(std::vector<std::int64_t>{}, 3), testing::IsEmpty());
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::int64_t> values(random() % 50 + 1);
    for (std::int64_t& value : values) {
      value = static_cast<std::int64_t>(random() % 2'000'000) - 1'000'000;
    }
    const auto divisor = static_cast<std::int64_t>(random() % 70000 + 1);
    const std::vector<std::int64_t> rounded = tenths(values, divisor);
    const auto sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    EXPECT_EQ(std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0}),
              tenth(sum, divisor));
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_LE(std::abs(static_cast<double>(rounded[j]) -
                         10.0 * static_cast<double>(values[j]) / static_cast<double>(divisor)),
                1.0);
    }
  }
}

TEST(Rounding, HalvesGoAwayFromZero) {
  EXPECT_EQ(tenth(5, 100), 1);  // 0.05
  EXPECT_EQ(tenth(-5, 100), -1);
  EXPECT_EQ(tenth(4, 100), 0);
}

}  // namespace
}  // namespace msgring::profile
