// SPDX-License-Identifier: MIT
// The state on disk beside what the run's folder has.
#include "cli/status.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/local_options.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {
namespace {

struct StatusOptions {
  LocalOptions local;
  std::string format = "text";
};

/// A boot of the plan, and how far it is.
struct BootStatus {
  std::string name;
  std::string kernel;
  bool is_measured = false;
  unsigned lost = 0;
};

struct Status {
  std::optional<boot::LocalState> state;
  std::optional<boot::LocalEnd> last;
  std::vector<BootStatus> boots;
  unsigned tries = 0;  ///< that each boot may take
  std::string order;
  std::string fault;  ///< of the run's folder
  std::string unit;
  bool has_unit = false;
};

std::string time_text(std::int64_t at_s) {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(at_s)));
}

void read_folder(Status& status) {
  if (!std::filesystem::is_regular_file(boot::RunFolder(status.state->folder).plan_file())) {
    status.fault = ", which is gone: msgring abort ends the run";
    return;
  }
  const boot::Plan plan = boot::stored_plan(status.state->folder);
  const boot::RunFolder folder(status.state->folder);
  status.tries = plan.retries + 1;
  status.order = plan.order;
  for (const boot::PlannedBoot& boot : boot::planned_boots(plan, host::Unit::kNanoseconds)) {
    status.boots.push_back({boot.name, plan.role(boot.role).kernel, folder.has_point(boot.name),
                            folder.lost_attempts(boot.name)});
  }
}

Status read_status(const LocalOptions& options) {
  Status status;
  status.state = options.store().load();
  status.last = options.store().last();
  status.unit = options.unit().path();
  status.has_unit = options.unit().is_installed();
  if (status.state) {
    read_folder(status);
  }
  return status;
}

/// What the armed boot is doing; its point ends it.
std::string armed_text(const Status& status) {
  const auto& armed = status.state->armed;
  if (!armed) {
    return "nothing";
  }
  for (const BootStatus& boot : status.boots) {
    if (boot.name == armed->boot && boot.is_measured) {
      return "nothing";
    }
  }
  return fmt::format("{}: {} by {}, told {} in boot {} of {}{}", armed->boot, armed->release,
                     armed->method, time_text(armed->at_s), armed->before.boot_id,
                     armed->before.release,
                     armed->measuring_in.empty() ? "" : "; it came up and measures");
}

std::string attempts_text(const Status& status) {
  std::string text;
  for (const auto& [boot, lost] : status.state->lost) {
    text += fmt::format("{}{} lost {} of {}", text.empty() ? "" : ", ", boot, lost, status.tries);
  }
  return fmt::format("{}; resume started {} of {} times since a boot was armed",
                     text.empty() ? "none lost" : text, status.state->starts, boot::kMostStarts);
}

std::string text_of(const Status& status) {
  std::string text;
  const auto add = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("{:<9} {}\n", key, value);
  };
  if (!status.state) {
    add("run", "none is under way on this machine");
  } else {
    add("run",
        fmt::format("{}{}", status.state->folder.native(),
                    status.fault.empty() ? fmt::format(" ({})", status.order) : status.fault));
    std::string measured;
    std::size_t count = 0;
    for (const BootStatus& boot : status.boots) {
      count += boot.is_measured ? 1U : 0U;
      measured += boot.is_measured ? " " + boot.name : "";
    }
    add("measured", fmt::format("{} of {}{}{}", count, status.boots.size(),
                                measured.empty() ? "" : ":", measured));
    add("armed", armed_text(status));
    add("attempts", attempts_text(status));
    add("failed", status.state->last_failure.empty() ? "nothing" : status.state->last_failure);
  }
  add("unit", status.unit + (status.has_unit ? " is installed" : " is not installed"));
  if (status.last) {
    add("last run", fmt::format("{}: {}, {}", status.last->folder.native(), status.last->how,
                                time_text(status.last->at_s)));
  }
  return text;
}

nlohmann::ordered_json run_json(const Status& status) {
  nlohmann::ordered_json boots = nlohmann::ordered_json::array();
  for (const BootStatus& boot : status.boots) {
    boots.push_back({{"name", boot.name},
                     {"kernel", boot.kernel},
                     {"measured", boot.is_measured},
                     {"lost", boot.lost}});
  }
  nlohmann::ordered_json armed;
  if (const auto& boot = status.state->armed) {
    armed = {{"boot", boot->boot},
             {"release", boot->release},
             {"method", boot->method},
             {"at_s", boot->at_s},
             {"from_boot_id", boot->before.boot_id},
             {"measuring_in", boot->measuring_in}};
  }
  return {{"folder", status.state->folder.native()},
          {"order", status.order},
          {"boots", boots},
          {"armed", armed},
          {"tries", status.tries},
          {"lost", nlohmann::ordered_json(status.state->lost)},
          {"starts", status.state->starts},
          {"last_failure", status.state->last_failure}};
}

std::string json_of(const Status& status) {
  nlohmann::ordered_json document{{"schema", "msgring-status-1"},
                                  {"run", nullptr},
                                  {"unit", {{"file", status.unit}, {"installed", status.has_unit}}},
                                  {"last", nullptr}};
  if (status.state) {
    document["run"] = run_json(status);
  }
  if (status.last) {
    document["last"] = {{"folder", status.last->folder.native()},
                        {"how", status.last->how},
                        {"at_s", status.last->at_s}};
  }
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void add_status(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<StatusOptions>();
  CLI::App* command = app.add_subcommand(
      "status", "How far this machine's run is: what is measured, armed, lost, and installed");
  command->add_option("--format", options->format, "text or json (default: text)")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  add_local_options(*command, options->local);
  command->callback([options, &status] {
    const Status now = read_status(options->local);
    fmt::print("{}", options->format == "json" ? json_of(now) : text_of(now));
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
