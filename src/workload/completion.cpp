// SPDX-License-Identifier: MIT
#include "workload/completion.hpp"

#include "msgring/error.hpp"

namespace msgring::workload {

std::string result_text(std::int32_t result) {
  if (result == kNoResult) {
    return "no result";
  }
  return result < 0 ? errno_name(-result) : std::to_string(result);
}

}  // namespace msgring::workload
