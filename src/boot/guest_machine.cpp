// SPDX-License-Identifier: MIT
// Mounts, limits and the way out.
#include "guest_machine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <fstream>

#include "msgring/error.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

struct Mount {
  const char* type;
  const char* place;
};

void mount_required(const Mount& mount) {
  // EBUSY: the kernel has mounted it already (CONFIG_DEVTMPFS_MOUNT).
  if (::mount(mount.type, mount.place, mount.type, 0, nullptr) != 0 && errno != EBUSY) {
    throw_system_error(errno, "mount", fmt::format("{} on {}", mount.type, mount.place));
  }
}

void raise_limit(decltype(RLIMIT_NOFILE) resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  if (::setrlimit(resource, &limit) != 0) {
    throw_system_error(errno, "setrlimit");
  }
}

bool make_raw(int port) {
  termios settings{};
  if (::tcgetattr(port, &settings) != 0) {
    return false;
  }
  ::cfmakeraw(&settings);
  ::cfsetspeed(&settings, B115200);
  return ::tcsetattr(port, TCSANOW, &settings) == 0;
}

}  // namespace

void mount_guest_folders() {
  for (const Mount& mount :
       std::array<Mount, 3>{{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}}}) {
    mount_required(mount);
  }
  ::mount("debugfs", "/sys/kernel/debug", "debugfs", 0, nullptr);
  ::mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr);
}

void raise_guest_limits() {
  constexpr rlim_t kMostDescriptors = 2'097'152;
  std::ofstream("/proc/sys/fs/nr_open") << kMostDescriptors;
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  raise_limit(RLIMIT_NOFILE, descriptors.rlim_cur, kMostDescriptors);
  raise_limit(RLIMIT_MEMLOCK, RLIM_INFINITY, RLIM_INFINITY);
}

bool has_guest_config() {
  std::error_code ignored;
  return fs::exists(fs::path("/") / kGuestConfigName, ignored);
}

GuestConfig read_guest_config() {
  return parse_guest_config(host::read_file(fs::path("/") / kGuestConfigName));
}

fs::path find_virtio_port(const fs::path& sys) {
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(sys / "class" / "virtio-ports", absent)) {
    std::string name;
    std::ifstream(entry.path() / "name") >> name;
    if (name == kResultPortName) {
      return entry.path().filename();
    }
  }
  return {};
}

host::FileDescriptor open_result_port() {
  const fs::path port = find_virtio_port("/sys");
  if (!port.empty()) {
    host::FileDescriptor file(::open(("/dev" / port).c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) {
      throw_system_error(errno, "open", ("/dev" / port).native());
    }
    return file;
  }
  host::FileDescriptor serial(
      ::open(std::string(kSerialResultPort).c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  // Without the hardware the device file is there and even opens, but has no settings.
  if (!serial.valid() || !make_raw(serial.get())) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("no virtio port {} and no {}", kResultPortName, kSerialResultPort),
                "use a kernel with CONFIG_VIRTIO_CONSOLE=y and CONFIG_VIRTIO_PCI=y");
  }
  return serial;
}

}  // namespace msgring::boot
