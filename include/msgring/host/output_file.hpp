// SPDX-License-Identifier: MIT
// OutputFile: a result file that is whole or absent, and whose place is proved before the work
// starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "msgring/host/fd.hpp"

namespace msgring::host {

/// What happens to a file that already stands there.
enum class Overwrite { kRefuse, kForce };

/// A result that appears under its name only when it is complete, written and synced.
///
/// The constructor does everything that can fail early: it opens a nameless file in the target's
/// folder (O_TMPFILE; a hidden `.msgring-<pid>-<n>.tmp` where the file system or a missing /proc
/// does not allow that) and reserves space in it. `commit` writes, syncs, gives the file its name
/// and syncs the folder. A nameless file vanishes however the process ends; a hidden one is removed
/// by the destructor, so after SIGINT or SIGTERM the caller must unwind.
///
/// Special files: a character device, pipe or FIFO (`/dev/null`, `/dev/stdout` on a terminal or
/// into a pipe, `>(program)`) holds no earlier result, so it needs no force, and `commit` writes to
/// it directly. Links are followed: with force the file that a link names is replaced and the link
/// stays. A link below /dev or /proc to an ordinary file is refused, as are folders, block devices
/// and sockets.
class OutputFile {
 public:
  /// Bytes reserved from the start: more than a point file of the largest sweep needs.
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 20;

  /// Reserves `path`; `option` ("--out") begins every error line.
  /// Throws Error(kUsage) for what cannot be the name of a new file: it exists (without force), is
  /// a folder or a block device, is empty or too long, or lies in a missing folder;
  /// Error(kEnvironment) for a folder that cannot take it: unwritable, read-only, /proc, full.
  OutputFile(std::filesystem::path path, Overwrite overwrite, std::string option = "--out",
             std::uint64_t reserved_bytes = kReservedBytes);
  ~OutputFile();

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  /// Makes `text` the file's whole content and gives the file its name. To be called once.
  /// Throws Error(kEnvironment) when that fails; nothing half written stands under the name then.
  /// A file that someone created there meanwhile is not touched unless forced: the result is kept
  /// beside it, under the name (`<name>.1`, ...) that the error line gives.
  void commit(std::string_view text);

  /// The name as it was given.
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  void inspect_existing();
  void open_special();
  void open_temporary();
  void reserve(std::uint64_t bytes);
  void write_all(std::string_view text);
  void publish();
  int link_as(const std::string& name);
  int replace(const std::string& name);
  [[noreturn]] void refuse(const std::string& what, std::string hint) const;
  [[noreturn]] void fail(int error, std::string_view what) const;

  std::filesystem::path path_;
  std::string option_;
  Overwrite overwrite_;
  bool special_ = false;          ///< written directly, nothing to publish
  std::filesystem::path target_;  ///< `path_` with links followed
  FileDescriptor folder_;         ///< the target's folder: names are relative to it from now on
  std::string temporary_;         ///< the hidden name; empty for a nameless file
  FileDescriptor file_;
};

}  // namespace msgring::host
