// SPDX-License-Identifier: MIT
// A .deb is an ar archive (deb(5)) whose member data.tar.* is a compressed tar archive.
#include <string>

#include "archive.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// "./boot/vmlinuz-7.1" and "./usr/lib/modules/7.2/vmlinuz" both hold a kernel, as they hold
/// configs.
bool is_file_called(const std::string& path, std::string_view name) {
  const std::filesystem::path file(path);
  const std::string last = file.filename();
  if (starts_with(path, "./boot/")) {
    return starts_with(last, std::string(name) + "-");
  }
  const auto folder = file.parent_path().parent_path();
  return last == name && folder == "./usr/lib/modules";
}

std::string data_archive(const std::filesystem::path& package) {
  std::string data;
  visit_archive(host::read_file(package), package.native(),
                [&](const std::string& path, auto read_all) {
                  if (starts_with(path, "data.tar")) {
                    data = read_all();
                  }
                  return data.empty();
                });
  return data;
}

}  // namespace

PackagedKernel read_kernel_package(const std::filesystem::path& package) {
  PackagedKernel kernel;
  const std::string data = data_archive(package);
  visit_archive(data, package.native(), [&](const std::string& path, auto read_all) {
    if (is_file_called(path, "vmlinuz")) {
      kernel.image = read_all();
    } else if (is_file_called(path, "config")) {
      kernel.config = read_all();
    }
    return kernel.image.empty() || kernel.config.empty();
  });
  return kernel;
}

}  // namespace msgring::boot
