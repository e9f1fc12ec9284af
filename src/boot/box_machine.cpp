// SPDX-License-Identifier: MIT
// Waiting for a box, with a reason for each way in which it may not come.
#include "box_machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "msgring/host/sha256.hpp"

namespace msgring::boot {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience(180);

/// $1 the benchmark's folder, $2 the run's folder in it, $3 limit in seconds, then arguments. Asked
/// twice, it starts once, and ends when the benchmark holds the lock. The status comes last and
/// whole; the lock is held until then.
constexpr std::string_view kStartScript = R"sh(
folder=$1 run=$2 limit=$3
shift 3
for old in "$folder"/run-*; do
  if [ "$old" != "$run" ]; then rm -rf "$old"; fi
done
mkdir "$run" 2>/dev/null || exit 0
: >"$run/lock"
if ! detach "msgring-bench-${run##*/run-}" flock "$run/lock" sh -c '
  limit=$1 folder=$2
  cd "$3" || exit
  shift 3
  timeout -k 10 "$limit" env "LD_LIBRARY_PATH=$folder/lib" "$folder/msgring_bench" "$@" --out point.json >out 2>err
  echo $? >status.new
  sync
  mv status.new status
' msgring "$limit" "$folder" "$run" "$@"; then
  rm -rf "$run"
  exit 1
fi
looks=0
while flock -n -s "$run/lock" true && [ ! -e "$run/status" ] && [ "$looks" -lt 100 ]; do
  looks=$((looks + 1))
  sleep 0.1
done
)sh";

/// $1 the run's folder.
constexpr std::string_view kWaitScript = R"sh(
printf 'boot_id %s\n' "$(cat /proc/sys/kernel/random/boot_id)"
if [ -e "$1/lock" ]; then flock -s "$1/lock" true; fi
if [ -e "$1/status" ]; then printf 'status %s\n' "$(cat "$1/status")"; else echo unfinished; fi
)sh";

constexpr std::string_view kFetchScript = R"sh(
sha256sum <"$1/point.json" && cat "$1/point.json"
)sh";

constexpr std::string_view kWordsScript = R"sh(
tail -n 40 "$1/out" "$1/err"
)sh";

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

seconds seconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<seconds>(deadline - std::chrono::steady_clock::now());
  return std::max(seconds(1), left);
}

}  // namespace

BoxMachine::BoxMachine(BoxBootPlan plan, std::unique_ptr<Box> box, std::stop_token stop)
    : plan_(std::move(plan)), box_(std::move(box)), stop_(std::move(stop)) {}

BoxMachine::~BoxMachine() {
  if (is_tuned_) {
    box_->ignore_stop();
    try {
      set_controls("restore");
    } catch (const std::exception&) {
      // A reboot puts everything back as well.
      is_tuned_ = false;
    }
  }
}

void BoxMachine::note(const std::string& line) const {
  note_as_written(fmt::format("{:%FT%TZ} {}", fmt::gmtime(std::time(nullptr)), line));
}

void BoxMachine::note_as_written(const std::string& line) const {
  std::ofstream(plan_.request.console_log, std::ios::app) << line << '\n';
}

void BoxMachine::fail(Outcome outcome, const std::string& why) const {
  note(fmt::format("{}: {}", outcome_text(outcome), why));
  throw BootFailure(outcome, why, tail_);
}

void BoxMachine::pause() const {
  const auto until = Clock::now() + plan_.look_interval;
  do {
    if (stop_.stop_requested()) {
      throw Error(ExitStatus::kInterrupted, "interrupted", "--resume goes on from here");
    }
    std::this_thread::sleep_for(std::min(plan_.look_interval, milliseconds(100)));
  } while (Clock::now() < until);
}

std::optional<Witness> BoxMachine::look() {
  const BoxAnswer answer = box_->run(witness_command(), kPatience);
  if (!answer.ok()) {
    words_ = last_words(answer.errors);
    return std::nullopt;
  }
  std::optional<Witness> witness = parse_witness(answer.output);
  if (!witness) {
    words_ = "it answers, but does not say which boot it is in";
  }
  return witness;
}

Witness BoxMachine::wait_for_box(Clock::time_point deadline) {
  while (true) {
    if (auto witness = look()) {
      return std::move(*witness);
    }
    if (Clock::now() > deadline) {
      fail(Outcome::kNoBoot,
           fmt::format("no way to the box for {} s: {}", plan_.deadlines.boot.count(), words_));
    }
    pause();
  }
}

