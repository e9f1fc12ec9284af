// SPDX-License-Identifier: MIT
// What can be said of a kernel before it is booted: its image's format, its configuration.
#include <elf.h>
#include <fmt/format.h>

#include <array>

#include "msgring/boot/qemu.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

/// The value of `option` in a .config: "y", "m", or "n" for what is not there.
std::string config_value(std::string_view config, std::string_view option) {
  const std::string key = fmt::format("\n{}=", option);
  const std::string text = fmt::format("\n{}", config);
  const std::size_t at = text.find(key);
  if (at == std::string::npos) {
    return "n";
  }
  const std::size_t start = at + key.size();
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

void check_kernel_image(const std::filesystem::path& image) {
  // The boot sector's mark and the header's magic: Documentation/arch/x86/boot.rst.
  constexpr std::size_t kBootMarkAt = 0x1FE;
  constexpr std::size_t kMagicAt = 0x202;
  const std::string bytes = host::read_file(image);
  const bool is_bzimage = bytes.size() > kMagicAt + 4 &&
                          bytes.compare(kBootMarkAt, 2, "\x55\xAA") == 0 &&
                          bytes.compare(kMagicAt, 4, "HdrS") == 0;
  const bool is_elf = bytes.compare(0, SELFMAG, ELFMAG) == 0;
  if (!is_bzimage && !is_elf) {
    throw Error(
        ExitStatus::kUsage,
        fmt::format("kernel {}: no Linux image, neither bzImage nor vmlinux", image.native()),
        "give the file that a boot loader would load, such as arch/x86/boot/bzImage");
  }
}

std::vector<std::string> missing_in_config(std::string_view config) {
  constexpr std::array<std::string_view, 9> kNeeded = {"CONFIG_BLK_DEV_INITRD",
                                                       "CONFIG_DEVTMPFS",
                                                       "CONFIG_IO_URING",
                                                       "CONFIG_PCI",
                                                       "CONFIG_PROC_FS",
                                                       "CONFIG_SYSFS",
                                                       "CONFIG_SERIAL_8250_CONSOLE",
                                                       "CONFIG_VIRTIO_CONSOLE",
                                                       "CONFIG_VIRTIO_PCI"};
  std::vector<std::string> missing;
  for (const std::string_view option : kNeeded) {
    if (const std::string value = config_value(config, option); value != "y") {
      missing.push_back(fmt::format("{}={}", option, value));
    }
  }
  return missing;
}

}  // namespace msgring::boot
