// SPDX-License-Identifier: MIT
// Error lines name the call, the object and the errno; exceptions map to the documented statuses.
#include "msgring/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <system_error>

namespace msgring {
namespace {

TEST(Error, NamesErrnoSymbolically) {
  EXPECT_EQ(errno_name(EPERM), "EPERM");
  EXPECT_EQ(errno_name(4095), "errno 4095");
}

TEST(Error, SystemErrorNamesCallObjectAndErrno) {
  try {
    throw_system_error(EMFILE, "io_uring_register_files_sparse", "4096 slots");
    FAIL() << "throw_system_error returned";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EMFILE);
    EXPECT_STREQ(error.what(),
                 "io_uring_register_files_sparse: 4096 slots: EMFILE: Too many open files");
    EXPECT_EQ(exit_status_of(error), ExitStatus::kEnvironment);
  }
}

TEST(Error, DescriptionEndsInTheHint) {
  const Error with_hint(ExitStatus::kUsage, "--slots 0: too small", "give 1 to 1048576");
  EXPECT_EQ(describe(with_hint), "--slots 0: too small; give 1 to 1048576");
  EXPECT_EQ(exit_status_of(with_hint), ExitStatus::kUsage);
  EXPECT_EQ(describe(Error(ExitStatus::kInvalid, "bad")), "bad");
}

TEST(Error, UnknownExceptionsAreInvalidNeverSuccess) {
  EXPECT_EQ(exit_status_of(std::runtime_error("?")), ExitStatus::kInvalid);
}

}  // namespace
}  // namespace msgring
