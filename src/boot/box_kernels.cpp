// SPDX-License-Identifier: MIT
#include "box_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

constexpr std::string_view kImageBegin = "vmlinuz-";

constexpr std::string_view kListScript = R"sh(
for file in /boot/vmlinuz-*; do
  if [ -e "$file" ]; then echo "${file#/boot/vmlinuz-}"; fi
done
)sh";

}  // namespace

std::vector<std::string> box_releases(Box& box) {
  std::istringstream lines(demand(box, box_script(kListScript), "the kernels of the box"));
  std::vector<std::string> releases;
  for (std::string line; std::getline(lines, line);) {
    releases.push_back(line);
  }
  std::sort(releases.begin(), releases.end(), release_less);
  return releases;
}

Kernel choose_box_kernel(const std::string& name, const std::vector<std::string>& releases) {
  if (name.find('/') != std::string::npos) {
    const std::filesystem::path path(name);
    const std::string file = path.filename();
    if (file.rfind(kImageBegin, 0) != 0 || file.size() == kImageBegin.size()) {
      throw Error(
          ExitStatus::kUsage, fmt::format("kernel {}: which release is it?", name),
          "on a real machine an image is called vmlinuz-RELEASE, beside it its initrd.img-RELEASE");
    }
    return {file.substr(kImageBegin.size()), path, {}};
  }
  const auto found =
      std::find_if(releases.rbegin(), releases.rend(), [&name](const std::string& release) {
        return release == name || release_matches(release, name);
      });
  if (found == releases.rend()) {
    std::string all;
    for (const std::string& release : releases) {
      all += (all.empty() ? "" : ", ") + release;
    }
    throw Error(ExitStatus::kUsage,
                fmt::format("kernel {}: not in the box's /boot, which has {}", name, all),
                "install it there, with its initramfs");
  }
  return {*found, fmt::format("/boot/vmlinuz-{}", *found), {}};
}

}  // namespace msgring::boot
