// SPDX-License-Identifier: MIT
#include "box_guest.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "msgring/boot/kernels.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

/// Where tests/vm/make-box puts it: beside the kernels.
fs::path box_folder() { return KernelCache::default_root().parent_path() / "box"; }

std::vector<std::string> lines_in(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// A port of the loopback device that was free just now.
unsigned free_port() {
  const host::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), any, size) != 0 || ::getsockname(socket.get(), any, &size) != 0) {
    throw_system_error(errno, "bind", "127.0.0.1");
  }
  return ntohs(address.sin_port);
}

void copy_sparse(const fs::path& from, const fs::path& to) {
  const host::ProgramResult copy =
      host::run_program({"cp", "--sparse=always", from.native(), to.native()}, seconds(300));
  ASSERT_TRUE(copy.end.ok()) << copy.errors;
}

/// QEMU's machine protocol: a greeting, then a line for a line.
void say_to_monitor(const fs::path& path, std::string_view command) {
  const host::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const std::string_view line :
       {std::string_view(R"({"execute": "qmp_capabilities"})"), command}) {
    char answer[4096];
    ASSERT_GT(::read(socket.get(), answer, sizeof answer), 0);
    ASSERT_EQ(::write(socket.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  char answer[4096];
  const ssize_t size = ::read(socket.get(), answer, sizeof answer);
  ASSERT_GT(size, 0);
  EXPECT_NE(std::string_view(answer, static_cast<std::size_t>(size)).find("return"),
            std::string_view::npos);
}

}  // namespace

std::string BoxGuest::missing() {
  try {
    probe_qemu();
  } catch (const Error& error) {
    return describe(error);
  }
  std::error_code ignored;
  if (!fs::exists(box_folder() / "releases", ignored)) {
    return fmt::format("no {}: scripts/install-deps box && tests/vm/make-box",
                       box_folder().native());
  }
  return {};
}

BoxGuest::BoxGuest(Init init)
    : init_(init), releases_(lines_in(box_folder() / "releases")), port_(free_port()) {
  copy_sparse(box_folder() / "box.ext4", folder_.path() / "disk");
  // ssh refuses a key that others may read, whatever the cache's rights have become.
  fs::copy_file(box_folder() / "id_ed25519", folder_.path() / "key");
  fs::permissions(folder_.path() / "key", fs::perms::owner_read);
  const std::string host_key = lines_in(box_folder() / "host_key.pub").at(0);
  std::ofstream(folder_.path() / "known_hosts")
      << fmt::format("[127.0.0.1]:{} {}\n", port_, host_key);
  std::ofstream(config_) << fmt::format(
      "Host box\n  HostName 127.0.0.1\n  Port {}\n  User root\n  IdentityFile {}/key\n"
      "  IdentitiesOnly yes\n  UserKnownHostsFile {}/known_hosts\n",
      port_, folder_.path().native(), folder_.path().native());
}

std::vector<std::string> BoxGuest::command_line() const {
  const fs::path boot = box_folder() / "boot";
  return {"qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max,la57=off",
          "-m", "1024", "-smp", "2", "-display", "none", "-kernel",
          (boot / ("vmlinuz-" + releases_.front())).native(), "-initrd",
          (boot / ("initrd.img-" + releases_.front())).native(), "-append",
          // Where the host is starved, the kernel's check of its timer fails, and it panics.
          fmt::format("root=/dev/vda rw console=ttyS0 mitigations=off no_timer_check{}",
                      init_ == Init::kScript ? " init=/usr/local/sbin/box-init" : ""),
          "-drive", fmt::format("file={}/disk,format=raw,if=virtio", folder_.path().native()),
          "-netdev", fmt::format("user,id=net,hostfwd=tcp:127.0.0.1:{}-:22", port_), "-device",
          "virtio-net-pci,netdev=net,id=card", "-serial",
          fmt::format("file:{}/console", folder_.path().native()), "-qmp",
          fmt::format("unix:{}/monitor,server=on,wait=off", folder_.path().native())};
}

void BoxGuest::power_on() {
  fs::remove(folder_.path() / "monitor");
  emulator_ = host::ChildProcess::start(command_line(), {{}, folder_.path() / "emulator", {}});
}

void BoxGuest::power_off() { emulator_.reset(); }

void BoxGuest::set_link(Link link) const {
  say_to_monitor(
      folder_.path() / "monitor",
      fmt::format(R"({{"execute": "set_link", "arguments": {{"name": "card", "up": {}}}}})",
                  link == Link::kUp));
}

host::ProgramResult BoxGuest::ssh(const std::vector<std::string>& command, seconds deadline) const {
  try {
    return host::run_program({"ssh", "-F", config_.native(), "-o", "BatchMode=yes", "-o",
                              fmt::format("ConnectTimeout={}", deadline.count() / 6), "-o",
                              "ServerAliveInterval=15", "box", host::shell_quoted(command)},
                             deadline);
  } catch (const Error& error) {
    // As ssh says it when a machine goes away under it.
    return {{255, 0}, {}, error.what()};
  }
}

std::vector<std::string> BoxGuest::scp_line() const {
  return {"scp", "-F", config_.native(), "-o", "BatchMode=yes", "-q", "-p", "-r"};
}

host::ProgramResult BoxGuest::put(const std::vector<fs::path>& files,
                                  const std::string& folder) const {
  std::vector<std::string> line = scp_line();
  line.insert(line.end(), files.begin(), files.end());
  line.push_back("box:" + folder);
  return host::run_program(line, seconds(300));
}

host::ProgramResult BoxGuest::fetch(const std::string& path, const fs::path& folder) const {
  std::vector<std::string> line = scp_line();
  line.insert(line.end(), {"box:" + path, folder.native()});
  return host::run_program(line, seconds(300));
}

void BoxGuest::wait_until_up() const {
  const auto deadline = std::chrono::steady_clock::now() + seconds(900);
  while (!ssh({"true"}).end.ok()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << console();
    std::this_thread::sleep_for(seconds(2));
  }
}

std::string BoxGuest::console() const {
  return host::read_file_from(folder_.path() / "console", 0);
}

void expect_kexec_sandwich(const BoxGuest& guest, const fs::path& run, std::string_view driver) {
  const auto context = [&run](const std::string& boot) {
    return nlohmann::json::parse(host::read_file(run / "points" / (boot + ".json")))["context"];
  };
  const auto& releases = guest.releases();
  EXPECT_EQ(context("01-A")["kernel.release"], releases[0]);
  EXPECT_EQ(context("02-B")["kernel.release"], releases[1]);
  EXPECT_EQ(context("03-A")["kernel.release"], releases[0]);
  EXPECT_NE(context("01-A")["kernel.boot_id"], context("03-A")["kernel.boot_id"]);
  EXPECT_EQ(context("01-A")["kernel.build_id"], context("03-A")["kernel.build_id"]);
  for (const char* const boot : {"01-A", "02-B", "03-A"}) {
    EXPECT_EQ(context(boot)["boot.method"], "kexec");
    EXPECT_EQ(context(boot)["boot.driver"], driver);
    EXPECT_THAT(context(boot)["kernel.cmdline"].get<std::string>(),
                ::testing::HasSubstr("msgring.boot=kexec"));
  }
  const host::ProgramResult checked =
      host::run_program({MSGRING_BUILD_DIR "/msgring", "check", run.native()}, seconds(60));
  EXPECT_TRUE(checked.end.ok()) << checked.output << checked.errors;
}

}  // namespace msgring::boot
