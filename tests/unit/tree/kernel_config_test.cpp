// SPDX-License-Identifier: MIT
// Configurations as text.
#include "kernel_config.hpp"

#include <gmock/gmock.h>

#include "fragment.hpp"
#include "msgring/error.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kUsage);
    return describe(error);
  }
  return "nothing was thrown";
}

TEST(KernelConfig, ReadsWhatIsSetAndNothingElse) {
  EXPECT_THAT(
      parse_config("# Linux/x86 7.3.4\nCONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"x=y\"\n"
                   "CONFIG_D=n\nCONFIG_E=12\nconfig_f=y\n"),
      ElementsAre(Pair("CONFIG_A", "y"), Pair("CONFIG_C", "\"x=y\""), Pair("CONFIG_E", "12")));
}

TEST(KernelConfig, IsTheSameWhateverItsOrderAndComments) {
  EXPECT_EQ(normalized_config("CONFIG_B=m\n# one\nCONFIG_A=y\n"),
            normalized_config("# Linux 6.1\nCONFIG_A=y\n# CONFIG_C is not set\nCONFIG_B=m\n"));
}

TEST(KernelConfig, TurnsAChangeIntoItsLine) {
  EXPECT_EQ(config_line("CONFIG_MEMCG=n"), "# CONFIG_MEMCG is not set\n");
  EXPECT_EQ(config_line("CONFIG_NR_CPUS=4"), "CONFIG_NR_CPUS=4\n");
}

TEST(KernelConfig, RefusesWhatSetsNoOption) {
  for (const char* change : {"MEMCG=n", "CONFIG_MEMCG", "CONFIG_=y", "CONFIG_A=", "CONFIG_A B=y",
                             "CONFIG_A=y\nCONFIG_B=y"}) {
    EXPECT_THAT(refusal([&] { config_line(change); }), HasSubstr("sets no option; write it as"));
  }
}

TEST(KernelConfig, NamesTheOptionThatAGuestNeeds) {
  std::string config(config_fragment());
  EXPECT_NO_THROW(check_config(config, {}));
  config.replace(config.find("CONFIG_IO_URING=y"), 17, "");
  EXPECT_THAT(refusal([&] { check_config(config, {}); }),
              HasSubstr("olddefconfig leaves CONFIG_IO_URING=n, which a measured guest needs"));
  config = config_fragment();
  config.replace(config.find("CONFIG_SERIAL_8250_CONSOLE=y"), 28, "");
  EXPECT_THAT(refusal([&] { check_config(config, {}); }),
              HasSubstr("CONFIG_SERIAL_8250_CONSOLE=n"));
}

TEST(KernelConfig, NamesTheChangeThatWasNotKept) {
  const std::string config(config_fragment());
  EXPECT_NO_THROW(check_config(config, {"CONFIG_MEMCG=n", "CONFIG_MEMCG=y", "CONFIG_UNKNOWN=n"}));
  EXPECT_THAT(
      refusal([&] { check_config(config, {"CONFIG_MEMCG=n"}); }),
      HasSubstr(
          "CONFIG_MEMCG=n was asked for, olddefconfig leaves CONFIG_MEMCG=y; another option"));
}

TEST(KernelConfig, ListsWhatDiffers) {
  EXPECT_THAT(
      config_differences("CONFIG_A=y\nCONFIG_B=y\nCONFIG_C=1\n",
                         "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=2\nCONFIG_D=m\n"),
      ElementsAre(ConfigDifference{"CONFIG_B", "y", "n"}, ConfigDifference{"CONFIG_C", "1", "2"},
                  ConfigDifference{"CONFIG_D", "n", "m"}));
  EXPECT_THAT(config_differences("# a\nCONFIG_A=y\n", "CONFIG_A=y\n# CONFIG_B is not set\n"),
              IsEmpty());
}

}  // namespace
}  // namespace msgring::tree
