// SPDX-License-Identifier: MIT
// Comparisons that the report tests share.
#pragma once

#include "msgring/comparison/comparison.hpp"

namespace msgring::testing_reports {

/// The public evidence: one comparison, `slower`.
comparison::Comparison public_evidence();
/// The public run whose drift gate fails: `inconclusive`, no finding.
comparison::Comparison drifting_evidence();
/// Three kernels U, P, C, C, P, U and three phases, with a confound: six comparisons.
comparison::Comparison three_roles();
/// Three seeds of an emulated machine, in instructions: `slower`.
comparison::Comparison emulated();
/// One boot compared with itself: `invalid`.
comparison::Comparison one_boot();

}  // namespace msgring::testing_reports
