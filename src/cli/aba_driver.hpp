// SPDX-License-Identifier: MIT
// The driver that a plan names.
#pragma once

#include <memory>
#include <stop_token>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// `local` is for the driver of that name. Throws Error (kUsage) where the plan wants tune-host and
/// this program stands in no tree with it.
std::unique_ptr<boot::Driver> make_driver(const boot::Plan& plan, const boot::RunSetup& setup,
                                          boot::LocalSetup local, const std::stop_token& stop);

}  // namespace msgring::cli