void BoxMachine::boot(BootObserver& observer) {
  observer.on_phase(BootPhase::kBoot);
  const Witness before = wait_for_box(Clock::now() + plan_.deadlines.boot);
  const auto since = Clock::now();
  note(fmt::format("before: {} ({}), boot_id {}", before.boot.release, before.boot.build_id,
                   before.boot.boot_id));
  switch_kernel(*box_, {plan_.box, plan_.request.kernel, plan_.wanted.command_line}, stop_);
  note(
      fmt::format("told to boot {} by {}", plan_.wanted.release, boot_method_text(plan_.box.boot)));
  wait_for_fresh_boot(before, since);
}

void BoxMachine::wait_for_fresh_boot(const Witness& before, Clock::time_point since) {
  const auto deadline = since + plan_.deadlines.boot;
  bool was_away = false;
  while (true) {
    const std::optional<Witness> now = look();
    const std::chrono::duration<double> elapsed = Clock::now() - since;
    if (now && judge_arrival(before, *now, elapsed) != Arrival::kOldBoot) {
      accept(before, *now, elapsed);
      return;
    }
    was_away = was_away || !now;
    if (Clock::now() > deadline) {
      fail(Outcome::kNoBoot,
           now ? fmt::format("the box is still in its old boot {} s after the request{}; {}",
                             plan_.deadlines.boot.count(),
                             was_away ? ", though it was away in between" : "", loader_state(*box_))
               : fmt::format("the box has not come back within {} s: {}",
                             plan_.deadlines.boot.count(), words_));
    }
    pause();
  }
}

void BoxMachine::accept(const Witness& before, const Witness& now,
                        std::chrono::duration<double> elapsed) {
  proof_ = boot_proof(before, now, elapsed);
  note(fmt::format("after: {} ({}), {}", now.boot.release, now.boot.build_id, proof_));
  if (judge_arrival(before, now, elapsed) == Arrival::kContradiction) {
    throw RunOver(ExitStatus::kEnvironment,
                  fmt::format("no proof of a fresh boot, the witnesses disagree: {}", proof_),
                  "is this a container, or a machine whose boot_id repeats?");
  }
  if (const std::string wrong = wrong_kernel(plan_.wanted, now); !wrong.empty()) {
    // Only a boot loader starts a kernel without the mark: after a power cut, or a kernel that
    // died.
    if (plan_.box.boot == BootMethod::kKexec && !came_by_kexec(now)) {
      fail(Outcome::kNoBoot,
           fmt::format("the firmware has booted the box, not this kexec: {}; the box holds {}",
                       wrong, loader_state(*box_)));
    }
    const std::string text =
        fmt::format("wrong kernel: {}; the box holds {}", wrong, loader_state(*box_));
    note(text);
    throw RunOver(ExitStatus::kEnvironment, text,
                  "cure its boot loader, then --resume: nothing of this boot was stored");
  }
  boot_ = now;
}

std::string BoxMachine::run_folder() const {
  return fmt::format("{}/run-{}", plan_.folder, boot_->boot.boot_id);
}

void BoxMachine::set_controls(std::string_view action) {
  std::vector<std::string> command = {"bash", plan_.folder + "/tune-host", std::string(action)};
  const auto& arguments = plan_.request.arguments;
  if (const auto at = std::find(arguments.begin(), arguments.end(), "--cpu");
      at != arguments.end() && at + 1 != arguments.end()) {
    command.insert(command.end(), {"--cpu", *(at + 1)});
  }
  const BoxAnswer answer = box_->run(command, kPatience);
  for (const std::string& line : lines_of(answer.output + answer.errors)) {
    note("tune-host: " + line);
  }
  if (!answer.ok()) {
    fail(Outcome::kDriverFailed,
         fmt::format("tune-host {}: {}", action, last_words(answer.errors)));
  }
  is_tuned_ = action == "apply";
}

void BoxMachine::start_benchmark() {
  const seconds limit = plan_.deadlines.settle + plan_.deadlines.measure;
  std::vector<std::string> arguments = {plan_.folder, run_folder(), std::to_string(limit.count())};
  arguments.insert(arguments.end(), plan_.request.arguments.begin(), plan_.request.arguments.end());
  const auto deadline = Clock::now() + plan_.deadlines.boot;
  while (true) {
    const BoxAnswer answer = box_->run(detaching_script(kStartScript, arguments), kPatience);
    if (answer.ok()) {
      return;
    }
    words_ = last_words(answer.errors);
    if (answer.reach == Reach::kAnswered || Clock::now() > deadline) {
      fail(Outcome::kDriverFailed, fmt::format("the benchmark could not be started: {}", words_));
    }
    pause();
  }
}

void BoxMachine::run(BootObserver& observer) {
  if (plan_.box.tune) {
    set_controls("apply");
  }
  observer.on_phase(BootPhase::kMeasure);
  start_benchmark();
  note(fmt::format("the benchmark runs in {}", run_folder()));
  wait_for_benchmark();
}

