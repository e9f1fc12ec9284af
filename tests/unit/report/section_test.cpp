// SPDX-License-Identifier: MIT
// What other rooms found out, in every report.
#include "msgring/report/section.hpp"

#include <gmock/gmock.h>

#include "msgring/report/mail.hpp"
#include "msgring/report/report.hpp"
#include "msgring/report/table.hpp"
#include "report/sample_comparisons.hpp"

namespace msgring::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_reports::public_evidence;

const std::vector<Section> kSections{
    {"Where it went", "brief a<b\n\nlast\n", "every a<b\n", "<svg id=\"graph\"></svg>"},
    {"What was called", "1 -> 2\n", "all calls\n", ""}};

TEST(Section, IsBriefInTheText) {
  const std::string text = text_report(public_evidence(), Colour::kNever, kSections);
  EXPECT_THAT(text, HasSubstr("\nWhere it went\n  brief a<b\n\n  last\n\nWhat was called\n  1 -> "
                              "2\n"));
  EXPECT_THAT(text, Not(HasSubstr("every a<b")));
}

TEST(Section, IsACodeBlockInMarkdown) {
  EXPECT_THAT(markdown_report(public_evidence(), kSections),
              HasSubstr("### Where it went\n\n```text\nevery a<b\n```\n"));
}

TEST(Section, HasItsGraphInHtml) {
  const std::string html = html_report(public_evidence(), kSections);
  EXPECT_THAT(html, HasSubstr("<div class=\"flame\"><svg id=\"graph\"></svg></div>"));
  EXPECT_THAT(html, HasSubstr("<pre>every a&lt;b\n</pre>"));
  EXPECT_THAT(html_report(public_evidence()), Not(HasSubstr("class=\"flame\"")));
}

TEST(Section, IsBriefInAMailThatPassesItsLinter) {
  MailOptions options;
  options.introduced = "v6.12..v6.13-rc1";
  const std::string mail = regzbot_mail(public_evidence(), options, kSections);
  EXPECT_THAT(mail, HasSubstr("\n\nWhere it went\n\n  brief a<b\n\n  last\n\nWhat was called\n"));
  EXPECT_THAT(lint_mail(mail, RegzbotBlock::kRequired), IsEmpty());
}

TEST(Indented, LeavesEmptyLinesEmpty) {
  EXPECT_EQ(indented("a\n\nb", "  "), "  a\n\n  b\n");
  EXPECT_EQ(indented("", "  "), "");
}

}  // namespace
}  // namespace msgring::report
