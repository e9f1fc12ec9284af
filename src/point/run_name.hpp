// SPDX-License-Identifier: MIT
// A Google Benchmark run name taken apart.
#pragma once

#include <string>
#include <string_view>

#include "msgring/point/point.hpp"

namespace msgring::point {

/// `first_fill/slots:4096/batch:64/iterations:1/repeats:15/manual_time` is the workload
/// `first_fill` with slots and batch; the rest is Google Benchmark's decoration.
struct RunName {
  std::string workload;
  Facts parameters;
  bool manual_time = false;
};

/// Takes `name` apart. Parts without a colon, as foreign benchmarks have them (`BM_x/64`), stay in
/// the workload's name. Never fails: any text is a name.
RunName parse_run_name(std::string_view name);

}  // namespace msgring::point
