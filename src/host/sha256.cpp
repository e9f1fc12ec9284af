// SPDX-License-Identifier: MIT
// SHA-256 by libmd.
#include "msgring/host/sha256.hpp"

#include <fcntl.h>
#include <sha2.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"

namespace msgring::host {
namespace {

class Sha256 {
 public:
  Sha256() { ::SHA256Init(&context_); }

  void add(const char* bytes, std::size_t count) {
    ::SHA256Update(&context_, reinterpret_cast<const std::uint8_t*>(bytes), count);
  }

  std::string finish() {
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
    return ::SHA256End(&context_, digits.data());
  }

 private:
  SHA2_CTX context_{};
};

}  // namespace

std::string sha256_of_bytes(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes.data(), bytes.size());
  return digest.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  // libmd's own SHA256File trusts st_size, which is 0 for the files of /proc and /sys.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    throw_system_error(errno, "open", path.string());
  }
  Sha256 digest;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count == 0) {
      return digest.finish();
    }
    if (count < 0 && errno != EINTR) {
      throw_system_error(errno, "read", path.string());
    }
    if (count > 0) {
      digest.add(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

}  // namespace msgring::host
