// SPDX-License-Identifier: MIT
// Reads a file of points from disk.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::point {
namespace {

// A point that cannot be read is bad input, not a machine that lacks something.
[[noreturn]] void fail_to_read(const std::filesystem::path& file, int error) {
  throw Error(
      ExitStatus::kInvalid,
      fmt::format("{}: cannot be read: {}", file.native(), std::generic_category().message(error)),
      error == EISDIR ? "name the files in it" : "");
}

host::FileDescriptor open_for_reading(const std::filesystem::path& file) {
  // A named pipe without a writer then reads as empty, where a plain open would wait for ever.
  host::FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid() || ::fcntl(fd.get(), F_SETFL, 0) != 0) {
    fail_to_read(file, errno);
  }
  return fd;
}

std::string read_bounded(const std::filesystem::path& file) {
  const host::FileDescriptor fd = open_for_reading(file);
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 20U;
  while (true) {
    const std::size_t have = text.size();
    text.resize(have + kChunk);
    const ssize_t got = ::read(fd.get(), text.data() + have, kChunk);
    if (got < 0 && errno != EINTR) {
      fail_to_read(file, errno);
    }
    text.resize(have + static_cast<std::size_t>(got > 0 ? got : 0));
    if (text.size() > kMaxFileBytes) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("{}:1:1: is larger than {} MiB", file.native(), kMaxFileBytes >> 20U),
                  "no point is: give the file that msgring_bench wrote");
    }
    if (got == 0) {
      return text;
    }
  }
}

bool looks_like_table(std::string_view text) {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  return text.substr(0, 1) != "{" && first_line.find('\t') != std::string_view::npos &&
         first_line.find('{') == std::string_view::npos;
}

}  // namespace

std::vector<Point> read_points(const std::filesystem::path& file) {
  const std::string text = read_bounded(file);
  std::vector<Point> points;
  if (file.extension() == ".tsv" || looks_like_table(text)) {
    points = parse_tsv(text, file.native());
  } else {
    points.push_back(parse_point(text, file.native()));
  }
  const std::string sha256 = host::sha256_of_bytes(text);
  for (Point& point : points) {
    point.sha256 = sha256;
  }
  return points;
}

}  // namespace msgring::point
