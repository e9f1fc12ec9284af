// SPDX-License-Identifier: MIT
// Reading the log of a kernel build.
#pragma once

#include <string>
#include <string_view>

namespace msgring::tree {

/// The first line in which a compiler, a linker or make itself says what is wrong.
std::string first_error(std::string_view log);

/// Did the build stop because a disk is full?
bool says_disk_full(std::string_view log);

/// How far a build has come: lines such as "  CC      io_uring/rsrc.o".
struct BuildSteps {
  unsigned count = 0;
  std::string last;  ///< "CC io_uring/rsrc.o"
};

/// Adds the steps in the whole lines of `piece`, a part of the log; returns how many bytes it read.
std::size_t count_steps(std::string_view piece, BuildSteps& steps);

}  // namespace msgring::tree
