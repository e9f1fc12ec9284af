// SPDX-License-Identifier: MIT
// SymbolTable: from addresses to kernel functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::profile {

/// A function, or a label in assembly code.
struct Symbol {
  std::uint64_t address = 0;
  std::string name;
};

/// The text symbols of a kernel that booted without layout randomness (`nokaslr`).
class SymbolTable {
 public:
  /// Parses the text of /proc/kallsyms. Of several names for one address the shortest is taken
  /// that is no linker's label. Throws Error (kInvalid) for what is no such text, and
  /// for one whose addresses are hidden (kernel.kptr_restrict).
  static SymbolTable parse(std::string_view kallsyms);

  /// The symbol at or before `address`; nullptr before the first, behind the kernel's text where no
  /// module is, and in user space.
  const Symbol* find(std::uint64_t address) const noexcept;

  /// Does a symbol begin exactly there?
  bool begins_at(std::uint64_t address) const noexcept;

  std::size_t size() const noexcept { return symbols_.size(); }

 private:
  std::vector<Symbol> symbols_;  ///< in ascending order, one per address
  std::uint64_t text_end_ = 0;   ///< `_etext`, 0 if unknown
};

}  // namespace msgring::profile
