// SPDX-License-Identifier: MIT
// The gates over the whole comparison: are these the boots, kernels and machines they should be?
#pragma once

#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::comparison {

/// `boots_distinct`, `kernel_in_role`, `kernel_across_roles` (or `one_kernel` for A/A), `binary`,
/// `machine`. What a point file must say and does not fails its gate; of an imported table, which
/// cannot say it, the gate is unknown. `differences` are those of find_differences().
std::vector<stats::Gate> identity_gates(const std::vector<PointFacts>& points,
                                        const std::vector<Difference>& differences,
                                        const Plan& plan);

}  // namespace msgring::comparison
