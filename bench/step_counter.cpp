// SPDX-License-Identifier: MIT
#include "step_counter.hpp"

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "msgring/error.hpp"

namespace msgring::bench {
namespace {

enum class Edge { kBegin, kEnd };

struct Mark {
  Edge edge;
  std::size_t phase;
};

/// The mark that stands at `address`, if one does (host/clock.hpp has its bytes).
std::optional<Mark> mark_at(std::uint64_t address) noexcept {
  constexpr std::array<unsigned char, 3> kNoOp{0x0f, 0x1f, 0x80};
  constexpr std::uint32_t kBegin = 0x4D524200;
  constexpr std::uint32_t kEnd = 0x4D524500;
  const auto* const code = reinterpret_cast<const unsigned char*>(address);
  if (std::memcmp(code, kNoOp.data(), kNoOp.size()) != 0) {
    return std::nullopt;
  }
  std::uint32_t displacement = 0;
  std::memcpy(&displacement, code + kNoOp.size(), sizeof(displacement));
  const std::size_t phase = displacement & 0xFFU;
  const std::uint32_t kind = displacement & ~0xFFU;
  if (phase >= kMostPhases || (kind != kBegin && kind != kEnd)) {
    return std::nullopt;
  }
  return Mark{kind == kBegin ? Edge::kBegin : Edge::kEnd, phase};
}

/// One instruction further. The signal that the child stopped with.
int step(pid_t child) {
  int status = 0;
  if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0 ||
      ::waitpid(child, &status, 0) != child) {
    throw_system_error(errno, "ptrace(PTRACE_SINGLESTEP)");
  }
  if (!WIFSTOPPED(status)) {
    throw Error(ExitStatus::kInvalid, "the counted program ended in the middle of a round");
  }
  return WSTOPSIG(status);
}

std::uint64_t next_instruction(pid_t child) {
  user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, child, nullptr, &registers) != 0) {
    throw_system_error(errno, "ptrace(PTRACE_GETREGS)");
  }
  return registers.rip;
}

}  // namespace

StepCounts count_steps(pid_t child) {
  StepCounts counts{};
  std::uint64_t* running = nullptr;
  while (step(child) != SIGSTOP) {
    const std::optional<Mark> mark = mark_at(next_instruction(child));
    if (mark && mark->edge == Edge::kEnd) {
      running = nullptr;
    } else if (running != nullptr) {
      ++*running;
    } else if (mark) {
      running = &counts[mark->phase];
    }
  }
  return counts;
}

}  // namespace msgring::bench
