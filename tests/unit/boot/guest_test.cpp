// SPDX-License-Identifier: MIT
// The guest's own parts that need no guest: its configuration, its port, its frames.
#include "msgring/boot/guest.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "boot/guest_machine.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {
namespace {

TEST(GuestConfig, ComesBackAsItWasGiven) {
  const GuestConfig config{"seed-1", {"--slots", "64,256", "", "a b", "--x='y'"}};
  const GuestConfig back = parse_guest_config(encode_guest_config(config));
  EXPECT_EQ(back.run_id, config.run_id);
  EXPECT_EQ(back.arguments, config.arguments);
}

TEST(GuestConfig, RefusesALineEndAndForeignText) {
  EXPECT_THROW(encode_guest_config({"r", {"a\nb"}}), Error);
  EXPECT_THROW(parse_guest_config("hello\n"), Error);
  EXPECT_THROW(parse_guest_config("msgring guest 1\nwhat 1\n"), Error);
}

TEST(FindVirtioPort, TakesThePortByItsName) {
  const host::TemporaryFolder sys("msgring-test");
  for (const auto& [port, name] :
       {std::pair("vport0p1", "org.qemu.agent"), std::pair("vport1p1", "msgring.results")}) {
    const auto folder = sys.path() / "class" / "virtio-ports" / port;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "name") << name << "\n";
  }
  EXPECT_EQ(find_virtio_port(sys.path()), "vport1p1");
  EXPECT_EQ(find_virtio_port("/nowhere"), "");
}

TEST(Guest, SendsFramesThatAReaderFindsComplete) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const host::FileDescriptor out(ends[0]);
  Guest guest({"r", {}}, host::FileDescriptor(ends[1]));
  guest.status(GuestPhase::kBooted);
  guest.send(FrameKind::kPoint, "{}");
  guest.finish();
  char buffer[1024];
  const ssize_t count = ::read(out.get(), buffer, sizeof buffer);
  FrameReader reader("r");
  reader.feed({buffer, static_cast<std::size_t>(count)});
  EXPECT_EQ(reader.next()->payload, "booted");
  EXPECT_EQ(reader.next()->payload, "{}");
  EXPECT_EQ(reader.next()->payload, "2");
  EXPECT_EQ(reader.state(), StreamState::kComplete);
}

TEST(Guest, IsNotThisProcess) { EXPECT_FALSE(is_guest_init()); }

}  // namespace
}  // namespace msgring::boot
