// SPDX-License-Identifier: MIT
// What `msgring aba` was asked, and the plan made from it.
#pragma once

#include <CLI/App.hpp>
#include <map>
#include <string>
#include <vector>

#include "cli/aba_report.hpp"
#include "cli/local_options.hpp"
#include "msgring/boot/plan.hpp"

namespace msgring::cli {

/// One side, as the command line gives it.
struct RoleOptions {
  std::string kernel;
  std::string append;
  std::string patch;                ///< these two with --tree: on top of the revision
  std::vector<std::string> config;  ///< CONFIG_X=n, or a .config file
};

struct AbaOptions {
  std::map<char, RoleOptions> roles;  ///< every letter that has options, asked for or not
  std::string plan_file;
  std::string tree;  ///< kernels are built from this git tree: roles name its revisions
  std::string order;
  unsigned repeat = 1;
  unsigned seeds = 3;
  std::string unit = "auto";
  unsigned jobs = 0;
  unsigned memory_mib = 512;
  unsigned retries = 2;
  unsigned boot_deadline_s = 120;
  unsigned measure_deadline_s = 600;
  std::string out;
  std::string bench;
  std::string qemu = boot::RunSetup().emulator;
  std::string cache;
  bool resume = false;
  bool dry_run = false;
  bool fetch = false;
  std::string driver = "qemu";
  boot::BoxPlan box;
  LocalOptions local;
  std::string boot = "kexec";
  double threshold_percent = 1;
  ReportOptions report;
  std::vector<std::string> arguments;  ///< after `--`: the benchmark's
};

/// Declares the options.
void add_aba_options(CLI::App& command, AbaOptions& options);

/// A role's kernel, or what the baseline has: "HEAD" of a tree, else "6.12".
std::string kernel_of(const AbaOptions& options, char letter);

/// The plan: a stored one with --resume, a file's with --plan, else made from the options.
/// Throws Error (kUsage).
boot::Plan plan_from(const AbaOptions& options);

}  // namespace msgring::cli
