// SPDX-License-Identifier: MIT
// What an x86-64 instruction does to the flow of control, by its bytes; and the phase marks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace msgring::profile {

/// How a run of instructions ends.
enum class Flow : std::uint8_t {
  kPlain,         ///< goes on with the next instruction
  kRepeat,        ///< a string instruction with a repeat prefix: the next one, or itself again
  kBranch,        ///< conditional: its target or the next instruction
  kJump,          ///< its target
  kIndirectJump,  ///< anywhere
  kCall,          ///< its target, and expected back
  kIndirectCall,  ///< anywhere, and expected back
  kReturn,
  kSystemCall,       ///< SYSCALL
  kSystemReturn,     ///< SYSRET
  kInterruptReturn,  ///< IRET
};

/// An instruction's flow. `target` is the destination of kBranch, kJump and kCall, else 0.
struct Instruction {
  Flow flow = Flow::kPlain;
  std::uint64_t target = 0;
};

/// Decodes one whole instruction at `address` (Intel SDM, volume 2, opcode maps). Far calls and
/// jumps, which a 64-bit Linux does not use, are plain.
Instruction decode(std::span<const std::uint8_t> bytes, std::uint64_t address) noexcept;

/// Does code that begins like this begin a traceable kernel function: ENDBR64 or the no-op that the
/// kernel puts in its place, then the five-byte no-op or call of the function tracer?
bool begins_function(std::span<const std::uint8_t> bytes) noexcept;

enum class MarkKind : std::uint8_t { kBegin, kEnd };

/// A phase mark (see host/clock.hpp).
struct Mark {
  MarkKind kind;
  std::uint8_t phase;
};

/// The mark that the instruction is, if it is one.
std::optional<Mark> decode_mark(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace msgring::profile
