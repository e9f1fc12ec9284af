// SPDX-License-Identifier: MIT
// From an errno of io_uring_setup(2) to the one thing that has to change (io_uring_setup(2);
// Linux Documentation/admin-guide/sysctl/kernel.rst, io_uring_disabled and io_uring_group).
#include "msgring/host/io_uring_access.hpp"

#include <fmt/format.h>
#include <linux/capability.h>

#include <algorithm>
#include <cerrno>

#include "answer.hpp"
#include "hypervisor.hpp"
#include "kernel_config.hpp"
#include "msgring/host/limits.hpp"
#include "parse.hpp"
#include "process_status.hpp"

namespace msgring::host {
namespace {

Error refusal(int error, const std::string& why, std::string hint) {
  return {ExitStatus::kEnvironment, fmt::format("io_uring_setup: {}: {}", errno_name(error), why),
          std::move(hint)};
}

bool has_seccomp_filter(const ProcessStatus& status) { return status.seccomp.value_or(0) == 2; }

Error seccomp_refusal(int error, const Root& root, const std::string& besides) {
  return refusal(error,
                 fmt::format("a seccomp filter is in force (Seccomp: 2 in /proc/self/status; "
                             "container: {}){}",
                             container_hints(root), besides),
                 "run outside the container, or with a seccomp profile that allows io_uring_setup, "
                 "io_uring_enter and io_uring_register");
}

/// kernel.io_uring_disabled=1: who would be let in, and that this process is not among them.
Error group_refusal(int error, const Answer& group) {
  const bool has_group = has_value(group) && group.text != "-1";
  return refusal(
      error,
      fmt::format("kernel.io_uring_disabled=1, and this process has neither CAP_SYS_ADMIN nor {}",
                  has_group ? fmt::format("group {} (kernel.io_uring_group)", group.text)
                            : "an allowed group (kernel.io_uring_group=-1: there is none)"),
      has_group ? fmt::format("run as root or in group {}, or set kernel.io_uring_disabled to 0",
                              group.text)
                : "run as root, or set kernel.io_uring_disabled to 0");
}

bool is_in_group(const ProcessStatus& status, const Answer& group) {
  const auto id = parse_number<std::uint32_t>(group.text);
  return has_value(group) && id &&
         std::find(status.groups.begin(), status.groups.end(), *id) != status.groups.end();
}

Error security_module_refusal(int error, const Root& root, const std::string& sysctl) {
  const Answer modules = attribute(root, "/sys/kernel/security/lsm", "securityfs is not mounted");
  const Answer apparmor =
      attribute(root, "/proc/sys/kernel/apparmor_restrict_unprivileged_io_uring", "");
  if (has_value(apparmor) && apparmor.text != "0") {
    return refusal(error,
                   fmt::format("kernel.apparmor_restrict_unprivileged_io_uring={}", apparmor.text),
                   "run as root, or set it to 0");
  }
  return refusal(error,
                 fmt::format("neither the sysctl ({}) nor a seccomp filter forbids it, so a "
                             "security module does; active: {}",
                             sysctl, text_of(modules)),
                 "look for a denial in the kernel log or the audit log, and allow io_uring there");
}

Error explain_forbidden(int error, const Root& root) {
  const Answer disabled =
      attribute(root, "/proc/sys/kernel/io_uring_disabled", "no such sysctl before Linux 6.6");
  const std::string sysctl = fmt::format("kernel.io_uring_disabled={}", text_of(disabled));
  const ProcessStatus status = read_process_status(root);
  if (has_value(disabled) && disabled.text == "2") {
    return refusal(
        error, "kernel.io_uring_disabled=2: nobody may use io_uring",
        "set it to 0 (sysctl kernel.io_uring_disabled=0) or run where io_uring is allowed");
  }
  const Answer group = attribute(root, "/proc/sys/kernel/io_uring_group", "no such sysctl");
  if (has_value(disabled) && disabled.text == "1" && !has_capability(status, CAP_SYS_ADMIN) &&
      !is_in_group(status, group)) {
    return group_refusal(error, group);
  }
  if (has_seccomp_filter(status)) {
    return seccomp_refusal(error, root, fmt::format("; {} does not forbid it", sysctl));
  }
  return security_module_refusal(error, root, sysctl);
}

Error explain_missing(int error, const Root& root) {
  const KernelConfig config = read_kernel_config(root);
  const bool has_filter = has_seccomp_filter(read_process_status(root));
  if (is_built_in(config, "IO_URING")) {
    const std::string besides = fmt::format("; {} says CONFIG_IO_URING=y", config.source);
    if (has_filter) {
      return seccomp_refusal(error, root, besides);
    }
    return refusal(
        error,
        fmt::format("{} says CONFIG_IO_URING=y, yet the system call does not exist", config.source),
        "this kernel was built from another configuration, or a sandbox that plays the "
        "kernel answers instead: run on the machine itself");
  }
  if (has_value(config.text)) {
    return refusal(
        error, fmt::format("io_uring is not built in ({} has no CONFIG_IO_URING=y)", config.source),
        "boot a kernel with CONFIG_IO_URING=y, 6.0 or later");
  }
  if (has_filter) {
    return seccomp_refusal(error, root, "; or io_uring is not built in");
  }
  return refusal(
      error,
      fmt::format("io_uring is not built in (the configuration is {})", text_of(config.text)),
      "boot a kernel with CONFIG_IO_URING=y, 6.0 or later");
}

Error explain_memory(int error, const Root& root) {
  const ProcessLimit memlock = read_process_limit(root, "Max locked memory");
  const std::string release = read_attribute(root.path("/proc/sys/kernel/osrelease")).text;
  const MemlockNeed need = memlock_need({}, release, std::nullopt,
                                        has_capability(read_process_status(root), CAP_IPC_LOCK));
  if (need.is_counted.value_or(false)) {
    return refusal(
        error,
        fmt::format("no locked memory left: RLIMIT_MEMLOCK is {} (bytes), and this kernel "
                    "(before 5.12) counts the rings of all of this user's processes "
                    "against it, per user",
                    text_of(memlock.soft)),
        "raise it (`ulimit -l`, limits.conf, LimitMEMLOCK=), or end other users of "
        "io_uring; memory of closed rings comes back a moment later");
  }
  return refusal(error, "the kernel has no memory for the ring",
                 "check the memory limit of the control group (memory.max) and MemAvailable in "
                 "/proc/meminfo; fewer or smaller rings need less");
}

Error explain_descriptors(int error, const Root& root) {
  if (error == ENFILE) {
    return refusal(error,
                   fmt::format("the machine's table of open files is full (fs.file-nr: {})",
                               text_of(attribute(root, "/proc/sys/fs/file-nr", "no fs.file-nr"))),
                   "close files, or raise fs.file-max");
  }
  const ProcessLimit files = read_process_limit(root, "Max open files");
  return refusal(error,
                 fmt::format("this process may open no more files: RLIMIT_NOFILE is {} (soft), {} "
                             "(hard)",
                             text_of(files.soft), text_of(files.hard)),
                 "raise it (`ulimit -n`, limits.conf, LimitNOFILE=)");
}

}  // namespace

Error explain_io_uring_setup(int error, const Root& root) {
  switch (error) {
    case EPERM:
    case EACCES:
      return explain_forbidden(error, root);
    case ENOSYS:
      return explain_missing(error, root);
    case ENOMEM:
      return explain_memory(error, root);
    case EMFILE:
    case ENFILE:
      return explain_descriptors(error, root);
    case EINVAL:
      return refusal(error, "this kernel does not know a set-up flag, or not this many entries",
                     "use the default ring set-up and smaller rings");
    default:
      return refusal(error, "not one of the causes that msgring knows",
                     "see io_uring_setup(2) and the kernel log");
  }
}

}  // namespace msgring::host
