// SPDX-License-Identifier: MIT
// Profile: executed instructions by function and by chain of calls, of one workload on one kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::profile {

/// The name under which all code outside the kernel stands.
constexpr std::string_view kUserSpace = "[user space]";

/// Which kernel was profiled. Empty strings are unknown.
struct KernelIdentity {
  std::string release;   ///< as `uname -r`
  std::string version;   ///< as `uname -v`
  std::string build_id;  ///< hexadecimal, of /sys/kernel/notes
};

/// What was measured, and how often. All phases of a profile share it.
struct Subject {
  KernelIdentity kernel;
  std::string workload;      ///< "first_fill"
  std::string parameters;    ///< "slots:4096/batch:64"
  std::string emulator;      ///< its version line
  std::uint32_t warmup = 0;  ///< rounds before the counted ones, left out
  std::uint32_t rounds = 0;  ///< counted rounds
};

/// A function at the end of one chain of calls. Node 0 is the phase itself; every other node's
/// parent stands before it.
struct Node {
  std::uint32_t parent = 0;
  std::uint32_t function = 0;  ///< index into Profile::functions
  std::uint64_t calls = 0;     ///< 0 where control came without a call, by a jump
  std::uint64_t self = 0;      ///< instructions of the function itself, in all counted rounds
};

/// One phase's counts over all counted rounds.
struct PhaseProfile {
  std::string name;                      ///< "fill"
  std::string noun;                      ///< "install"
  std::uint64_t operations = 0;          ///< of the counted rounds together, at least 1
  std::uint64_t clock_instructions = 0;  ///< the same rounds by the guest's clock; 0: unknown
  std::vector<Node> nodes;

  /// The sum of all nodes.
  std::uint64_t instructions() const noexcept;
};

struct Profile {
  Subject subject;
  std::vector<std::string> functions;
  std::vector<PhaseProfile> phases;
};

/// The profile as a JSON document.
std::string profile_text(const Profile& profile);

/// Parses and checks what profile_text() writes; `source` begins every error line.
/// Throws Error (kInvalid) for anything damaged: not JSON, a missing or wrong field, a node before
/// its parent, a sum that is not the stored one.
Profile parse_profile(std::string_view text, const std::string& source);

/// parse_profile() of a file. Throws Error (kUsage) when it cannot be read.
Profile read_profile(const std::filesystem::path& path);

/// Compares each phase's sum with the guest's own clock, which counts the instructions around the
/// marks too. Throws Error (kInvalid) where they differ by more than 0.2 %.
void check_against_clock(const Profile& profile);

}  // namespace msgring::profile
