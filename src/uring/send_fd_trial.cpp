// SPDX-License-Identifier: MIT
// Trial transfers over two small rings.
#include "msgring/uring/send_fd_trial.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "msgring/error.hpp"
#include "msgring/uring/abi.hpp"
#include "msgring/uring/enter.hpp"

namespace msgring::uring {
namespace {

constexpr std::uint32_t kTrialSlots = 8;
constexpr std::uint32_t kTrialEntries = 8;
constexpr std::int64_t kTrialTimeoutSeconds = 5;
constexpr std::uint8_t kTrialByte = 0xA5;
constexpr std::uint64_t kSourceTag = 0x7472'6961'6C00'0001;
constexpr std::uint64_t kTargetTag = 0x7472'6961'6C00'0002;

[[noreturn]] void lacks(const std::string& what, const std::string& why, const std::string& hint) {
  throw Error(ExitStatus::kEnvironment, fmt::format("{}: {}", what, why), hint);
}

/// The memfd whose single byte proves that a slot holds this file.
class TrialFile {
 public:
  TrialFile() : fd_(::memfd_create("msgring-trial", MFD_CLOEXEC)) {
    if (fd_ < 0) {
      throw_system_error(errno, "memfd_create", "trial file");
    }
    if (::pwrite(fd_, &kTrialByte, 1, 0) != 1) {
      const int error = errno;
      ::close(fd_);
      throw_system_error(error, "pwrite", "trial file");
    }
  }
  ~TrialFile() { ::close(fd_); }
  TrialFile(const TrialFile&) = delete;
  TrialFile& operator=(const TrialFile&) = delete;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Submits what was prepared on `ring` and returns the completion with `user_data`.
io_uring_cqe complete_one(Ring& ring, std::uint64_t user_data) {
  if (const int submitted = io_uring_submit(ring.raw()); submitted < 0) {
    throw_system_error(-submitted, "io_uring_enter", ring.role());
  }
  __kernel_timespec limit{kTrialTimeoutSeconds, 0};
  io_uring_cqe* seen = nullptr;
  const int waited = io_uring_wait_cqe_timeout(ring.raw(), &seen, &limit);
  if (waited < 0) {
    throw_system_error(-waited, "io_uring_enter", ring.role() + ", waiting for the trial");
  }
  const io_uring_cqe completion = *seen;
  io_uring_cqe_seen(ring.raw(), seen);
  if (completion.user_data != user_data) {
    lacks("trial transfer", ring.role() + " returned a completion of something else",
          "this kernel's completions cannot be trusted");
  }
  return completion;
}

class TrialPair {
 public:
  TrialPair(const RingSetup& source, const RingSetup& target)
      : source_({kTrialEntries, 0, source.flags}, "source ring (trial)"),
        target_({kTrialEntries, 0, target.flags}, "target ring (trial)") {
    const std::array<int, 1> fds{file_.fd()};
    source_.register_files(fds);
  }

  void register_sparse_table() {
    try {
      target_.register_sparse_files(kTrialSlots);
    } catch (const std::system_error& error) {
      lacks("sparse fixed-file table", error.what(), "needs Linux 5.19 or newer");
    }
  }

  /// Sends fixed file 0 to `file_index` (slot + 1, or kFileIndexAlloc); returns the sender's
  /// result.
  int send(std::uint32_t file_index) {
    io_uring_sqe* sqe = io_uring_get_sqe(source_.raw());
    io_uring_prep_rw(IORING_OP_MSG_RING, sqe, target_.fd(), nullptr, 0, kTargetTag);
    sqe->addr = kMsgSendFd;
    sqe->addr3 = 0;
    sqe->file_index = file_index;
    sqe->user_data = kSourceTag;
    return complete_one(source_, kSourceTag).res;
  }

  /// The target's completion of the last send.
  int received() { return complete_one(target_, kTargetTag).res; }

