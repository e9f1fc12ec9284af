// SPDX-License-Identifier: MIT
// Splits run names at `/` and parameters at the first `:`.
#include "point/run_name.hpp"

#include <algorithm>
#include <array>

namespace msgring::point {
namespace {

constexpr std::array<std::string_view, 5> kDecoratedKeys = {"iterations", "repeats", "threads",
                                                            "min_time", "min_warmup_time"};
constexpr std::array<std::string_view, 3> kDecorations = {"manual_time", "real_time",
                                                          "process_time"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void add_part(RunName& run, std::string_view part) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos) {
    if (!contains(kDecorations, part)) {
      run.workload.append(1, '/').append(part);
    }
    run.manual_time = run.manual_time || part == "manual_time";
    return;
  }
  const std::string_view key = part.substr(0, colon);
  if (!contains(kDecoratedKeys, key)) {
    run.parameters.add(std::string(key), std::string(part.substr(colon + 1)));
  }
}

}  // namespace

RunName parse_run_name(std::string_view name) {
  RunName run;
  std::size_t slash = name.find('/');
  run.workload = name.substr(0, slash);
  while (slash != std::string_view::npos) {
    const std::size_t next = name.find('/', slash + 1);
    add_part(run, name.substr(slash + 1, next == std::string_view::npos ? next : next - slash - 1));
    slash = next;
  }
  return run;
}

}  // namespace msgring::point
