// SPDX-License-Identifier: MIT
#include "msgring/uring/enter.hpp"

namespace msgring::uring {

Enter::Enter(const Ring& ring, std::int64_t timeout_s) noexcept
    : fd_(ring.enter_fd()),
      flags_(IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | ring.enter_flags()) {
  timeout_.tv_sec = timeout_s;
  argument_.ts = reinterpret_cast<std::uintptr_t>(&timeout_);
}

}  // namespace msgring::uring
