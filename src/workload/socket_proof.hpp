// SPDX-License-Identifier: MIT
// The proof that a slot holds a datagram socket: one that works delivers what is sent through it.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <optional>

#include "msgring/host/fd.hpp"
#include "msgring/uring/ring.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// One slot tried: `result` of sending the four bytes of its number through it, and the number that
/// arrived, if one did. A filled slot must deliver its own number; an empty one must give EBADF and
/// deliver nothing.
void check_socket_slot(std::uint32_t slot, bool filled, std::int32_t result,
                       std::optional<std::uint32_t> arrived, CheckReport& report);

/// A bound AF_UNIX datagram socket that the sockets in a table send to.
class SocketProof {
 public:
  /// Throws std::system_error.
  SocketProof();

  /// Sends through every slot of `ring`'s table and checks what arrives. Untimed; the ring must be
  /// idle.
  void prove(uring::Ring& ring, const SlotSet& filled, std::uint32_t round, std::int64_t timeout_s,
             CheckReport& report);

 private:
  std::optional<std::uint32_t> receive() const noexcept;

  host::FileDescriptor receiver_;
  sockaddr_un address_{};
  socklen_t address_size_ = sizeof(address_);
};

}  // namespace msgring::workload
