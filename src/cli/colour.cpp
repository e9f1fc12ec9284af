// SPDX-License-Identifier: MIT
// Colour only where a person looks.
#include "cli/colour.hpp"

#include <unistd.h>

#include <cstdlib>

namespace msgring::cli {

report::Colour colour_for_stdout(std::string_view wish) {
  if (wish == "always") {
    return report::Colour::kAlways;
  }
  const char* no_colour = std::getenv("NO_COLOR");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  return wish == "auto" && !refused && ::isatty(STDOUT_FILENO) == 1 ? report::Colour::kAlways
                                                                    : report::Colour::kNever;
}

}  // namespace msgring::cli
