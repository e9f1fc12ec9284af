// SPDX-License-Identifier: MIT
// Naming the hunk that git refused: its messages as git 2.39 prints them.
#include "patch.hpp"

#include <gtest/gtest.h>

namespace msgring::tree {
namespace {

constexpr const char* kPatch =
    "--- a/io_uring/rsrc.c\n+++ b/io_uring/rsrc.c\n"
    "@@ -10,3 +10,3 @@ int f(void)\n a\n-b\n+c\n d\n"
    "@@ -120,3 +120,3 @@ int g(void)\n a\n-b\n+c\n d\n"
    "--- a/io_uring/msg_ring.c\n+++ b/io_uring/msg_ring.c\n"
    "@@ -120 +120 @@ int h(void)\n-b\n+c\n";

TEST(RejectedHunk, IsNamedByItsNumberFileAndHeader) {
  EXPECT_EQ(rejected_hunk(kPatch,
                          "error: patch failed: io_uring/rsrc.c:120\n"
                          "error: io_uring/rsrc.c: patch does not apply\n"),
            "hunk 2 of io_uring/rsrc.c (@@ -120,3 +120,3 @@ int g(void))");
  EXPECT_EQ(rejected_hunk(kPatch, "error: patch failed: io_uring/msg_ring.c:120\n"),
            "hunk 1 of io_uring/msg_ring.c (@@ -120 +120 @@ int h(void))");
}

TEST(RejectedHunk, IsGitsOwnReasonWhereThereIsNoHunk) {
  EXPECT_EQ(rejected_hunk("", "error: No valid patches in input (allow with \"--allow-empty\")\n"),
            "No valid patches in input (allow with \"--allow-empty\")");
  EXPECT_EQ(rejected_hunk(kPatch, "error: io_uring/gone.c: does not exist in index\n"),
            "io_uring/gone.c: does not exist in index");
}

}  // namespace
}  // namespace msgring::tree
