// SPDX-License-Identifier: MIT
#include "cli/check_folder.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "msgring/boot/run.hpp"
#include "msgring/error.hpp"
#include "msgring/point/check.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> point_faults(const fs::path& file) {
  std::vector<std::string> faults;
  for (const point::Point& point : point::read_points(file)) {
    for (const point::Fault& fault : point::check_point(point)) {
      faults.push_back(fmt::format("{}: {}", fault.place, fault.what));
    }
  }
  return faults;
}

}  // namespace

void check_folder(const fs::path& folder) {
  std::vector<std::string> faults = boot::check_run(folder);
  std::size_t points = 0;
  for (const auto& entry : fs::directory_iterator(folder / "points")) {
    if (faults.empty() && entry.path().extension() == ".json") {
      faults = point_faults(entry.path());
      ++points;
    }
  }
  if (!faults.empty()) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: {}", folder.native(), faults.front()),
                faults.size() > 1 ? fmt::format("{} faults in all", faults.size()) : "");
  }
  fmt::print("{}: as it was left, {} sound points\n", folder.native(), points);
}

}  // namespace msgring::cli
