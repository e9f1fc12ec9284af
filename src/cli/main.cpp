// SPDX-License-Identifier: MIT
// msgring: the toolbox. Every subcommand is a file of its own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/aba.hpp"
#include "cli/abort.hpp"
#include "cli/bisect.hpp"
#include "cli/bisect_step.hpp"
#include "cli/check.hpp"
#include "cli/compare.hpp"
#include "cli/doctor.hpp"
#include "cli/explain.hpp"
#include "cli/kernel.hpp"
#include "cli/kernels.hpp"
#include "cli/resume.hpp"
#include "cli/show.hpp"
#include "cli/status.hpp"
#include "cli/trace.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {
namespace {

constexpr const char* kExitStatuses =
    "Exit status: 0 unchanged, faster or done; 1 what --fail-on named; 2 usage; 3 invalid;\n"
    "4 inconclusive; 5 this machine cannot do it.";

int usage_status(const CLI::App& app, const CLI::ParseError& error) {
  const int status = app.exit(error);
  if (status != 0 && app.got_subcommand(kBisectStep)) {
    return static_cast<int>(BisectExit::kAbort);
  }
  return status == 0 ? 0 : static_cast<int>(ExitStatus::kUsage);
}

int run(int argc, char** argv) {
  CLI::App app("What a fixed-file installation costs, and whether a kernel change made it slower");
  app.name("msgring");
  app.set_version_flag("--version", std::string("msgring ") + MSGRING_VERSION);
  app.require_subcommand(1);
  app.footer(kExitStatuses);
  ExitStatus status = ExitStatus::kOk;
  add_compare(app, status);
  add_show(app, status);
  add_check(app, status);
  add_aba(app, status);
  add_resume(app, status);
  add_status(app, status);
  add_abort(app, status);
  add_kernel(app, status);
  add_bisect(app, status);
  add_bisect_step(app, status);
  add_kernels(app, status);
  add_doctor(app, status);
  add_explain(app, status);
  add_trace(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage_status(app, error);
  }
  return static_cast<int>(status);
}

}  // namespace
}  // namespace msgring::cli

int main(int argc, char** argv) {
  try {
    return msgring::cli::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "msgring: error: {}\n", msgring::describe(error));
    return static_cast<int>(msgring::exit_status_of(error));
  }
}
