// SPDX-License-Identifier: MIT
// What a plan was resolved to when its run began: the same things must still be there on resume.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::boot {

/// A role's kernel, found and identified.
struct ResolvedKernel {
  Kernel kernel;
  std::string sha256;
};

struct RunIdentity {
  host::Unit unit = host::Unit::kNanoseconds;
  std::string driver;
  std::string bench_sha256;
  std::map<char, ResolvedKernel> kernels;
  DriverMemory memory = {};
};

/// Has the driver find each role's kernel. Throws Error (kUsage), also for an image that is not the
/// one of its role's facts.
std::map<char, ResolvedKernel> resolve_kernels(const Plan& plan, const KernelCache& cache,
                                               Driver& driver);

std::string identity_text(const RunIdentity& identity);
/// Throws Error (kInvalid) for what identity_text() does not write.
RunIdentity parse_identity(std::string_view text, std::string_view source);

/// Throws Error (kUsage) when a stored identity's files are gone or have changed, or `driver` is
/// another one than then.
void check_identity(const RunIdentity& stored, const std::filesystem::path& bench_program,
                    Driver& driver);

}  // namespace msgring::boot
