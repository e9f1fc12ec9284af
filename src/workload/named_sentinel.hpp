// SPDX-License-Identifier: MIT
// NamedSentinel: sentinel file 0 where OPENAT can find it.
#pragma once

#include <string>

#include "msgring/host/fd.hpp"

namespace msgring::workload {

/// A file in a temporary folder of its own, in memory where the machine has such a place: /dev/shm,
/// $TMPDIR, /tmp, or the root folder. Both are removed with the object.
class NamedSentinel {
 public:
  /// Throws Error (environment) when no folder can be written to.
  NamedSentinel();
  ~NamedSentinel();
  NamedSentinel(const NamedSentinel&) = delete;
  NamedSentinel& operator=(const NamedSentinel&) = delete;

  /// The folder's descriptor and the file's name in it.
  int folder() const noexcept { return folder_.get(); }
  const char* name() const noexcept { return "sentinel"; }
  /// The kind of file system it is on: "tmpfs", or the magic number of one that has no name here.
  std::string file_system() const;

 private:
  std::string path_;
  host::FileDescriptor folder_;
};

}  // namespace msgring::workload
