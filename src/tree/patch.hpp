// SPDX-License-Identifier: MIT
// Which hunk of a patch git could not apply.
#pragma once

#include <string>
#include <string_view>

namespace msgring::tree {

/// What git-apply(1) said about `patch`, in terms of the patch: "hunk 2 of io_uring/rsrc.c
/// (@@ -120,7 +120,9 @@ int f(void))". Git names a file and the line where the hunk should have
/// begun; what it says is returned as it is where the patch has no such hunk.
std::string rejected_hunk(std::string_view patch, const std::string& git_errors);

}  // namespace msgring::tree
