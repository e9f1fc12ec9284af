// SPDX-License-Identifier: MIT
// Finding, unpacking and asking the kernel's configuration.
#include "kernel_config.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "msgring/error.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kPacked = "/proc/config.gz";
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

Answer unpacked(const std::filesystem::path& path) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzopen(path.c_str(), "rbe"), &::gzclose_r);
  std::string text;
  std::array<char, 65536> buffer{};
  int count = file == nullptr ? -1 : 1;
  while (count > 0 && text.size() < kMostBytes) {
    count = ::gzread(file.get(), buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(std::max(count, 0)));
  }
  // A file that was cut short reads like a whole one; only closing it tells.
  if (count != 0 || ::gzclose_r(file.release()) != Z_OK) {
    return unknown(fmt::format("{} is damaged", kPacked));
  }
  return value(std::move(text));
}

}  // namespace

KernelConfig read_kernel_config(const Root& root) {
  if (const TextFile packed = read_text_file(root.path(kPacked));
      packed.state == FileState::kRead) {
    return {unpacked(root.path(kPacked)), std::string(kPacked)};
  }
  const std::string release = read_attribute(root.path("/proc/sys/kernel/osrelease")).text;
  for (const std::string& path :
       {fmt::format("/boot/config-{}", release), fmt::format("/lib/modules/{}/config", release)}) {
    TextFile plain = read_text_file(root.path(path));
    if (plain.state == FileState::kRead) {
      return {value(std::move(plain.text)), path};
    }
    if (plain.state == FileState::kUnreadable) {
      return {unknown(errno_name(plain.error)), path};
    }
  }
  return {absent(fmt::format("no {}, no /boot/config-{}", kPacked, release)), {}};
}

bool is_built_in(const KernelConfig& config, std::string_view name) {
  if (!has_value(config.text)) {
    return false;
  }
  const auto lines = lines_of(config.text.text);
  return std::find(lines.begin(), lines.end(), fmt::format("CONFIG_{}=y", name)) != lines.end();
}

}  // namespace msgring::host