  /// Reads the file's byte through `slot` as a fixed file: 1, or a negative result.
  int read_back(int slot) {
    std::uint8_t byte = 0;
    io_uring_sqe* sqe = io_uring_get_sqe(target_.raw());
    io_uring_prep_read(sqe, slot, &byte, 1, 0);
    sqe->flags |= IOSQE_FIXED_FILE;
    sqe->user_data = kTargetTag;
    const int result = complete_one(target_, kTargetTag).res;
    return result == 1 && byte != kTrialByte ? -EILSEQ : result;
  }

 private:
  TrialFile file_;
  Ring source_;
  Ring target_;
};

/// Automatic allocation; returns whether the target's completion named the slot.
bool try_automatic(TrialPair& pair) {
  bool reported = true;
  // Two transfers: the second slot is not 0, so a target completion of 0 is told from a real slot.
  for (int turn = 0; turn < 2; ++turn) {
    const int slot = pair.send(kFileIndexAlloc);
    if (slot < 0) {
      lacks("IORING_MSG_SEND_FD with an automatic slot", explain_send_fd_result(slot),
            "needs Linux 6.0 or newer");
    }
    reported = pair.received() == slot && reported;
    if (const int read = pair.read_back(slot); read != 1) {
      lacks(
          "IORING_MSG_SEND_FD with an automatic slot",
          fmt::format("slot {} does not read back as the fixed file ({})", slot, errno_name(-read)),
          "IORING_FILE_INDEX_ALLOC was mangled on its way (liburing 2.3's helpers do that)");
    }
  }
  return reported;
}

void try_explicit(TrialPair& pair) {
  for (const std::uint32_t slot : {0U, kTrialSlots / 2, kTrialSlots - 1}) {
    if (const int result = pair.send(slot + 1); result < 0) {
      lacks(fmt::format("IORING_MSG_SEND_FD into slot {}", slot), explain_send_fd_result(result),
            "use --slot-mode alloc");
    }
    pair.received();
    if (const int read = pair.read_back(static_cast<int>(slot)); read != 1) {
      lacks(fmt::format("IORING_MSG_SEND_FD into slot {}", slot),
            "the slot does not read back as the fixed file", "use --slot-mode alloc");
    }
  }
  if (const int past = pair.send(kTrialSlots + 1); past != -EINVAL) {
    lacks("IORING_MSG_SEND_FD past the last slot",
          fmt::format("gave {} where EINVAL is due", past < 0 ? errno_name(-past) : "success"),
          "this kernel does not check slots; its numbers mean nothing");
  }
}

}  // namespace

std::string explain_send_fd_result(int result) {
  struct Meaning {
    int error;
    const char* text;
  };
  static constexpr Meaning kMeanings[] = {
      {EINVAL, "command or flag unknown to this kernel, or slot out of range"},
      {EBADFD, "the target is no ring, or is still disabled"},
      {EBADF, "the source slot is empty"},
      {ENXIO, "the target has no file table"},
      {ENFILE, "no free slot in the target's table"},
      {EOVERFLOW, "the file was installed, but the target got no completion"},
      {EOWNERDEAD, "the target ring's owner thread is gone"},
      {EEXIST, "wrong thread for a single-issuer ring"},
      {ENOMEM, "no memory for the request or its completion"},
      {EOPNOTSUPP, "operation unknown to this kernel"},
  };
  for (const Meaning& meaning : kMeanings) {
    if (result == -meaning.error) {
      return fmt::format("{} ({})", errno_name(-result), meaning.text);
    }
  }
  return result < 0 ? errno_name(-result) : fmt::format("result {}", result);
}

void try_setup(const RingSetup& setup, const std::string& role) { const Ring ring(setup, role); }

SendFdTrial try_send_fd(const RingSetup& source, const RingSetup& target) {
  TrialPair pair(source, target);
  pair.register_sparse_table();
  const bool reported = try_automatic(pair);
  try_explicit(pair);
  return {reported};
}

}  // namespace msgring::uring
