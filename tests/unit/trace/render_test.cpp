// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <sstream>

#include "msgring/error.hpp"
#include "msgring/trace/job.hpp"
#include "msgring/trace/trace.hpp"

namespace msgring::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kInstall{"io_msg_ring", "__io_fixed_fd_install"};
const std::vector<std::string> kNode{"io_msg_ring", "__io_fixed_fd_install", "io_rsrc_node_alloc"};
const std::vector<std::string> kNew{"io_msg_ring", "__io_fixed_fd_install", "io_rsrc_node_alloc",
                                    "io_cache_alloc_new"};

Trace old_kernel() {
  return {"6.12.95",
          "first_fill",
          "slots:128/batch:64",
          true,
          true,
          {},
          {"io_cache_alloc_new"},
          {{"fill", "install", 128, {{{"io_msg_ring"}, 128}, {kInstall, 128}}, {}}}};
}

Trace new_kernel() {
  return {"7.1.3",
          "first_fill",
          "slots:128/batch:64",
          true,
          true,
          {},
          {},
          {{"fill",
            "install",
            128,
            {{{"io_msg_ring"}, 128}, {kInstall, 128}, {kNode, 128}, {kNew, 96}},
            {{MemoryEvent::kAllocation, "io_cache_alloc_new", 96, 6144}}}}};
}

TEST(TraceText, NestsCallsAndInfersTheCache) {
  const std::string text = trace_text(new_kernel());
  EXPECT_THAT(text, HasSubstr("       128      1.000       io_rsrc_node_alloc\n"));
  EXPECT_THAT(text, HasSubstr("        96      0.750         io_cache_alloc_new\n"));
  EXPECT_THAT(text, HasSubstr("nodes: 96 fresh, 32 from the cache (inferred)\n"));
  EXPECT_THAT(trace_text(old_kernel()), Not(HasSubstr("nodes:")));
  EXPECT_THAT(trace_text(old_kernel()),
              HasSubstr("- absent or inlined in 6.12.95: io_cache_alloc_new\n"));
}

TEST(TraceText, OfTwoKernelsSaysWhatIsNew) {
  const std::string text = comparison_text(old_kernel(), new_kernel());
  EXPECT_THAT(text, HasSubstr("128 installs: io_rsrc_node_alloc nested in __io_fixed_fd_install "
                              "0 -> 128\n"));
  EXPECT_THAT(text, HasSubstr("     1.000      1.000   io_msg_ring\n"));
  EXPECT_THAT(text, HasSubstr("     0.000      0.750   slab allocations\n"));
  EXPECT_THAT(text, Not(HasSubstr("__io_fixed_fd_install nested in io_msg_ring 128")));
}

TEST(TraceBrief, SaysOnlyWhatChanged) {
  EXPECT_EQ(comparison_brief(old_kernel(), new_kernel()),
            "first_fill slots:128/batch:64, one untimed round\n"
            "Phase fill\n"
            "128 installs: io_rsrc_node_alloc nested in __io_fixed_fd_install 0 -> 128\n"
            "128 installs: io_cache_alloc_new nested in io_rsrc_node_alloc 0 -> 96\n"
            "128 installs: slab allocations 0 -> 96\n");
  EXPECT_EQ(comparison_brief(new_kernel(), new_kernel()),
            "first_fill slots:128/batch:64, one untimed round\n"
            "Phase fill: the same calls and allocations\n");
}

TEST(TraceText, FitsAMail) {
  Trace trace = new_kernel();
  trace.release = "7.3.4+deb13-cloud-amd64";
  trace.reasons.assign(2,
                       "function_graph: not built into this kernel (it is none of "
                       "available_tracers), so that this is a long reason indeed");
  std::istringstream lines(trace_text(trace));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 76U) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

TEST(TraceJson, IsReadBackAsItWasWritten) {
  const std::string text = trace_json(new_kernel());
  EXPECT_EQ(trace_json(parse_trace(text, "x")), text);
}

TEST(TraceJson, DamageIsOneLine) {
  const std::string text = trace_json(new_kernel());
  for (const std::string& damaged :
       {text.substr(0, text.size() / 2), std::string("{}"), std::string("[1]"), std::string()}) {
    try {
      parse_trace(damaged, "guest");
      ADD_FAILURE() << damaged;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::kInvalid);
      EXPECT_THAT(error.what(), testing::StartsWith("guest: damaged trace: "));
    }
  }
}

TEST(TraceJob, SurvivesTheWayIntoAGuest) {
  const TraceJob job = parse_job(job_words({"cache", 64, 32, 7, std::nullopt}));
  EXPECT_EQ(job.workload, "cache");
  EXPECT_EQ(job.slots, 64U);
  EXPECT_EQ(job.batch, 32U);
  EXPECT_EQ(job.operations, 7U);
  EXPECT_THROW(parse_job({"cache"}), Error);
  EXPECT_THROW(parse_job({"cache", "x", "y"}), Error);
}

TEST(TraceJob, AnUnknownWorkloadIsNamed) {
  try {
    run_job({"no_such", 8, 4, 1, std::nullopt});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(describe(error), HasSubstr("--workload no_such: there is no such workload; use one "
                                           "of first_fill"));
  }
}

}  // namespace
}  // namespace msgring::trace
