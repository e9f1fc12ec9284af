// SPDX-License-Identifier: MIT
// The mail passes its linter; each damage to it fails the linter.
#include "msgring/report/mail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.hpp"
#include "msgring/error.hpp"
#include "report/sample_comparisons.hpp"

namespace msgring::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_reports::is_golden;

MailOptions options_with(std::string introduced) {
  MailOptions options;
  options.introduced = std::move(introduced);
  return options;
}

std::string sound_mail() {
  return regzbot_mail(testing_reports::public_evidence(), options_with("v6.12..v6.13-rc1"));
}

TEST(Mail, IsGoldenAndPassesItsLinter) {
  EXPECT_TRUE(is_golden(sound_mail(), "evidence.mail"));
  EXPECT_THAT(lint_mail(sound_mail(), RegzbotBlock::kRequired), IsEmpty());
  const std::string eml = eml_of(sound_mail());
  EXPECT_THAT(lint_mail(eml, RegzbotBlock::kRequired), IsEmpty());
  EXPECT_THAT(eml, HasSubstr("Content-Type: text/plain; charset=UTF-8\n"));
  for (const auto& comparison : {testing_reports::emulated(), testing_reports::three_roles()}) {
    EXPECT_THAT(
        lint_mail(regzbot_mail(comparison, options_with("0123456789ab")), RegzbotBlock::kRequired),
        IsEmpty());
  }
}

TEST(Mail, AnEmulatedRegressionNeverSpeaksOfTime) {
  const std::string mail = regzbot_mail(testing_reports::emulated(), options_with("v6.12..v7.1"));
  EXPECT_THAT(mail, HasSubstr("more instructions"));
  EXPECT_THAT(mail, HasSubstr("instructions of an emulated CPU, not time"));
  EXPECT_THAT(mail, testing::Not(HasSubstr(" ns ")));
  EXPECT_THAT(mail, HasSubstr("kernel.release: 6.12.95 in A, 7.1.3 in B"));
  EXPECT_THAT(mail, HasSubstr("msgring_bench --slots 64 --out POINT.json"));
}

TEST(Mail, NamesTheCommandThatMadeThePointsAndOnlyNeededMitigations) {
  comparison::Comparison comparison = testing_reports::emulated();
  for (comparison::PointFacts& point : comparison.points) {
    point.context.add("cpu.mitigations", "l1tf: Not affected | spectre_v1: Mitigation: barriers");
  }
  MailOptions options;
  options.measured_by = "msgring aba --plan plan.toml";
  const std::string mail = regzbot_mail(comparison, options);
  EXPECT_THAT(mail, HasSubstr("\n  msgring aba --plan plan.toml\n  msgring compare "));
  EXPECT_THAT(mail, testing::Not(HasSubstr("msgring_bench --slots")));
  EXPECT_THAT(mail, HasSubstr("\n  cpu.mitigations: spectre_v1: Mitigation: barriers\n"));
}

TEST(Mail, WithoutAnIntroductionThereIsNoBlock) {
  const std::string mail = regzbot_mail(testing_reports::public_evidence(), {});
  EXPECT_THAT(mail, testing::Not(HasSubstr("#regzbot")));
  EXPECT_THAT(lint_mail(mail, RegzbotBlock::kOptional), IsEmpty());
  EXPECT_THAT(lint_mail(mail, RegzbotBlock::kRequired),
              Contains(HasSubstr("no #regzbot introduced")));
}

TEST(Mail, IsWrittenForARegressionOnly) {
  const auto status_of = [](const comparison::Comparison& comparison) {
    try {
      regzbot_mail(comparison, {});
    } catch (const Error& error) {
      return error.status();
    }
    return ExitStatus::kOk;
  };
  EXPECT_EQ(status_of(testing_reports::drifting_evidence()), ExitStatus::kInconclusive);
  EXPECT_EQ(status_of(testing_reports::one_boot()), ExitStatus::kInvalid);
}

TEST(Introduced, TakesCommitsAndUpstreamRanges) {
  for (const char* good :
       {"0123456789ab", "0123456789abcdef0123456789abcdef01234567", "v6.9..v6.10-rc1",
        "v6.9.3..v6.9.5", "v6.9..", "next-20260101..next-20260131", "v6.9..0123456789ab"}) {
    EXPECT_NO_THROW(check_introduced(good)) << good;
  }
}

TEST(Introduced, RefusesWhatRegzbotWouldNotUnderstand) {
  for (const char* bad :
       {"", "v6.12", "6.12.95-1..7.1.3-1", "v6.12..7.1.3-amd64", "0123456", "0123456789AB",
        "v6.9 ..v6.10", "v6.9..v6.10 and more", "..v6.10", "v6.9...v6.10", "HEAD~1..HEAD"}) {
    EXPECT_THROW(check_introduced(bad), Error) << bad;
  }
}

