// SPDX-License-Identifier: MIT
// The kernel's list format, both ways.
#include <fmt/format.h>

#include <algorithm>

#include "affinity.hpp"
#include "msgring/host/cpus.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// Appends "3" or "0-3". False for anything else.
bool append_range(std::string_view range, CpuList& cpus) {
  const std::size_t dash = range.find('-');
  const auto first = parse_number<int>(range.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : parse_number<int>(range.substr(dash + 1));
  if (!first || !last || *first < 0 || *first > *last || *last >= kMostCpus) {
    return false;
  }
  for (int cpu = *first; cpu <= *last; ++cpu) {
    cpus.push_back(cpu);
  }
  return true;
}

}  // namespace

std::optional<CpuList> parse_cpu_list(std::string_view text) {
  CpuList cpus;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (!append_range(text.substr(0, comma), cpus)) {
      return std::nullopt;
    }
    if (comma == std::string_view::npos) {
      break;
    }
    text.remove_prefix(comma + 1);
    if (text.empty()) {
      return std::nullopt;
    }
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string format_cpu_list(const CpuList& cpus) {
  std::string text;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    while (last + 1 != cpus.end() && *(last + 1) == *last + 1) {
      ++last;
    }
    text += fmt::format("{}{}", text.empty() ? "" : ",", *first);
    text += last == first ? "" : fmt::format("-{}", *last);
    first = last + 1;
  }
  return text.empty() ? "none" : text;
}

}  // namespace msgring::host
