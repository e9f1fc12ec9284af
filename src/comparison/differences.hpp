// SPDX-License-Identifier: MIT
// Where the points' contexts differ, and what each difference means.
#pragma once

#include <string_view>
#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::comparison {

/// How a context key is treated.
enum class KeyKind {
  kPerBoot,   ///< differs from boot to boot by nature: date, boot_id, load
  kKernel,    ///< the kernel and its command line: what may be under test
  kIdentity,  ///< must be known and equal: binary, CPU, clock
  kControl,   ///< must be equal where known: governor, ring flags, accelerator, libraries
  kConfound,  ///< may explain a result: preemption mode, ASLR
  kOther,     ///< listed
};

KeyKind kind_of(std::string_view key) noexcept;

/// Every key whose values differ between any two points, in the order of the first point's context.
/// Two unknown values are never equal; absent ones are. The value of `msgring.arguments` is
/// compared without the name of the output file, that of `cpu.mitigations` vulnerability by
/// vulnerability (`cpu.mitigations.spectre_v2`), where "not affected" and "unheard of" are equal.
std::vector<Difference> find_differences(const std::vector<PointFacts>& points, const Plan& plan);

/// The value of `key` as it is compared; "unknown (not recorded)" if a point lacks it.
std::string compared_value(const PointFacts& point, std::string_view key);

}  // namespace msgring::comparison