void BoxMachine::wait_for_benchmark() {
  // The benchmark's own limit comes first; then the box has as long to answer as it has to boot.
  const auto deadline =
      Clock::now() + plan_.deadlines.settle + plan_.deadlines.measure + plan_.deadlines.boot;
  auto last_word = Clock::now();
  while (true) {
    const BoxAnswer answer =
        box_->run(box_script(kWaitScript, {run_folder()}), seconds_until(deadline));
    if (answer.ok()) {
      last_word = Clock::now();
      if (understand(answer)) {
        return;
      }
    } else {
      words_ = last_words(answer.errors);
      if (answer.reach == Reach::kAnswered) {
        fail(Outcome::kDriverFailed, fmt::format("asking for the result: {}", words_));
      }
      note(fmt::format("no answer while it measures: {}", words_));
    }
    if (Clock::now() > deadline) {
      fail(Outcome::kGuestHang,
           fmt::format("no result, and no word from the box for {} s: {}",
                       std::chrono::floor<seconds>(Clock::now() - last_word).count(), words_));
    }
    pause();
  }
}

bool BoxMachine::understand(const BoxAnswer& answer) {
  const std::vector<std::string> lines = lines_of(answer.output);
  if (lines.size() != 2) {
    return false;
  }
  if (lines[0] != "boot_id " + boot_->boot.boot_id) {
    fail(Outcome::kRestarted,
         fmt::format("the box left the boot while it measured: {} now", lines[0]));
  }
  if (lines[1] == "unfinished") {
    constexpr unsigned kTimes = 5;
    if (++unfinished_ == kTimes) {
      fail(Outcome::kBenchFailed, "the benchmark was ended without a word: out of memory?");
    }
    return false;
  }
  judge_status(lines[1].substr(lines[1].find(' ') + 1));
  return true;
}

void BoxMachine::judge_status(const std::string& status) {
  tail_ = lines_of(box_->run(box_script(kWordsScript, {run_folder()}), kPatience).output);
  for (const std::string& line : tail_) {
    note("box: " + line);
  }
  if (status == "124" || status == "137") {
    fail(Outcome::kTimeout,
         fmt::format("the benchmark did not end within {} s",
                     (plan_.deadlines.settle + plan_.deadlines.measure).count()));
  }
  if (status != "0") {
    fail(Outcome::kBenchFailed,
         fmt::format("exit status {}: {}", status, tail_.empty() ? "" : tail_.back()));
  }
}

std::string BoxMachine::fetch_point() {
  constexpr std::size_t kDigits = 64;
  const auto deadline = Clock::now() + plan_.deadlines.boot;
  while (true) {
    const BoxAnswer answer = box_->run(box_script(kFetchScript, {run_folder()}), kPatience);
    const std::size_t line_end = answer.output.find('\n');
    if (answer.ok() && line_end != std::string::npos) {
      std::string text = answer.output.substr(line_end + 1);
      if (host::sha256_of_bytes(text) == answer.output.substr(0, kDigits)) {
        return text;
      }
      words_ = "its digest is not that of the file on the box";
    } else {
      words_ = last_words(answer.errors);
    }
    if (Clock::now() > deadline) {
      fail(Outcome::kResultDamaged, fmt::format("the point did not arrive: {}", words_));
    }
    pause();
  }
}

void BoxMachine::check_point(const std::string& text) const {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto context = json.is_object() ? json.value("context", nlohmann::json()) : json;
  if (!context.is_object()) {
    throw BootFailure(Outcome::kResultDamaged, "the point is no point file", tail_);
  }
  for (const auto& [key, wanted] : {std::pair("kernel.boot_id", boot_->boot.boot_id),
                                    std::pair("kernel.release", boot_->boot.release),
                                    std::pair("kernel.build_id", boot_->boot.build_id)}) {
    if (const std::string got = context.value(key, ""); got != wanted) {
      throw BootFailure(Outcome::kRestarted,
                        fmt::format("the point says {} {}, the box was in {}", key, got, wanted),
                        tail_);
    }
  }
}

BootResult BoxMachine::fetch(BootObserver& /*observer*/) {
  BootResult result;
  result.point_text = fetch_point();
  check_point(result.point_text);
  if (is_tuned_) {
    set_controls("restore");
  }
  // What it cannot take away now, the next start does.
  box_->run({"rm", "-rf", run_folder()}, kPatience);
  result.facts = {{"boot.driver", plan_.driver},
                  {"boot.method", std::string(boot_method_text(plan_.box.boot))},
                  {"boot.tuned", plan_.box.tune ? "yes" : "no"},
                  {"boot.proof", proof_}};
  if (!plan_.wanted.command_line.empty()) {
    result.facts["boot.command_line"] = plan_.wanted.command_line;
  }
  return result;
}

}  // namespace msgring::boot
