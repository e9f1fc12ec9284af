// SPDX-License-Identifier: MIT
// Does this kernel do what the fd-passing workloads need? Found out by doing it, never by version.
#pragma once

#include <string>

#include "msgring/uring/ring.hpp"

namespace msgring::uring {

/// What the trial transfers showed.
struct SendFdTrial {
  /// Does the target's completion carry the slot of an automatic allocation? Kernels without
  /// mainline 5da28edd7bd5 put 0 there; the sender's completion is then the only source.
  bool target_reports_slot;
};

/// Passes one file between two small rings with these set-up flags: into an automatically chosen
/// slot, then into the first, a middle and the last slot by number, then past the end, which must
/// be refused. Every slot is read back as a fixed file.
///
/// Throws Error (environment) that names the feature which is missing: sparse tables (5.19),
/// IORING_MSG_SEND_FD (6.0), automatic slots, explicit slots. Throws std::system_error from ring
/// set-up.
SendFdTrial try_send_fd(const RingSetup& source, const RingSetup& target);

/// Throws std::system_error if io_uring_setup with these flags is refused, and does nothing else.
void try_setup(const RingSetup& setup, const std::string& role);

/// What a negative result of an fd-passing message means, in words.
std::string explain_send_fd_result(int result);

}  // namespace msgring::uring
