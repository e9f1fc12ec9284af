// SPDX-License-Identifier: MIT
// Identity gates, each with what was seen.
#include "comparison/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "comparison/differences.hpp"
#include "comparison/roles.hpp"

namespace msgring::comparison {
namespace {

using stats::Gate;
using stats::GateState;

constexpr std::array<std::string_view, 5> kKernelKeys = {"kernel.build_id", "kernel.release",
                                                         "kernel.version", "kernel.cmdline",
                                                         "kernel.config_sha256"};
constexpr std::array<std::string_view, 5> kMachineKeys = {
    "msgring.clock", "msgring.arguments", "cpu.model", "cpu.pinned", "cpu.clocksource"};

bool is_known(std::string_view value) {
  return !point::is_unknown(value) && !point::is_absent(value);
}

Gate failed(std::string name, std::string figure, std::string advice) {
  return {std::move(name), GateState::kFailed, std::move(figure), std::move(advice)};
}

Gate passed(std::string name, std::string figure) {
  return {std::move(name), GateState::kPassed, std::move(figure), {}};
}

// Two boots by what witnesses them: the run that a driver started, or the kernel's own boot_id.
// Under a fixed seed an emulated machine repeats even the latter.
std::string boot_witness(const PointFacts& point) {
  const std::string* run = point.context.find("boot.run_id");
  return run != nullptr ? "run " + *run : "boot_id " + compared_value(point, "kernel.boot_id");
}

bool has_known_witness(const PointFacts& point) {
  return point.context.find("boot.run_id") != nullptr ||
         is_known(compared_value(point, "kernel.boot_id"));
}

// A boot_id that changed although the machine did not boot: seen where a container makes its own.
bool same_start(const PointFacts& a, const PointFacts& b) {
  const std::string* start = a.context.find("kernel.btime");
  return start != nullptr && is_known(*start) && a.seed.empty() &&
         a.context.find("boot.run_id") == nullptr && compared_value(b, "kernel.btime") == *start;
}

constexpr std::string_view kBootAdvice =
    "boot the machine between points; --same-boot is for trying things out";

Gate boots_distinct(const std::vector<PointFacts>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!has_known_witness(points[i])) {
      return failed("boots_distinct",
                    fmt::format("{}: kernel.boot_id is {}", points[i].label,
                                compared_value(points[i], "kernel.boot_id")),
                    "measure with msgring_bench where /proc is mounted");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (boot_witness(points[i]) == boot_witness(points[j])) {
        return failed("boots_distinct",
                      fmt::format("{} and {} are one boot ({})", points[j].label, points[i].label,
                                  boot_witness(points[i])),
                      std::string(kBootAdvice));
      }
      if (same_start(points[i], points[j])) {
        return failed("boots_distinct",
                      fmt::format("{} and {} have different boot_ids, but started in one second",
                                  points[j].label, points[i].label),
                      std::string(kBootAdvice));
      }
    }
  }
  return passed("boots_distinct", fmt::format("{} boots", points.size()));
}

// The first kernel key in which two points are known to differ.
std::optional<std::string_view> kernel_difference(const PointFacts& a, const PointFacts& b) {
  const auto* const found =
      std::find_if(kKernelKeys.begin(), kKernelKeys.end(), [&](std::string_view key) {
        const std::string first = compared_value(a, key);
        const std::string second = compared_value(b, key);
        return is_known(first) && is_known(second) && first != second;
      });
  return found == kKernelKeys.end() ? std::nullopt : std::optional(*found);
}

bool knows_kernel(const PointFacts& point) {
  return is_known(compared_value(point, "kernel.release")) &&
         is_known(compared_value(point, "kernel.version"));
}

std::string values_of(std::string_view key, const PointFacts& a, const PointFacts& b) {
  return fmt::format("{} is \"{}\" in {} and \"{}\" in {}", key, compared_value(a, key), a.label,
                     compared_value(b, key), b.label);
}

Gate kernel_in_role(const std::vector<PointFacts>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!knows_kernel(points[i])) {
      return failed("kernel_in_role",
                    fmt::format("{}: its kernel is not recorded", points[i].label),
                    "measure with msgring_bench");
    }
    for (std::size_t j = 0; j < i; ++j) {
      const auto key = kernel_difference(points[j], points[i]);
      if (points[i].role == points[j].role && key) {
        return failed("kernel_in_role", values_of(*key, points[j], points[i]),
                      "one role is one kernel with one command line: check the order of the files");
      }
    }
  }
  return passed("kernel_in_role", "one kernel and command line in each role");
}

