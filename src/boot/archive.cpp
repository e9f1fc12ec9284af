// SPDX-License-Identifier: MIT
// Reading any archive that libarchive knows, from memory.
#include "archive.hpp"

#include <fmt/format.h>

#include <array>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

std::string read_entry(archive* handle, std::string_view what) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const la_ssize_t count = ::archive_read_data(handle, buffer.data(), buffer.size());
    if (count == 0) {
      return text;
    }
    if (count < 0) {
      check_archive(handle, ARCHIVE_FATAL, what);
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void check_archive(archive* handle, int status, std::string_view what) {
  if (status < ARCHIVE_WARN) {
    const char* reason = ::archive_error_string(handle);
    throw Error(ExitStatus::kInvalid,
                fmt::format("{}: {}", what, reason != nullptr ? reason : "damaged archive"));
  }
}

void visit_archive(std::string_view bytes, std::string_view what, const EntryVisitor& visit) {
  const ArchiveHandle handle(::archive_read_new());
  ::archive_read_support_filter_all(handle.get());
  ::archive_read_support_format_ar(handle.get());
  ::archive_read_support_format_tar(handle.get());
  ::archive_read_support_format_cpio(handle.get());
  check_archive(handle.get(), ::archive_read_open_memory(handle.get(), bytes.data(), bytes.size()),
                what);
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = ::archive_read_next_header(handle.get(), &entry);
    if (status == ARCHIVE_EOF) {
      return;
    }
    check_archive(handle.get(), status, what);
    const auto read_all = [&] { return read_entry(handle.get(), what); };
    if (!visit(::archive_entry_pathname(entry), read_all)) {
      return;
    }
  }
}

}  // namespace msgring::boot
