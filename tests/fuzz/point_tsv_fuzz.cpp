// SPDX-License-Identifier: MIT
// Any bytes are a table of points, or one Error; what can be read can be compared or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "msgring/comparison/comparison.hpp"
#include "msgring/error.hpp"
#include "msgring/point/reader.hpp"

// libFuzzer's entry; the name is its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto points = msgring::point::parse_tsv(text, "fuzz.tsv");
    msgring::comparison::Plan plan;
    plan.roles = msgring::comparison::default_roles(points);
    plan.settings.resamples = 20;
    msgring::comparison::compare_points(points, plan);
  } catch (const msgring::Error&) {
    return 0;
  }
  return 0;
}
