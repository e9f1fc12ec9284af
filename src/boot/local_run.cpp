// SPDX-License-Identifier: MIT
// Beginning, going on with, ending and aborting a run that outlives its process.
#include "local_run.hpp"

#include <fmt/format.h>

#include <ctime>

#include "boot_switch.hpp"
#include "local_box.hpp"
#include "msgring/boot/run_lock.hpp"

namespace msgring::boot {
namespace {

constexpr std::chrono::seconds kPatience(120);

/// Stops it if it runs; systemd forgets a unit without a file only when it is told to look.
constexpr std::string_view kForgetScript = R"sh(
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
)sh";

constexpr std::string_view kStopScript = R"sh(
if [ -d /run/systemd/system ]; then
  systemctl stop msgring-resume.service msgring-reboot.service 'msgring-bench-*.service'
fi
)sh";

bool is_interruption(const std::exception& error) {
  return exit_status_of(error) == ExitStatus::kInterrupted;
}

/// Is it for a person to act, not for another try?
bool is_final(const std::exception& error) {
  const auto* const own = dynamic_cast<const Error*>(&error);
  return dynamic_cast<const RunOver*>(&error) != nullptr ||
         (own != nullptr &&
          (own->status() == ExitStatus::kUsage || own->status() == ExitStatus::kInvalid));
}

std::string finished_text(ExitStatus status) {
  return fmt::format("finished, exit status {}", static_cast<int>(status));
}

void note_failure(const LocalStore& store, const ResumeUnitFile& unit,
                  const std::exception& error) {
  std::optional<LocalState> state = store.load();
  if (!state) {
    return;
  }
  if (is_final(error)) {
    end_local_run(store, unit, describe(error));
  } else if (state->starts >= kMostStarts) {
    end_local_run(store, unit,
                  fmt::format("given up after {} starts without progress: {}", state->starts,
                              describe(error)));
  } else {
    state->last_failure = describe(error);
    store.save(*state);
  }
}

}  // namespace

void end_local_run(const LocalStore& store, const ResumeUnitFile& unit, const std::string& how) {
  // A damaged state still has to go.
  std::filesystem::path folder;
  try {
    const std::optional<LocalState> state = store.load();
    folder = state ? state->folder : folder;
  } catch (const Error&) {
    folder = "unknown (the state is damaged)";
  }
  unit.remove();
  store.end({folder, how, std::time(nullptr)});
  LocalBox({}).run(box_script(kForgetScript), kPatience);
}

ExitStatus begin_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                           const std::function<ExitStatus()>& work) {
  // One that is under way already is not this one: `work` refuses, and leaves it alone.
  const bool is_another = std::filesystem::exists(store.state_file());
  const auto end = [&](const std::string& how) {
    if (!is_another && store.load()) {
      end_local_run(store, unit, how);
    }
  };
  try {
    const ExitStatus status = work();
    end(finished_text(status));
    return status;
  } catch (const Rebooting&) {
    throw;
  } catch (const std::exception& error) {
    if (!is_interruption(error)) {
      end(describe(error));
    }
    throw;
  }
}

ExitStatus resume_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                            const std::function<ExitStatus(const LocalState&)>& work) {
  store.demand();
  // A second one must leave the first one's state alone: read when it has ended.
  const RunLock lock(store.folder());
  LocalState state = store.demand();
  if (state.starts >= kMostStarts) {
    const std::string text =
        fmt::format("{}: given up after {} starts without progress; the last failure: {}",
                    state.folder.native(), state.starts,
                    state.last_failure.empty() ? "killed without a word" : state.last_failure);
    end_local_run(store, unit, text);
    throw RunOver(
        ExitStatus::kUsage, text,
        fmt::format("msgring aba --resume --out {} begins anew from there", state.folder.native()));
  }
  ++state.starts;
  store.save(state);
  try {
    const ExitStatus status = work(state);
    end_local_run(store, unit, finished_text(status));
    return status;
  } catch (const Rebooting&) {
    throw;
  } catch (const std::exception& error) {
    if (!is_interruption(error)) {
      note_failure(store, unit, error);
    }
    throw;
  }
}

std::vector<std::string> abort_local_run(const LocalStore& store, const ResumeUnitFile& unit) {
  LocalBox box({});
  return abort_local_run(store, unit, box);
}

std::vector<std::string> abort_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                                         Box& box) {
  if (!std::filesystem::exists(store.state_file()) && !unit.is_installed()) {
    store.demand();
  }
  // Before the state is read: a run at work writes it.
  box.run(box_script(kStopScript), kPatience);
  std::filesystem::create_directories(store.folder());
  const RunLock lock(store.folder());
  std::optional<LocalState> state;
  try {
    state = store.load();
  } catch (const Error&) {
    state.reset();
  }
  std::vector<std::string> lines;
  if (state && state->armed && state->armed->measuring_in.empty()) {
    lines.push_back(fmt::format(
        "boot {} is disarmed: {}", state->armed->boot,
        disarm_kernel(box, parse_boot_method(state->armed->method, store.state_file().native()))));
  }
  end_local_run(store, unit, "aborted");
  lines.push_back(fmt::format("{} and the state are removed", kResumeUnit));
  if (state) {
    lines.push_back(fmt::format(
        "{} is kept: msgring aba --resume --out {} goes on with it, from the first boot "
        "without a point",
        state->folder.native(), state->folder.native()));
  }
  return lines;
}

}  // namespace msgring::boot
