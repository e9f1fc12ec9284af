// SPDX-License-Identifier: MIT
// run.json and last.json.
#include "msgring/boot/local_state.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/error.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kSchema = "msgring-local-1";

template <class Number>
ordered_json number_or_null(const std::optional<Number>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

template <class Number>
std::optional<Number> optional_number(const ordered_json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<Number>());
}

ordered_json json_of(const ArmedBoot& armed) {
  return {{"boot", armed.boot},
          {"release", armed.release},
          {"method", armed.method},
          {"before",
           {{"boot_id", armed.before.boot_id},
            {"btime_s", number_or_null(armed.before.btime_s)},
            {"uptime_s", number_or_null(armed.before.uptime_s)},
            {"release", armed.before.release},
            {"build_id", armed.before.build_id}}},
          {"at_s", armed.at_s},
          {"notes", armed.notes},
          {"measuring_in", armed.measuring_in}};
}

ArmedBoot armed_of(const ordered_json& json) {
  const ordered_json& before = json.at("before");
  ArmedBoot armed;
  armed.boot = json.at("boot").get<std::string>();
  armed.release = json.at("release").get<std::string>();
  armed.method = json.at("method").get<std::string>();
  armed.before.boot_id = before.at("boot_id").get<std::string>();
  armed.before.btime_s = optional_number<std::int64_t>(before.at("btime_s"));
  armed.before.uptime_s = optional_number<double>(before.at("uptime_s"));
  armed.before.release = before.at("release").get<std::string>();
  armed.before.build_id = before.at("build_id").get<std::string>();
  armed.at_s = json.at("at_s").get<std::int64_t>();
  armed.notes = json.at("notes").get<std::vector<std::string>>();
  armed.measuring_in = json.at("measuring_in").get<std::string>();
  return armed;
}

void replace_file(const fs::path& file, const std::string& text) {
  host::OutputFile(file, host::Overwrite::kForce, "state", text.size()).commit(text);
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

}  // namespace

std::string local_state_text(const LocalState& state) {
  const ordered_json json{{"schema", kSchema},
                          {"folder", state.folder.native()},
                          {"arguments", state.arguments},
                          {"starts", state.starts},
                          {"armed", state.armed ? json_of(*state.armed) : ordered_json(nullptr)},
                          {"lost", ordered_json(state.lost)},
                          {"last_failure", state.last_failure}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

LocalState parse_local_state(std::string_view text, std::string_view source) {
  try {
    const ordered_json json = ordered_json::parse(text);
    if (json.at("schema") != kSchema) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("{}: is of another msgring: {}", source, json.at("schema").dump()),
                  "msgring abort removes it; the run's folder stays");
    }
    LocalState state;
    state.folder = json.at("folder").get<std::string>();
    state.arguments = json.at("arguments").get<std::vector<std::string>>();
    state.starts = json.at("starts").get<unsigned>();
    if (!json.at("armed").is_null()) {
      state.armed = armed_of(json.at("armed"));
    }
    state.lost = json.at("lost").get<std::map<std::string, unsigned>>();
    state.last_failure = json.at("last_failure").get<std::string>();
    return state;
  } catch (const ordered_json::exception& error) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: {}", source, error.what()),
                "msgring abort removes it; the run's folder stays");
  }
}

std::optional<LocalState> LocalStore::load() const {
  return is_there(state_file()) ? std::optional(parse_local_state(host::read_file(state_file()),
                                                                  state_file().native()))
                                : std::nullopt;
}

LocalState LocalStore::demand() const {
  if (auto state = load()) {
    return std::move(*state);
  }
  throw Error(ExitStatus::kUsage, fmt::format("no run is under way: no {}", state_file().native()),
              "begin one with msgring aba --driver local, or go on with an ended one by --resume");
}

void LocalStore::save(const LocalState& state) const {
  fs::create_directories(folder_);
  replace_file(state_file(), local_state_text(state));
}

void LocalStore::arm(LocalState state, ArmedBoot boot) const {
  state.starts = 0;
  state.armed = std::move(boot);
  save(state);
}

void LocalStore::measure(const std::string& boot_id) const {
  LocalState state = demand();
  if (state.armed) {
    state.armed->measuring_in = boot_id;
  }
  save(state);
}

void LocalStore::lose(const std::string& boot, const std::string& why) const {
  LocalState state = demand();
  ++state.lost[boot];
  state.armed.reset();
  state.last_failure = fmt::format("{}: {}", boot, why);
  save(state);
}

void LocalStore::end(const LocalEnd& how) const {
  const ordered_json json{{"folder", how.folder.native()}, {"how", how.how}, {"at_s", how.at_s}};
  fs::create_directories(folder_);
  replace_file(end_file(), json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  fs::remove(state_file());
  host::sync_folder(folder_);
}

std::optional<LocalEnd> LocalStore::last() const {
  if (!is_there(end_file())) {
    return std::nullopt;
  }
  const auto json = ordered_json::parse(host::read_file(end_file()), nullptr, false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  return LocalEnd{json.value("folder", ""), json.value("how", ""),
                  json.value("at_s", std::int64_t{0})};
}

}  // namespace msgring::boot
