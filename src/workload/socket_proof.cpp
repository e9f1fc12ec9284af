// SPDX-License-Identifier: MIT
#include "workload/socket_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "msgring/error.hpp"
#include "workload/untimed_batch.hpp"

namespace msgring::workload {
namespace {

/// A receiver's queue holds 10 datagrams by default (net.unix.max_dgram_qlen).
constexpr std::uint32_t kChunk = 8;

SqeShape send_to_receiver() {
  io_uring_sqe sqe{};
  io_uring_prep_sendmsg(&sqe, 0, nullptr, MSG_DONTWAIT);
  sqe.flags |= IOSQE_FIXED_FILE;
  return SqeShape(sqe);
}

}  // namespace

void check_socket_slot(std::uint32_t slot, bool filled, std::int32_t result,
                       std::optional<std::uint32_t> arrived, CheckReport& report) {
  report.performed(Check::kSlotUnreadable);
  report.performed(Check::kSentinel);
  const std::int32_t due = filled ? std::int32_t{sizeof(slot)} : -EBADF;
  if (result != due) {
    report.fail(Check::kSlotUnreadable, fmt::format("slot {}: sending gave {}, {} is due", slot,
                                                    result_text(result), filled ? "4" : "EBADF"));
  } else if (arrived != (filled ? std::optional(slot) : std::nullopt)) {
    report.fail(Check::kSentinel,
                fmt::format("slot {}: {} arrived", slot,
                            arrived ? std::to_string(*arrived) : std::string("nothing")));
  }
}

SocketProof::SocketProof()
    : receiver_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (!receiver_.valid()) {
    throw_system_error(errno, "socket", "AF_UNIX, SOCK_DGRAM");
  }
  address_.sun_family = AF_UNIX;
  auto* const address = reinterpret_cast<sockaddr*>(&address_);
  // Binding the family alone lets the kernel choose a name that no file stands for.
  if (::bind(receiver_.get(), address, sizeof(address_.sun_family)) != 0 ||
      ::getsockname(receiver_.get(), address, &address_size_) != 0) {
    throw_system_error(errno, "bind", "AF_UNIX, SOCK_DGRAM");
  }
}

std::optional<std::uint32_t> SocketProof::receive() const noexcept {
  std::uint32_t number = 0;
  const ssize_t size = ::recv(receiver_.get(), &number, sizeof(number), 0);
  return size == sizeof(number) ? std::optional(number) : std::nullopt;
}

void SocketProof::prove(uring::Ring& ring, const SlotSet& filled, std::uint32_t round,
                        std::int64_t timeout_s, CheckReport& report) {
  std::array<std::uint32_t, kChunk> numbers{};
  std::array<iovec, kChunk> contents{};
  std::array<msghdr, kChunk> messages{};
  std::array<std::int32_t, kChunk> results{};
  for (std::uint32_t number = 0; number < kChunk; ++number) {
    contents[number] = {&numbers[number], sizeof(numbers[number])};
    messages[number].msg_name = &address_;
    messages[number].msg_namelen = address_size_;
    messages[number].msg_iov = &contents[number];
    messages[number].msg_iovlen = 1;
  }
  const auto slots = static_cast<std::uint32_t>(filled.size());
  const std::uint64_t base = user_data_base(Stream::kReadBack, round);
  for (std::uint32_t first = 0; first < slots; first += kChunk) {
    const std::uint32_t count = std::min(kChunk, slots - first);
    const bool complete =
        run_untimed(ring, send_to_receiver(), base + first, std::span(results).first(count),
                    timeout_s, report, [&](io_uring_sqe& sqe, std::uint32_t number) {
                      numbers[number] = first + number;
                      sqe.fd = static_cast<std::int32_t>(first + number);
                      sqe.addr = reinterpret_cast<std::uintptr_t>(&messages[number]);
                    });
    if (!complete) {
      return;
    }
    for (std::uint32_t number = 0; number < count; ++number) {
      const bool sent = results[number] >= 0;
      check_socket_slot(first + number, filled[first + number], results[number],
                        sent ? receive() : std::nullopt, report);
    }
  }
}

}  // namespace msgring::workload
