// SPDX-License-Identifier: MIT
// Writing newc archives with libarchive.
#include "msgring/boot/initramfs.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <map>
#include <set>

#include "archive.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

/// One archive under construction, kept in memory.
class CpioWriter {
 public:
  explicit CpioWriter(Compression compression) : handle_(::archive_write_new()) {
    if (compression == Compression::kGzip) {
      check(::archive_write_add_filter_gzip(handle_.get()));
      // Without this gzip would note the time.
      check(::archive_write_set_filter_option(handle_.get(), "gzip", "timestamp", nullptr));
    }
    check(::archive_write_set_format_cpio_newc(handle_.get()));
    check(::archive_write_set_bytes_in_last_block(handle_.get(), 4));
    check(::archive_write_open2(handle_.get(), &bytes_, nullptr, &CpioWriter::append, nullptr,
                                nullptr));
  }

  void add_folder(const std::string& path) { add(path, AE_IFDIR | 0755U, {}, 0); }
  void add_file(const std::string& path, std::string_view text, unsigned mode) {
    add(path, AE_IFREG | mode, text, 0);
  }
  void add_device(const std::string& path, dev_t device) {
    add(path, AE_IFCHR | 0600U, {}, device);
  }

  std::string finish() {
    check(::archive_write_close(handle_.get()));
    return std::move(bytes_);
  }

 private:
  static la_ssize_t append(archive* /*handle*/, void* bytes, const void* data, std::size_t size) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
  }

  void check(int status) { check_archive(handle_.get(), status, "initramfs"); }

  void add(const std::string& path, unsigned mode, std::string_view text, dev_t device) {
    const EntryHandle entry(::archive_entry_new());
    ::archive_entry_set_pathname(entry.get(), path.c_str());
    ::archive_entry_set_mode(entry.get(), mode);
    ::archive_entry_set_nlink(entry.get(), 1);
    ::archive_entry_set_mtime(entry.get(), 0, 0);
    ::archive_entry_set_rdev(entry.get(), device);
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    check(::archive_write_header(handle_.get(), entry.get()));
    if (!text.empty()) {
      const la_ssize_t count = ::archive_write_data(handle_.get(), text.data(), text.size());
      check(count < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
    }
  }

  ArchiveHandle handle_;
  std::string bytes_;
};

/// Where each library goes: into the folder of the C library, which every loader searches, so that
/// neither a cache file nor a search path has to be carried along.
std::map<std::string, std::string> program_contents(const std::filesystem::path& program) {
  const ProgramFiles files = resolve_program(program);
  std::map<std::string, std::string> contents;
  contents["init"] = host::read_file(program);
  if (!files.interpreter.empty()) {
    contents[files.interpreter.relative_path()] = host::read_file(files.interpreter);
  }
  std::filesystem::path folder = "lib";
  for (const auto& library : files.libraries) {
    if (library.filename().native().rfind("libc.so", 0) == 0) {
      folder = library.parent_path().relative_path();
    }
  }
  for (const auto& library : files.libraries) {
    contents[folder / library.filename()] = host::read_file(library);
  }
  return contents;
}

std::set<std::string> parents_of(const std::map<std::string, std::string>& contents) {
  std::set<std::string> folders;
  for (const auto& [path, text] : contents) {
    for (auto folder = std::filesystem::path(path).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
      folders.insert(folder);
    }
  }
  return folders;
}

}  // namespace

std::string make_initramfs(const std::filesystem::path& program, Compression compression) {
  const std::map<std::string, std::string> contents = program_contents(program);
  CpioWriter writer(compression);
  std::set<std::string> folders = parents_of(contents);
  folders.insert({"dev", "proc", "run", "sys", "tmp"});
  for (const std::string& folder : folders) {
    writer.add_folder(folder);
  }
  // The kernel opens it for /init's standard streams before anything can be mounted.
  writer.add_device("dev/console", makedev(5, 1));
  for (const auto& [path, text] : contents) {
    writer.add_file(path, text, 0755);
  }
  return writer.finish();
}

std::string make_small_archive(const std::map<std::string, std::string>& files) {
  CpioWriter writer(Compression::kNone);
  for (const std::string& folder : parents_of(files)) {
    writer.add_folder(folder);
  }
  for (const auto& [path, text] : files) {
    writer.add_file(path, text, 0644);
  }
  return writer.finish();
}

}  // namespace msgring::boot
