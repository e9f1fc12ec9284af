// SPDX-License-Identifier: MIT
// The resolved plan as JSON.
#include "run_identity.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/error.hpp"
#include "msgring/host/sha256.hpp"

namespace msgring::boot {
namespace {

using nlohmann::ordered_json;

std::string digest_or_nothing(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? host::sha256_of_file(file) : "";
}

[[noreturn]] void refuse_change(const std::filesystem::path& file, bool is_there) {
  throw Error(ExitStatus::kUsage,
              fmt::format("{}: {} since the run began", file.native(),
                          is_there ? "has changed" : "is gone"),
              "bring it back, or begin a new run");
}

}  // namespace

std::map<char, ResolvedKernel> resolve_kernels(const Plan& plan, const KernelCache& cache,
                                               Driver& driver) {
  std::map<char, ResolvedKernel> kernels;
  for (const RolePlan& role : plan.roles) {
    const Kernel kernel = driver.find_kernel(role.kernel, cache);
    kernels[role.letter] = {kernel, driver.kernel_digest(kernel)};
    const auto known = role.facts.find(kImageDigestFact);
    if (known != role.facts.end() && known->second != kernels[role.letter].sha256) {
      throw Error(
          ExitStatus::kUsage,
          fmt::format("{}: is not the image that the plan describes", kernel.image.native()),
          "build it again, or leave out its facts");
    }
  }
  return kernels;
}

std::string identity_text(const RunIdentity& identity) {
  ordered_json kernels;
  for (const auto& [letter, resolved] : identity.kernels) {
    kernels[std::string(1, letter)] = {{"release", resolved.kernel.release},
                                       {"image", resolved.kernel.image.native()},
                                       {"config", resolved.kernel.config.native()},
                                       {"sha256", resolved.sha256}};
  }
  const ordered_json text{{"unit", host::unit_text(identity.unit)},
                          {"driver", identity.driver},
                          {"bench_sha256", identity.bench_sha256},
                          {"kernels", kernels},
                          {"memory", ordered_json(identity.memory)}};
  return text.dump(2) + "\n";
}

RunIdentity parse_identity(std::string_view text, std::string_view source) {
  try {
    const ordered_json json = ordered_json::parse(text);
    RunIdentity identity;
    identity.unit = json.at("unit") == host::unit_text(host::Unit::kInstructions)
                        ? host::Unit::kInstructions
                        : host::Unit::kNanoseconds;
    identity.driver = json.at("driver").get<std::string>();
    identity.bench_sha256 = json.at("bench_sha256").get<std::string>();
    identity.memory = json.value("memory", DriverMemory{});
    for (const auto& [letter, kernel] : json.at("kernels").items()) {
      identity.kernels[letter.at(0)] = {
          {kernel.at("release").get<std::string>(), kernel.at("image").get<std::string>(),
           kernel.at("config").get<std::string>()},
          kernel.at("sha256").get<std::string>()};
    }
    return identity;
  } catch (const ordered_json::exception& error) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: {}", source, error.what()),
                "the folder is damaged; begin a new run");
  }
}

void check_identity(const RunIdentity& stored, const std::filesystem::path& bench_program,
                    Driver& driver) {
  if (stored.driver != driver.name()) {
    throw Error(
        ExitStatus::kUsage,
        fmt::format("the run was begun with the driver {}, not {}", stored.driver, driver.name()),
        "resume without options: the stored plan is taken");
  }
  const auto check = [](const std::filesystem::path& file, const std::string& digest,
                        const std::string& expected) {
    if (digest != expected) {
      refuse_change(file, !digest.empty());
    }
  };
  check(bench_program, digest_or_nothing(bench_program), stored.bench_sha256);
  for (const auto& [letter, resolved] : stored.kernels) {
    check(resolved.kernel.image, driver.kernel_digest(resolved.kernel), resolved.sha256);
  }
}

}  // namespace msgring::boot
