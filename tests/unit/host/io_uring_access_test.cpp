// SPDX-License-Identifier: MIT
// The cause of a refused io_uring is read before it is blamed, and the cure fits the cause.
#include "msgring/host/io_uring_access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>

#include "fake_tree.hpp"

namespace msgring::host {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string line_for(int error, const Root& root) {
  const Error explained = explain_io_uring_setup(error, root);
  EXPECT_EQ(explained.status(), ExitStatus::kEnvironment);
  EXPECT_FALSE(explained.hint().empty());
  return describe(explained);
}

constexpr const char* kDisabled = "/proc/sys/kernel/io_uring_disabled";
constexpr const char* kGroup = "/proc/sys/kernel/io_uring_group";

TEST(IoUringAccess, SysctlTwoIsForEveryone) {
  FakeTree tree("container-seccomp");
  tree.put(kDisabled, "2\n");
  EXPECT_EQ(line_for(EPERM, tree.root()),
            "io_uring_setup: EPERM: kernel.io_uring_disabled=2: nobody may use io_uring; set it to "
            "0 (sysctl kernel.io_uring_disabled=0) or run where io_uring is allowed");
}

TEST(IoUringAccess, SysctlOneNamesTheGroupThatIsMissing) {
  EXPECT_EQ(line_for(EPERM, fake_machine("amd-boost")),
            "io_uring_setup: EPERM: kernel.io_uring_disabled=1, and this process has neither "
            "CAP_SYS_ADMIN nor group 985 (kernel.io_uring_group); run as root or in group 985, or "
            "set kernel.io_uring_disabled to 0");
  FakeTree tree("amd-boost");
  tree.put(kGroup, "-1\n");
  EXPECT_THAT(line_for(EPERM, tree.root()), HasSubstr("kernel.io_uring_group=-1: there is none"));
}

TEST(IoUringAccess, SysctlOneIsNotBlamedOnThoseWhomItLetsIn) {
  FakeTree member("amd-boost");
  member.put("/proc/self/status", "Gid:\t1000\t1000\t1000\t1000\nGroups:\t27 985\nSeccomp:\t2\n");
  EXPECT_THAT(line_for(EPERM, member.root()), HasSubstr("a seccomp filter is in force"));
  FakeTree effective("amd-boost");
  effective.put("/proc/self/status", "Gid:\t1000\t985\t985\t985\nSeccomp:\t2\n");
  EXPECT_THAT(line_for(EPERM, effective.root()), HasSubstr("a seccomp filter is in force"));
  FakeTree admin("amd-boost");
  admin.put("/proc/self/status", "CapEff:\t0000000000200000\nSeccomp:\t2\n");  // bit 21
  EXPECT_THAT(line_for(EPERM, admin.root()), HasSubstr("a seccomp filter is in force"));
}

TEST(IoUringAccess, SysctlZeroLeavesSeccompAndNamesTheContainer) {
  EXPECT_EQ(line_for(EPERM, fake_machine("container-seccomp")),
            "io_uring_setup: EPERM: a seccomp filter is in force (Seccomp: 2 in /proc/self/status; "
            "container: yes (/.dockerenv)); kernel.io_uring_disabled=0 does not forbid it; run "
            "outside the container, or with a seccomp profile that allows io_uring_setup, "
            "io_uring_enter and io_uring_register");
}

TEST(IoUringAccess, WithoutSysctlAndSeccompSecurityModulesRemain) {
  FakeTree tree("vm-kvm");
  tree.put("/sys/kernel/security/lsm", "lockdown,capability,selinux,bpf");
  EXPECT_THAT(
      line_for(EACCES, tree.root()),
      AllOf(StartsWith("io_uring_setup: EACCES: neither the sysctl "
                       "(kernel.io_uring_disabled=absent (no such sysctl before Linux 6.6))"),
            HasSubstr("active: lockdown,capability,selinux,bpf")));
  tree.put("/proc/sys/kernel/apparmor_restrict_unprivileged_io_uring", "1\n");
  EXPECT_THAT(line_for(EPERM, tree.root()),
              HasSubstr("kernel.apparmor_restrict_unprivileged_io_uring=1"));
}

TEST(IoUringAccess, UnreadableSysctlIsSaidNotGuessed) {
  FakeTree tree("hybrid-laptop");
  tree.make_unreadable(kDisabled);
  EXPECT_THAT(line_for(EPERM, tree.root()), HasSubstr("kernel.io_uring_disabled=unknown (EISDIR)"));
}

TEST(IoUringAccess, MissingSystemCallIsBlamedOnTheConfigurationOnlyIfItSaysSo) {
  FakeTree tree("hybrid-laptop");
  EXPECT_THAT(line_for(ENOSYS, tree.root()), HasSubstr("yet the system call does not exist"));
  tree.put("/proc/self/status", "Seccomp:\t2\n");
  EXPECT_THAT(line_for(ENOSYS, tree.root()),
              AllOf(HasSubstr("seccomp filter"), HasSubstr("says CONFIG_IO_URING=y")));
  tree.put("/boot/config-6.12.95-generic", "# CONFIG_IO_URING is not set\n");
  EXPECT_THAT(line_for(ENOSYS, tree.root()),
              AllOf(HasSubstr("not built in (/boot/config-6.12.95-generic has no "
                              "CONFIG_IO_URING=y); boot a kernel with"),
                    Not(HasSubstr("seccomp"))));
  tree.remove("/boot");
  EXPECT_THAT(line_for(ENOSYS, tree.root()),
              AllOf(HasSubstr("seccomp filter"), HasSubstr("or io_uring is not built in")));
  tree.put("/proc/self/status", "Seccomp:\t0\n");
  EXPECT_THAT(line_for(ENOSYS, tree.root()),
              HasSubstr("not built in (the configuration is absent"));
}

TEST(IoUringAccess, NoMemoryIsLockedMemoryOnlyWhereTheKernelCountsIt) {
  FakeTree tree("amd-boost");
  tree.put("/proc/sys/kernel/osrelease", "5.10.0-32-amd64\n");
  EXPECT_THAT(line_for(ENOMEM, tree.root()),
              AllOf(HasSubstr("RLIMIT_MEMLOCK is 65536 (bytes)"), HasSubstr("per user")));
  tree.put("/proc/self/status", "CapEff:\t0000000000004000\n");  // bit 14, CAP_IPC_LOCK
  EXPECT_THAT(line_for(ENOMEM, tree.root()), HasSubstr("memory.max"));
  EXPECT_THAT(line_for(ENOMEM, fake_machine("amd-boost")), Not(HasSubstr("MEMLOCK")));
}

TEST(IoUringAccess, DescriptorLimitsAreNamedWithTheirValues) {
  EXPECT_THAT(line_for(EMFILE, fake_machine("amd-boost")),
              HasSubstr("RLIMIT_NOFILE is 1024 (soft), 4096 (hard)"));
  FakeTree tree;
  tree.put("/proc/sys/fs/file-nr", "9223\t0\t9223\n");
  EXPECT_THAT(line_for(ENFILE, tree.root()), HasSubstr("fs.file-nr: 9223 0 9223"));
  EXPECT_THAT(line_for(EMFILE, tree.root()), HasSubstr("absent (no /proc/self/limits) (soft)"));
}

/// Forbids io_uring_setup in the calling process as container runtimes do.
bool install_seccomp_filter() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), static_cast<sock_filter*>(program)};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(IoUringAccess, RealSeccompFilterIsFound) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!install_seccomp_filter()) {
      ::_exit(77);
    }
    io_uring_params parameters{};
    const long result = ::syscall(__NR_io_uring_setup, 8, &parameters);
    const std::string line = result == -1 ? line_for(errno, Root()) : "";
    ::_exit(line.find("EPERM: a seccomp filter is in force") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) {
    GTEST_SKIP() << "this kernel takes no seccomp filter";
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(IoUringAccess, OtherErrorsKeepTheirName) {
  EXPECT_THAT(line_for(EINVAL, Root()), StartsWith("io_uring_setup: EINVAL: this kernel does not"));
  EXPECT_THAT(line_for(EIO, Root()), StartsWith("io_uring_setup: EIO: "));
}

}  // namespace
}  // namespace msgring::host
