// SPDX-License-Identifier: MIT
// Which kernel functions to count for which workload.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/trace/trace.hpp"

namespace msgring::trace {
namespace {

constexpr std::array kMessageFill{
    std::string_view("io_msg_ring"), std::string_view("io_msg_install_complete"),
    std::string_view("__io_fixed_fd_install"), std::string_view("io_rsrc_node_alloc"),
    std::string_view("io_cache_alloc_new")};
constexpr std::array kDirectFill{
    std::string_view("io_fixed_fd_install"), std::string_view("__io_fixed_fd_install"),
    std::string_view("io_rsrc_node_alloc"), std::string_view("io_cache_alloc_new")};
constexpr std::array kUpdate{
    std::string_view("__io_register_rsrc_update"), std::string_view("io_files_update"),
    std::string_view("io_rsrc_node_alloc"), std::string_view("io_cache_alloc_new"),
    std::string_view("io_free_rsrc_node")};
constexpr std::array kFutex{
    std::string_view("io_futex_wait"), std::string_view("io_futex_cache_alloc"),
    std::string_view("io_cache_alloc_new"), std::string_view("futex_wait_setup")};
constexpr std::array kMessage{std::string_view("io_msg_ring"), std::string_view("io_msg_ring_data"),
                              std::string_view("io_msg_remote_post"),
                              std::string_view("io_post_aux_cqe")};

template <std::size_t Count>
std::vector<std::string> strings(const std::array<std::string_view, Count>& names) {
  return {names.begin(), names.end()};
}

bool has(std::string_view workload, std::string_view part) {
  return workload.find(part) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> functions_of(std::string_view workload) {
  if (has(workload, "futex")) {
    return strings(kFutex);
  }
  if (has(workload, "update")) {
    return strings(kUpdate);
  }
  if (has(workload, "direct")) {
    return strings(kDirectFill);
  }
  return has(workload, "message") ? strings(kMessage) : strings(kMessageFill);
}

}  // namespace msgring::trace
