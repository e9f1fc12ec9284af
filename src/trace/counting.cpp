// SPDX-License-Identifier: MIT
#include "trace/counting.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace msgring::trace {

std::vector<CallCount> count_calls(std::span<const CallEvent> calls, std::uint64_t begin,
                                   std::uint64_t end) {
  std::vector<CallCount> counts;
  std::map<std::vector<std::string>, std::size_t> places;
  std::vector<std::pair<std::int64_t, std::string>> open;
  for (const CallEvent& call : calls) {
    // Whatever is open at this depth or deeper has returned.
    while (!open.empty() && open.back().first >= call.depth) {
      open.pop_back();
    }
    open.emplace_back(call.depth, call.function);
    if (call.time_ns < begin || call.time_ns > end) {
      continue;
    }
    std::vector<std::string> chain;
    chain.reserve(open.size());
    for (const auto& [depth, function] : open) {
      chain.push_back(function);
    }
    const auto [place, added] = places.try_emplace(chain, counts.size());
    if (added) {
      counts.push_back({std::move(chain), 0});
    }
    ++counts[place->second].calls;
  }
  return counts;
}

std::vector<SiteCount> count_sites(std::span<const MemoryRecord> records, std::uint64_t begin,
                                   std::uint64_t end) {
  std::map<std::pair<bool, std::string>, SiteCount> sums;
  for (const MemoryRecord& record : records) {
    if (record.time_ns < begin || record.time_ns > end) {
      continue;
    }
    SiteCount& sum = sums[{!record.allocation, record.site}];
    sum.event = record.allocation ? MemoryEvent::kAllocation : MemoryEvent::kFree;
    sum.site = record.site;
    ++sum.count;
    sum.bytes += record.bytes;
  }
  std::vector<SiteCount> sites;
  sites.reserve(sums.size());
  for (auto& [key, sum] : sums) {
    sites.push_back(std::move(sum));
  }
  std::stable_sort(sites.begin(), sites.end(), [](const SiteCount& left, const SiteCount& right) {
    return std::tuple(left.event, right.count) < std::tuple(right.event, left.count);
  });
  return sites;
}

std::uint64_t PhaseTrace::calls_of(std::string_view function) const {
  std::uint64_t sum = 0;
  for (const CallCount& count : calls) {
    sum += count.chain.back() == function ? count.calls : 0;
  }
  return sum;
}

std::uint64_t PhaseTrace::calls_inside(std::string_view function, std::string_view outer) const {
  std::uint64_t sum = 0;
  for (const CallCount& count : calls) {
    const auto inside = std::find(count.chain.begin(), std::prev(count.chain.end()), outer);
    sum +=
        count.chain.back() == function && inside != std::prev(count.chain.end()) ? count.calls : 0;
  }
  return sum;
}

}  // namespace msgring::trace
