// SPDX-License-Identifier: MIT
// The driver that a plan names.
#pragma once

#include <memory>
#include <stop_token>

#include "cli/aba_options.hpp"
#include "msgring/boot/driver.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// `start` is for a run on this machine. Throws Error (kUsage) where the plan wants tune-host and
/// this program stands in no tree with it.
std::unique_ptr<boot::Driver> make_driver(const AbaOptions& options, const boot::Plan& plan,
                                          const boot::RunSetup& setup, boot::LocalStart start,
                                          const std::stop_token& stop);

}  // namespace msgring::cli
