// SPDX-License-Identifier: MIT
#include "trace/events.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <array>
#include <charconv>
#include <exception>
#include <fstream>

#include "msgring/error.hpp"

namespace msgring::trace {
namespace {

struct Reading {
  Events events;
  const FunctionNames* names = nullptr;
  std::exception_ptr failure;
};

std::uint64_t field_of(tep_event* event, tep_record* record, const char* name) {
  unsigned long long value = 0;
  tep_get_field_val(nullptr, event, name, record, &value, 0);
  return value;
}

void read_event(tep_event* event, tep_record* record, Reading& reading) {
  const std::string_view name = event->name;
  if (record->missed_events != 0) {
    throw Error(ExitStatus::kInvalid, "trace: the kernel lost events: the counts are invalid",
                "trace fewer operations");
  }
  if (name == "funcgraph_entry") {
    const auto depth = static_cast<std::int32_t>(field_of(event, record, "depth"));
    reading.events.calls.push_back(
        {record->ts, depth, reading.names->at(field_of(event, record, "func"))});
  } else if (name == "kfree" || name == "kmem_cache_free") {
    reading.events.memory.push_back(
        {record->ts, false, reading.names->at(field_of(event, record, "call_site")), 0});
  } else if (name.substr(0, 7) == "kmalloc" || name.substr(0, 16) == "kmem_cache_alloc") {
    reading.events.memory.push_back({record->ts, true,
                                     reading.names->at(field_of(event, record, "call_site")),
                                     field_of(event, record, "bytes_alloc")});
  }
}

// A C library calls this: an exception must not leave it.
int on_event(tep_event* event, tep_record* record, int /*cpu*/, void* context) {
  auto& reading = *static_cast<Reading*>(context);
  try {
    read_event(event, record, reading);
    return 0;
  } catch (...) {
    reading.failure = std::current_exception();
    return 1;
  }
}

}  // namespace

FunctionNames::FunctionNames(const host::Root& root) {
  std::ifstream file(root.path("/proc/kallsyms"));
  for (std::string line; std::getline(file, line);) {
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    const auto digits = static_cast<std::size_t>(end - line.data());
    constexpr std::string_view kText = "tTwW";
    if (error == std::errc() && address != 0 && line.size() > digits + 3 &&
        kText.find(line[digits + 1]) != std::string_view::npos) {
      names_.try_emplace(address, line.substr(digits + 3, line.find('\t') - digits - 3));
    }
  }
}

std::string FunctionNames::at(std::uint64_t address) const {
  const auto behind = names_.upper_bound(address);
  return behind == names_.begin() ? fmt::format("{:#x}", address) : std::prev(behind)->second;
}

Events read_events(const Instance& instance, int cpu, const FunctionNames& names) {
  if (const std::string lost = instance.losses(cpu); !lost.empty()) {
    throw Error(ExitStatus::kInvalid,
                fmt::format("trace: the kernel lost events ({}): the counts are invalid", lost),
                "trace fewer operations");
  }
  constexpr std::array<const char*, 3> kSystems{"ftrace", "kmem", nullptr};
  const std::string folder = instance.tracing_folder().string();
  const std::unique_ptr<tep_handle, decltype(&tep_free)> formats(
      tracefs_local_events_system(folder.c_str(), kSystems.data()), &tep_free);
  if (!formats) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("trace: {}/events: the formats cannot be read", folder),
                "the kernel's tracefs is incomplete here");
  }
  Reading reading;
  reading.names = &names;
  tracefs_iterate_raw_events(formats.get(), instance.get(), nullptr, 0, on_event, &reading);
  if (reading.failure) {
    std::rethrow_exception(reading.failure);
  }
  return std::move(reading.events);
}

}  // namespace msgring::trace