TEST(Introduced, NotesRangesBetweenTrees) {
  EXPECT_FALSE(note_on_introduced("v6.12..v7.1"));
  EXPECT_FALSE(note_on_introduced("v6.12.1..v6.12.95"));
  EXPECT_TRUE(note_on_introduced("v6.12.95..v7.1.3"));
  EXPECT_TRUE(note_on_introduced("v6.12.95..v7.1"));
}

struct Damage {
  const char* name;
  const char* from;
  const char* to;
  const char* fault;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class DamagedMail : public testing::TestWithParam<Damage> {};

TEST_P(DamagedMail, FailsTheLinter) {
  const Damage& damage = GetParam();
  std::string mail = eml_of(sound_mail());
  const std::size_t at = mail.find(damage.from);
  ASSERT_NE(at, std::string::npos) << damage.from;
  mail.replace(at, std::string(damage.from).size(), damage.to);
  EXPECT_THAT(lint_mail(mail, RegzbotBlock::kRequired), Contains(HasSubstr(damage.fault)));
}

INSTANTIATE_TEST_SUITE_P(
    Mail, DamagedMail,
    testing::Values(
        Damage{"space_lost", "introduced: v6.12", "introduced:v6.12",
               "a blank and a parameter must follow the colon"},
        Damage{"colon_misplaced", "#regzbot introduced: v", "#regzbot: introduced v",
               "must read `#regzbot command: parameter`"},
        Damage{"no_space_before_command", "#regzbot introduced", "#regzbotintroduced",
               "must read `#regzbot command: parameter`"},
        Damage{"quoted", "#regzbot introduced", "> #regzbot introduced", "column 1"},
        Damage{"indented", "#regzbot title", " #regzbot title", "column 1"},
        Damage{"not_separated_above", "\n\n#regzbot introduced", "\n#regzbot introduced",
               "an empty line must stand before"},
        Damage{"not_separated_below", "slower\n\nResult\n", "slower\nResult\n",
               "an empty line must follow"},
        Damage{"split_block", "rc1\n#regzbot title", "rc1\n\n#regzbot title", "one block"},
        Damage{"title_wrapped", "#regzbot title: io_uring: first_fill",
               "#regzbot title: io_uring:\nfirst_fill", "an empty line must follow"},
        Damage{"one_version", "introduced: v6.12..v6.13-rc1", "introduced: v6.12",
               "is one version, not a commit and not a range"},
        Damage{"distribution_version", "introduced: v6.12..v6.13-rc1",
               "introduced: 6.12.95-1..7.1.3-1", "neither an upstream tag nor a commit id"},
        Damage{"short_commit", "introduced: v6.12..v6.13-rc1", "introduced: 0123456789",
               "no commit id of 12 to 40"},
        Damage{"no_introduced", "#regzbot introduced: v6.12..v6.13-rc1\n", "",
               "the first command must be introduced"},
        Damage{"tracker_command",
               "#regzbot title:", "#regzbot backburner:", "is no command for a first report"},
        Damage{"table_wrapped", "drift %   CV %", "drift %\nCV %", "prose right below a table"},
        Damage{"digest_wrapped", "9796b6b6e22b0007", "9796b6b6e22b0007\n", "no SHA-256"},
        Damage{"subject_wrapped", "io_uring: first_fill (fill) 11.6", "io_uring:\nfirst_fill 11.6",
               "is no header (a subject that was wrapped?)"},
        Damage{"subject", "[REGRESSION] ", "", "must begin with [REGRESSION]"},
        Damage{"recipients", "regressions@lists.linux.dev", "someone@example.org",
               "must be among the recipients"},
        Damage{"flowed", "charset=UTF-8", "charset=UTF-8; format=flowed", "not format=flowed"},
        Damage{"html", "text/plain", "text/html", "must be text/plain"},
        Damage{"base64", "8bit", "base64", "must not be encoded"},
        Damage{"tab", "Checks\n", "Checks\t\n", "holds a tab"},
        Damage{"latin1", "Measured with", "Gem\xe4ssigt with", "neither ASCII nor UTF-8"},
        Damage{"trailing_blank", "Scope\n", "Scope \n", "ends in a blank"},
        Damage{"wide_prose", "microbenchmark of one operation. The kernel's rules for\nreporting",
               "microbenchmark of one operation. The kernel's rules for reporting",
               "prose wider than 72 columns"},
        Damage{"no_scope", "Scope\n", "Range\n", "no part \"Scope\""},
        Damage{"no_reproduction", "How to reproduce\n", "Steps\n", "no part \"How to reproduce\""}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace msgring::report
