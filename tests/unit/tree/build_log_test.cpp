// SPDX-License-Identifier: MIT
// What a build's log says: lines as gcc 12, binutils 2.40 and make 4.3 print them.
#include "build_log.hpp"

#include <gtest/gtest.h>

namespace msgring::tree {
namespace {

TEST(BuildLog, GivesTheCompilersOwnFirstError) {
  EXPECT_EQ(first_error("  CC      io_uring/rsrc.o\n"
                        "../io_uring/rsrc.c: In function 'io_rsrc_node_alloc':\n"
                        "../io_uring/rsrc.c:231:9: error: 'nod' undeclared (first use)\n"
                        "../io_uring/rsrc.c:232:9: error: another\n"
                        "make[4]: *** [../scripts/Makefile.build:290: io_uring/rsrc.o] Error 1\n"),
            "../io_uring/rsrc.c:231:9: error: 'nod' undeclared (first use)");
}

TEST(BuildLog, GivesTheLinkersOrMakesWhereNoCompilerSpoke) {
  EXPECT_EQ(first_error("ld: io_uring/rsrc.o: in function `f':\n"
                        "rsrc.c:(.text+0x1): undefined reference to `g'\nmake: *** Error 1\n"),
            "rsrc.c:(.text+0x1): undefined reference to `g'");
  EXPECT_EQ(first_error("x\nmake: *** No rule to make target 'bzImage'.  Stop.\n"),
            "make: *** No rule to make target 'bzImage'.  Stop.");
  EXPECT_EQ(first_error(""), "make says nothing");
}

TEST(BuildLog, CountsStepsByWholeLines) {
  BuildSteps steps;
  const std::string piece = "make[1]: Entering\n  CC      a.o\n  LD      vmlinux\n  CC      b";
  EXPECT_EQ(count_steps(piece, steps), piece.size() - std::string("  CC      b").size());
  EXPECT_EQ(steps.count, 2U);
  EXPECT_EQ(steps.last, "LD vmlinux");
}

}  // namespace
}  // namespace msgring::tree
