// SPDX-License-Identifier: MIT
// Prints points.
#include "cli/show.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/colour.hpp"
#include "msgring/comparison/point_summary.hpp"
#include "msgring/point/check.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/report/point_report.hpp"

namespace msgring::cli {
namespace {

struct ShowOptions {
  std::vector<std::string> files;
  std::string colour = "auto";
};

void run(const ShowOptions& options) {
  const report::Colour colour = colour_for_stdout(options.colour);
  for (const std::string& file : options.files) {
    for (const point::Point& point : point::read_points(file)) {
      fmt::print("{}", report::point_report(point, comparison::summarize_point(point),
                                            point::check_point(point), colour));
    }
  }
}

}  // namespace

void add_show(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "What a point says, for a person");
  command->add_option("points", options->files, "Point files")->required();
  command->add_option("--colour,--color", options->colour, "auto, always, never (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  command->callback([options, &status] {
    run(*options);
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
