// SPDX-License-Identifier: MIT
// Events: what a private instance recorded, read back by name.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/root.hpp"
#include "trace/instance.hpp"

namespace msgring::trace {

/// A function that was entered, `depth` traced functions deep.
struct CallEvent {
  std::uint64_t time_ns = 0;  ///< of CLOCK_MONOTONIC_RAW
  std::int64_t depth = 0;
  std::string function;
};

/// Slab memory that was asked for or given back.
struct MemoryRecord {
  std::uint64_t time_ns = 0;
  bool allocation = true;
  std::string site;
  std::uint64_t bytes = 0;
};

struct Events {
  std::vector<CallEvent> calls;
  std::vector<MemoryRecord> memory;
};

/// Names for addresses, from /proc/kallsyms; hexadecimal where the kernel hides them.
class FunctionNames {
 public:
  explicit FunctionNames(const host::Root& root);
  std::string at(std::uint64_t address) const;

 private:
  std::map<std::uint64_t, std::string> names_;
};

/// Reads and removes everything that `instance` recorded on `cpu`.
/// Throws Error (kInvalid) when an event was lost, Error (kEnvironment) when the formats cannot be
/// read.
Events read_events(const Instance& instance, int cpu, const FunctionNames& names);

}  // namespace msgring::trace
