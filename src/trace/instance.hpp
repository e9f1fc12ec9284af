// SPDX-License-Identifier: MIT
// Instance: a private trace buffer, which nobody else sees.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "trace/libtracefs.hpp"

namespace msgring::trace {

/// Owns a tracing instance (Documentation/trace/ftrace.rst, "Instances") and removes it.
class Instance {
 public:
  /// Throws std::system_error when the kernel gives none.
  explicit Instance(std::filesystem::path tracing_folder);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Writes a control file. The errno value, or 0.
  int write(const char* file, std::string_view text);
  /// Adds to a control file that is a list. The errno value, or 0.
  int append(const char* file, std::string_view text);
  /// A control file's text, empty when it cannot be read.
  std::string read(const char* file) const;
  /// Events that CPU `cpu` lost, or "" for none.
  std::string losses(int cpu) const;

  tracefs_instance* get() const noexcept { return instance_; }
  const std::filesystem::path& tracing_folder() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
  tracefs_instance* instance_ = nullptr;
};

}  // namespace msgring::trace
