// SPDX-License-Identifier: MIT
#include "trace/instance.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::trace {
namespace {

/// A name that no other process, and no earlier instance of this one, has.
std::string next_name() {
  static std::atomic<unsigned> count{0};
  return fmt::format("msgring-{}-{}", ::getpid(), count++);
}

using Text = std::unique_ptr<char, decltype(&std::free)>;

}  // namespace

Instance::Instance(std::filesystem::path tracing_folder) : folder_(std::move(tracing_folder)) {
  std::string folder = folder_.string();
  tracefs_set_tracing_dir(folder.data());
  const std::string name = next_name();
  errno = 0;
  instance_ = tracefs_instance_create(name.c_str());
  if (instance_ == nullptr) {
    throw_system_error(errno == 0 ? ENOENT : errno, "mkdir",
                       (folder_ / "instances" / name).string());
  }
}

Instance::~Instance() {
  tracefs_trace_off(instance_);
  tracefs_instance_file_write(instance_, "current_tracer", "nop");
  tracefs_instance_file_write(instance_, "events/enable", "0");
  tracefs_instance_destroy(instance_);
  tracefs_instance_free(instance_);
}

int Instance::write(const char* file, std::string_view text) {
  errno = 0;
  const int written = tracefs_instance_file_write(instance_, file, std::string(text).c_str());
  return written >= 0 ? 0 : (errno != 0 ? errno : ENOENT);
}

int Instance::append(const char* file, std::string_view text) {
  errno = 0;
  const int written = tracefs_instance_file_append(instance_, file, std::string(text).c_str());
  return written >= 0 ? 0 : (errno != 0 ? errno : ENOENT);
}

std::string Instance::read(const char* file) const {
  const Text text(tracefs_instance_file_read(instance_, file, nullptr), &std::free);
  return text ? std::string(text.get()) : std::string();
}

std::string Instance::losses(int cpu) const {
  std::istringstream stats(read(fmt::format("per_cpu/cpu{}/stats", cpu).c_str()));
  std::string lost;
  for (std::string line; std::getline(stats, line);) {
    const std::size_t colon = line.find(": ");
    const std::string key = line.substr(0, colon);
    const bool counts_losses =
        key == "overrun" || key == "commit overrun" || key == "dropped events";
    if (counts_losses && line.substr(colon + 2) != "0") {
      lost += (lost.empty() ? "" : ", ") + line;
    }
  }
  return lost;
}

}  // namespace msgring::trace
