// SPDX-License-Identifier: MIT
// The kernels of a sandwich, built from a git tree.
#pragma once

#include <stop_token>

#include "cli/aba_options.hpp"
#include "msgring/boot/plan.hpp"

namespace msgring::cli {

/// Builds every role's revision and puts the image, with its identity as facts, into the plan. The
/// last fact says which options of the configuration differ from the baseline's. Progress goes to
/// standard error. Throws what tree::KernelBuilder throws.
void build_roles(boot::Plan& plan, const AbaOptions& options, const std::stop_token& stop);

}  // namespace msgring::cli
