// SPDX-License-Identifier: MIT
#include "msgring/profile/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "msgring/error.hpp"

namespace msgring::profile {
namespace {

constexpr std::uint64_t kKernelHalf = 0xFFFF'8000'0000'0000;
/// x86-64 maps modules into the gigabyte behind the kernel (Documentation/arch/x86/x86_64/mm.rst).
constexpr std::uint64_t kModulesBegin = 0xFFFF'FFFF'A000'0000;

struct Line {
  std::uint64_t address = 0;
  char type = 0;
  std::string_view name;
};

/// "ffffffff81000000 T _text", with "\t[module]" behind it for a module's.
bool read_line(std::string_view text, Line& line) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), line.address, 16);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || text.size() < digits + 4 || text[digits] != ' ' ||
      text[digits + 2] != ' ') {
    return false;
  }
  line.type = text[digits + 1];
  line.name = text.substr(digits + 3);
  line.name = line.name.substr(0, line.name.find_first_of("\t "));
  return !line.name.empty();
}

bool is_text(char type) { return type == 't' || type == 'T' || type == 'w' || type == 'W'; }

[[noreturn]] void refuse(const std::string& why, std::string hint) {
  throw Error(ExitStatus::kInvalid, "symbol table: " + why, std::move(hint));
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Is it a name that a linker script, or the early boot code, gives to what has one already?
bool is_second_name(std::string_view name) {
  return name.substr(0, 5) == "__pi_" || ends_with(name, "_start") || ends_with(name, "_begin") ||
         ends_with(name, "_end");
}

/// One symbol an address: not a linker's label, then the shortest name, then the first.
std::vector<Symbol> one_per_address(std::vector<Symbol> all) {
  const auto key = [](const Symbol& symbol) {
    return std::tuple(symbol.address, is_second_name(symbol.name), symbol.name.size(),
                      std::string_view(symbol.name));
  };
  std::sort(all.begin(), all.end(),
            [&](const Symbol& left, const Symbol& right) { return key(left) < key(right); });
  const auto same = [](const Symbol& left, const Symbol& right) {
    return left.address == right.address;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace

SymbolTable SymbolTable::parse(std::string_view kallsyms) {
  SymbolTable table;
  std::vector<Symbol> symbols;
  bool hidden = false;
  for (std::size_t number = 1; !kallsyms.empty(); ++number) {
    const std::string_view text = kallsyms.substr(0, kallsyms.find('\n'));
    kallsyms.remove_prefix(std::min(kallsyms.size(), text.size() + 1));
    Line line;
    if (!read_line(text, line)) {
      refuse(fmt::format("line {} is not 'address type name'", number),
             "give the text of /proc/kallsyms");
    }
    if (line.name == "_etext") {
      table.text_end_ = line.address;
    }
    if (is_text(line.type) && line.address >= kKernelHalf) {
      symbols.push_back({line.address, std::string(line.name)});
    }
    hidden = hidden || (is_text(line.type) && line.address == 0 && line.name == "_text");
  }
  if (symbols.empty()) {
    refuse(hidden ? "all addresses are 0: the kernel hides them" : "no kernel function is in it",
           "read /proc/kallsyms as root with kernel.kptr_restrict=0 or 1");
  }
  table.symbols_ = one_per_address(std::move(symbols));
  return table;
}

const Symbol* SymbolTable::find(std::uint64_t address) const noexcept {
  const auto behind = std::upper_bound(
      symbols_.begin(), symbols_.end(), address,
      [](std::uint64_t value, const Symbol& symbol) { return value < symbol.address; });
  if (behind == symbols_.begin()) {
    return nullptr;
  }
  const Symbol& symbol = *std::prev(behind);
  // Between the end of the kernel's text and its initial code, or a module, there is no function.
  const bool behind_text = text_end_ != 0 && symbol.address < text_end_ && address >= text_end_;
  const bool behind_kernel = symbol.address < kModulesBegin && address >= kModulesBegin;
  return behind_text || behind_kernel ? nullptr : &symbol;
}

bool SymbolTable::begins_at(std::uint64_t address) const noexcept {
  const Symbol* symbol = find(address);
  return symbol != nullptr && symbol->address == address;
}

}  // namespace msgring::profile
