// SPDX-License-Identifier: MIT
// msgring_bench: command line -> Google Benchmark fixtures -> one point file.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "describe.hpp"
#include "guest_mode.hpp"
#include "identity.hpp"
#include "measure.hpp"
#include "msgring/boot/guest.hpp"
#include "msgring/error.hpp"
#include "options.hpp"
#include "smoke.hpp"

namespace msgring::bench {
namespace {

int run(const std::vector<std::string>& arguments) {
  const BenchOptions options = parse_options(arguments);
  switch (options.task) {
    case Task::kHelp:
      fmt::print("{}", options.help);
      return 0;
    case Task::kVersion:
      fmt::print("{}", version_text());
      return 0;
    case Task::kList:
      fmt::print("{}", list_text());
      return 0;
    case Task::kDescribe:
      fmt::print("{}", describe_text(options));
      return 0;
    case Task::kSmoke:
      return static_cast<int>(smoke(options));
    case Task::kMeasure:
      break;
  }
  return static_cast<int>(measure_to_file(options));
}

}  // namespace
}  // namespace msgring::bench

int main(int argc, char** argv) {
  if (msgring::boot::is_guest_init()) {
    msgring::bench::measure_as_guest();
  }
  try {
    return msgring::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "msgring_bench: error: {}\n", msgring::describe(error));
    return static_cast<int>(msgring::exit_status_of(error));
  }
}
