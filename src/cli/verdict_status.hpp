// SPDX-License-Identifier: MIT
// What a comparison means for the exit status.
#pragma once

#include <string>
#include <vector>

#include "msgring/comparison/comparison.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {

/// kInvalid and kInconclusive for those verdicts; kFailOn when any entry's verdict is one of
/// `fail_on`; else kOk.
ExitStatus status_of(const comparison::Comparison& comparison,
                     const std::vector<std::string>& fail_on);

}  // namespace msgring::cli
