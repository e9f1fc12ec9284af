// SPDX-License-Identifier: MIT
// MappedArray: page-backed memory that is present before it is used, so that no timed region
// faults.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::workload {

/// A fixed number of trivially copyable elements in an anonymous, populated, private mapping.
template <class T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MappedArray() noexcept = default;
  /// Throws std::system_error (mmap) when the memory is not to be had.
  explicit MappedArray(std::size_t size) : size_(size) {
    if (size == 0) {
      return;
    }
    void* memory = ::mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
      throw_system_error(errno, "mmap", "completion log");
    }
    data_ = static_cast<T*>(memory);
  }
  ~MappedArray() {
    if (data_ != nullptr) {
      ::munmap(data_, size_ * sizeof(T));
    }
  }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  MappedArray(MappedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedArray& operator=(MappedArray&& other) noexcept {
    MappedArray taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<T> span() noexcept { return {data_, size_}; }
  std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Overwrites everything with zero bytes: brings pages and cache lines in, and removes what an
  /// earlier round left.
  void clear() noexcept {
    if (size_ != 0) {
      std::memset(static_cast<void*>(data_), 0, size_ * sizeof(T));
    }
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace msgring::workload
