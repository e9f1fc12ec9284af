// SPDX-License-Identifier: MIT
// Any bytes are a point, or one Error; nothing else may come out of the JSON reader.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "msgring/comparison/point_summary.hpp"
#include "msgring/error.hpp"
#include "msgring/point/check.hpp"
#include "msgring/point/reader.hpp"

// libFuzzer's entry; the name is its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const msgring::point::Point point = msgring::point::parse_point(text, "fuzz.json");
    msgring::point::check_point(point);
    msgring::comparison::summarize_point(point);
  } catch (const msgring::Error&) {
    return 0;
  }
  return 0;
}
