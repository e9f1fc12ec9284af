// SPDX-License-Identifier: MIT
// Raising the descriptor limit, and the arithmetic of locked ring memory.
#include "msgring/host/limits.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "msgring/error.hpp"
#include "msgring/host/file.hpp"
#include "msgring/host/root.hpp"
#include "parse.hpp"
#include "process_status.hpp"

namespace msgring::host {
namespace {

rlimit limit_of(int resource, const char* name) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) {
    throw_system_error(errno, "getrlimit", name);
  }
  return limit;
}

std::uint64_t power_of_two_pages(std::uint64_t bytes, std::uint64_t page_bytes) {
  return std::bit_ceil((bytes + page_bytes - 1) / page_bytes) * page_bytes;
}

/// Is `release` older than 5.12? Nothing if it does not begin with "major.minor".
std::optional<bool> is_before_5_12(std::string_view release) {
  const std::size_t dot = release.find('.');
  const std::size_t end = release.find_first_not_of("0123456789", dot + 1);
  const auto major = parse_number<unsigned>(release.substr(0, dot));
  if (dot == std::string_view::npos || !major) {
    return std::nullopt;
  }
  const auto minor = parse_number<unsigned>(release.substr(dot + 1, end - dot - 1));
  if (!minor) {
    return std::nullopt;
  }
  return *major < 5 || (*major == 5 && *minor < 12);
}

std::string memlock_text(const MemlockNeed& need, std::size_t rings,
                         std::optional<bool> is_counting_kernel) {
  const std::string size = fmt::format("{} ring{} of {} KiB in all", rings, rings == 1 ? "" : "s",
                                       need.needed_bytes / 1024);
  if (!is_counting_kernel) {
    return size + "; unknown whether this kernel counts them against RLIMIT_MEMLOCK";
  }
  if (!*is_counting_kernel) {
    return size + "; not counted against RLIMIT_MEMLOCK by this kernel (5.12 or later)";
  }
  if (!*need.is_counted) {
    return size + "; not counted against RLIMIT_MEMLOCK, since this process has CAP_IPC_LOCK";
  }
  const std::string limit =
      need.limit_bytes ? fmt::format("{} KiB", *need.limit_bytes / 1024) : "unlimited";
  return fmt::format(
      "{}; this kernel (before 5.12) counts them against RLIMIT_MEMLOCK, {}, per user: the rings "
      "of all of this user's processes together",
      size, limit);
}

}  // namespace

std::uint64_t wanted_nofile(std::uint64_t slots, std::uint64_t soft, std::uint64_t hard) {
  return std::max(soft, std::min(slots + kNofileMargin, hard));
}

NofileLimit raise_nofile(std::uint64_t slots) {
  rlimit limit = limit_of(RLIMIT_NOFILE, "RLIMIT_NOFILE");
  NofileLimit result{limit.rlim_cur, wanted_nofile(slots, limit.rlim_cur, limit.rlim_max),
                     limit.rlim_max};
  if (result.soft_after < slots) {
    throw Error(
        ExitStatus::kEnvironment,
        fmt::format("a table of {} slots needs as many descriptors: RLIMIT_NOFILE is {} (soft), "
                    "{} (hard)",
                    slots, result.soft_before, result.hard),
        fmt::format("take at most {} slots, or raise the hard limit (`ulimit -Hn` shows it; "
                    "/etc/security/limits.conf, or LimitNOFILE= of a systemd unit)",
                    result.hard));
  }
  if (result.soft_after != result.soft_before) {
    limit.rlim_cur = result.soft_after;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      throw_system_error(errno, "setrlimit", fmt::format("RLIMIT_NOFILE {}", result.soft_after));
    }
  }
  return result;
}

std::string describe(const NofileLimit& limit) {
  if (limit.soft_after == limit.soft_before) {
    return fmt::format("soft {}, hard {}", limit.soft_before, limit.hard);
  }
  return fmt::format("soft {} raised to {}, hard {}", limit.soft_before, limit.soft_after,
                     limit.hard);
}

std::uint64_t ring_memory_bytes(const RingSize& ring, std::uint64_t page_bytes) {
  constexpr std::uint64_t kHeaderBytes = 320;  // struct io_rings up to its CQEs, cache-line aligned
  constexpr std::uint64_t kCqeBytes = 16;
  constexpr std::uint64_t kSqeBytes = 64;
  constexpr std::uint64_t kIndexBytes = 4;
  const std::uint64_t arrays =
      kHeaderBytes + kCqeBytes * ring.cq_entries + kIndexBytes * ring.sq_entries;
  return power_of_two_pages(arrays, page_bytes) +
         power_of_two_pages(kSqeBytes * ring.sq_entries, page_bytes);
}

MemlockNeed memlock_need(std::span<const RingSize> rings, std::string_view release,
                         std::optional<std::uint64_t> limit_bytes, bool has_ipc_lock) {
  const std::optional<bool> is_counting_kernel = is_before_5_12(release);
  MemlockNeed need{is_counting_kernel, 0, limit_bytes, true, {}};
  for (const RingSize& ring : rings) {
    need.needed_bytes += ring_memory_bytes(ring);
  }
  if (has_ipc_lock && is_counting_kernel) {
    need.is_counted = false;
  }
  need.fits = !need.is_counted.value_or(false) || !limit_bytes || need.needed_bytes <= *limit_bytes;
  need.text = memlock_text(need, rings.size(), is_counting_kernel);
  return need;
}

MemlockNeed memlock_need(std::span<const RingSize> rings) {
  const Root root;
  const rlimit limit = limit_of(RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK");
  const std::optional<std::uint64_t> bytes =
      limit.rlim_cur == RLIM_INFINITY ? std::nullopt : std::optional(limit.rlim_cur);
  return memlock_need(rings, read_attribute(root.path("/proc/sys/kernel/osrelease")).text, bytes,
                      has_capability(read_process_status(root), CAP_IPC_LOCK));
}

}  // namespace msgring::host