Gate one_kernel(const std::vector<PointFacts>& points) {
  for (const PointFacts& point : points) {
    if (const auto key = kernel_difference(points.front(), point)) {
      return failed("one_kernel", values_of(*key, points.front(), point),
                    "--a-a compares a kernel with itself");
    }
  }
  return passed("one_kernel", "one kernel and command line in all points");
}

Gate kernel_across_roles(const std::vector<PointFacts>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (points[i].role != points[j].role && !kernel_difference(points[j], points[i])) {
        return failed("kernel_across_roles",
                      fmt::format("{} and {} are one kernel with one command line", points[j].label,
                                  points[i].label),
                      "boot another kernel for the other role; one kernel against itself is --a-a");
      }
    }
  }
  return passed("kernel_across_roles", "another kernel or command line in each role");
}

Gate binary(const std::vector<PointFacts>& points) {
  const std::string first = compared_value(points.front(), "msgring.binary_sha256");
  for (const PointFacts& point : points) {
    const std::string other = compared_value(point, "msgring.binary_sha256");
    if (!is_known(other) || other != first) {
      return failed("binary",
                    is_known(other)
                        ? values_of("msgring.binary_sha256", points.front(), point)
                        : fmt::format("{}: msgring.binary_sha256 is {}", point.label, other),
                    "measure every boot with the same msgring_bench");
    }
  }
  return passed("binary", fmt::format("SHA-256 {}... in all points", first.substr(0, 12)));
}

Gate machine(const std::vector<PointFacts>& points, const std::vector<Difference>& differences) {
  for (const std::string_view key : kMachineKeys) {
    if (std::all_of(points.begin(), points.end(),
                    [&](const PointFacts& point) { return point.context.find(key) == nullptr; })) {
      return failed("machine", fmt::format("{} is not recorded", key),
                    "measure with msgring_bench");
    }
  }
  std::size_t blocking = 0;
  std::string first;
  for (const Difference& difference : differences) {
    if (difference.weight != Weight::kBlocks || kind_of(difference.key) == KeyKind::kKernel ||
        difference.key == "msgring.binary_sha256") {
      continue;
    }
    ++blocking;
    if (first.empty()) {
      const auto other = std::find_if(
          difference.values.begin(), difference.values.end(), [&](const std::string& value) {
            return value != difference.values.front() || point::is_unknown(value);
          });
      const auto at = static_cast<std::size_t>(other - difference.values.begin());
      first = at == 0 ? fmt::format("{}: {} is {}", points[0].label, difference.key, *other)
                      : values_of(difference.key, points[0], points[at]);
    }
  }
  if (blocking > 0) {
    return failed("machine",
                  blocking == 1 ? first : fmt::format("{}, and {} more", first, blocking - 1),
                  "measure under the same controls, or name the key with --allow");
  }
  return passed("machine", "same CPU, clock, controls, arguments and libraries");
}

Gate unless_imported(Gate gate, const std::vector<PointFacts>& points) {
  const bool imported = std::any_of(points.begin(), points.end(), [](const PointFacts& point) {
    return point.origin == point::Origin::kImportedTsv;
  });
  if (imported && gate.state == GateState::kFailed) {
    return {std::move(gate.name), GateState::kUnknown, "an imported table does not say", {}};
  }
  return gate;
}

Gate waived_if(bool waived, Gate gate) {
  if (waived && gate.state == GateState::kFailed) {
    return {std::move(gate.name),
            GateState::kWaived,
            fmt::format("waived by --same-boot: {}", gate.figure),
            {}};
  }
  return gate;
}

}  // namespace

std::vector<Gate> identity_gates(const std::vector<PointFacts>& points,
                                 const std::vector<Difference>& differences, const Plan& plan) {
  std::vector<Gate> gates = {waived_if(plan.same_boot, boots_distinct(points))};
  if (plan.a_a) {
    gates.push_back(one_kernel(points));
  } else {
    gates.push_back(kernel_in_role(points));
    gates.push_back(waived_if(plan.same_boot, kernel_across_roles(points)));
  }
  gates.push_back(binary(points));
  gates.push_back(machine(points, differences));
  for (Gate& gate : gates) {
    gate = unless_imported(std::move(gate), points);
  }
  return gates;
}

}  // namespace msgring::comparison
