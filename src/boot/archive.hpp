// SPDX-License-Identifier: MIT
// Owners for libarchive's handles, and its errors as ours.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace msgring::boot {

struct ArchiveDeleter {
  void operator()(archive* handle) const noexcept { ::archive_free(handle); }
};
struct EntryDeleter {
  void operator()(archive_entry* entry) const noexcept { ::archive_entry_free(entry); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveDeleter>;
using EntryHandle = std::unique_ptr<archive_entry, EntryDeleter>;

/// Throws Error (kInvalid) with libarchive's own words when `status` is worse than a warning.
void check_archive(archive* handle, int status, std::string_view what);

/// Calls `visit(path, read_all)` for each entry of an archive in memory; `read_all()` gives the
/// entry's content. Stops early when `visit` returns false. Throws Error (kInvalid) for damage.
using EntryVisitor =
    std::function<bool(const std::string& path, const std::function<std::string()>& read_all)>;
void visit_archive(std::string_view bytes, std::string_view what, const EntryVisitor& visit);

}  // namespace msgring::boot
