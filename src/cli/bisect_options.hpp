// SPDX-License-Identifier: MIT
// What `msgring bisect` was asked.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "msgring/boot/kernels.hpp"
#include "msgring/boot/plan.hpp"

namespace msgring::cli {

struct BisectOptions {
  std::string releases;
  std::string tree;
  std::string good;
  std::string bad;
  std::string config;
  std::string flavour = std::string(boot::KernelFetcher::default_flavour());
  double threshold_percent = 5;
  std::string workload;
  std::string primary;
  unsigned seeds = 3;
  std::string unit = "auto";
  unsigned jobs = 0;
  unsigned memory_mib = 512;
  unsigned retries = 1;
  unsigned boot_deadline_s = 120;
  unsigned measure_deadline_s = 600;
  std::string out;
  std::string bench;
  std::string cache;
  std::string qemu = "qemu-system-x86_64";
  bool fetch = false;
  bool resume = false;
  bool no_explain = false;
  std::vector<std::string> arguments;  ///< after `--`: the benchmark's
};

/// "5" and "5%" are the same.
std::string without_percent_sign(std::string text);

/// Declares the options.
void add_bisect_options(CLI::App& command, BisectOptions& options);

/// What every boot of a step does. Throws Error (kUsage).
boot::Plan boot_plan_from(const BisectOptions& options, const std::string& good,
                          const std::string& bad);

}  // namespace msgring::cli
