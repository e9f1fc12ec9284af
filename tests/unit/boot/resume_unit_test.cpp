// SPDX-License-Identifier: MIT
// The unit that goes on after a reboot, as systemd reads it.
#include "msgring/boot/resume_unit.hpp"

#include <gmock/gmock.h>

#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

ResumeUnit plain_unit() {
  return {
      {"/opt/msgring", "resume"}, "", "/var/lib/msgring/run.json", {"/root/run", "/opt/msgring"}};
}

TEST(ResumeUnitText, StartsOncePerBootAfterEverythingElseAndIsNotStartedWhereAPersonMustAct) {
  const std::string text = resume_unit_text(plain_unit());
  EXPECT_THAT(text, HasSubstr("\nConditionPathExists=/var/lib/msgring/run.json\n"));
  EXPECT_THAT(text, HasSubstr("\nAfter=multi-user.target\n"));
  EXPECT_THAT(text, HasSubstr("\nRequiresMountsFor=\"/root/run\" \"/opt/msgring\"\n"));
  EXPECT_THAT(text, HasSubstr("\nType=simple\nExecStart=\"/opt/msgring\" \"resume\"\n"));
  EXPECT_THAT(text, HasSubstr("\nRestart=on-failure\n"));
  // 0 is no failure; 5, and a signal, are worth another try.
  EXPECT_THAT(text, HasSubstr("\nRestartPreventExitStatus=1 2 3 4 130\n"));
  EXPECT_THAT(text, HasSubstr("\n[Install]\nWantedBy=multi-user.target\n"));
  EXPECT_THAT(text, Not(HasSubstr("Environment")));
}

TEST(ResumeUnitText, QuotesWhatSystemdWouldReplace) {
  ResumeUnit unit = plain_unit();
  unit.command = {"/a b/50%/$X/\"q\"/msgring", "resume"};
  unit.library_path = "/l $Y:/m%n";
  EXPECT_THAT(resume_unit_text(unit),
              HasSubstr("ExecStart=\"/a b/50%%/$$X/\\\"q\\\"/msgring\" \"resume\"\n"));
  EXPECT_THAT(resume_unit_text(unit), HasSubstr("\nEnvironment=\"LD_LIBRARY_PATH=/l $Y:/m%%n\"\n"));
}

TEST(ResumeUnitFile, IsInstalledWithItsLinkAndGoesAwayWithoutATrace) {
  const host::TemporaryFolder folder("msgring-unit");
  const ResumeUnitFile file(folder.path() / "system");
  EXPECT_FALSE(file.is_installed());
  file.remove();
  file.install("one");
  file.install("two");
  EXPECT_TRUE(file.is_installed());
  EXPECT_EQ(host::read_file(file.link()), "two");
  EXPECT_TRUE(fs::read_symlink(file.link()).is_relative());
  file.remove();
  EXPECT_FALSE(fs::exists(file.path()));
  EXPECT_FALSE(fs::is_symlink(file.link()));
}

}  // namespace
}  // namespace msgring::boot
