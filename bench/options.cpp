// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "msgring/error.hpp"
#include "msgring/uring/abi.hpp"
#include "plan.hpp"

namespace msgring::bench {
namespace {

/// Far above any use, and far below what would not fit in memory.
constexpr std::int64_t kMostOperations = 1 << 24;
/// Each is two rings that stay open through a round.
constexpr std::int64_t kMostReplicates = 4096;

/// Accepts whole numbers in [least, most], and says so otherwise.
CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= least &&
            value <= most) {
          return {};
        }
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
      },
      fmt::format("{}..{}", least, most));
}

/// Accepts the names of `choices`, and lists them otherwise.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    names += (names.empty() ? "" : "|") + name;
  }
  return CLI::Validator(
      [choices, names](std::string& text) -> std::string {
        return choices.contains(text) ? std::string{}
                                      : fmt::format("'{}' is not one of {}", text, names);
      },
      names);
}

/// "auto": nothing; else "50ms", "1s", "250us" or "0".
std::optional<std::chrono::microseconds> parse_gap(const std::string& text) {
  if (text == "auto") {
    return std::nullopt;
  }
  constexpr std::int64_t kMostMicroseconds = 3'600'000'000;
  std::int64_t count = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, count);
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  const std::map<std::string_view, std::int64_t> units{{"us", 1}, {"ms", 1'000}, {"s", 1'000'000}};
  const auto scale = units.find(unit);
  const bool zero = unit.empty() && count == 0;
  if (error != std::errc() || count < 0 || (scale == units.end() && !zero) ||
      (scale != units.end() && count > kMostMicroseconds / scale->second)) {
    throw Error(ExitStatus::kUsage, fmt::format("--gap: '{}' is not a duration", text),
                "give auto, 0, or a whole number with us, ms or s, up to 3600s");
  }
  return std::chrono::microseconds(zero ? 0 : count * scale->second);
}

void parse_settle(const std::string& text, BenchOptions& options) {
  if (text == "auto" || text == "none") {
    options.settle = text == "auto" ? SettlePolicy::kAuto : SettlePolicy::kNone;
    return;
  }
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0) ||
      seconds > 3600) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--settle: '{}' is neither auto, none nor seconds", text),
                "give auto, none, or 0 to 3600");
  }
  options.settle = SettlePolicy::kSeconds;
  options.settle_s = seconds;
}

/// The text so that a shell would read it back as one word.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  std::string text = "'";
  for (const char letter : word) {
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return text + "'";
}

std::string join_quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + quoted(word);
  }
  return text;
}

/// Google Benchmark flags that would leave a point without its rounds.
void refuse_harmful(const std::string& flag) {
  static const std::map<std::string, std::string> kHarmful{
      {"--benchmark_repetitions", "use --rounds"},
      {"--benchmark_report_aggregates_only", "a point needs one row per round"},
      {"--benchmark_display_aggregates_only", "a point needs one row per round"},
  };
  const auto found = kHarmful.find(flag.substr(0, flag.find('=')));
  if (found != kHarmful.end()) {
    throw Error(ExitStatus::kUsage, found->first + ": not available here", found->second);
  }
}

bool is_benchmark_flag(const std::string& argument) {
  return argument.starts_with("--benchmark_") || argument.starts_with("--v=");
}

template <class Value>
void refuse_duplicates(std::string_view option, const std::vector<Value>& values) {
  std::set<Value> seen;
  for (const Value& value : values) {
    if (!seen.insert(value).second) {
      throw Error(ExitStatus::kUsage, fmt::format("{}: {} is given twice", option, value),
                  "name each once");
    }
  }
}

/// The raw texts that CLI11 fills, before they become a BenchOptions.
struct Raw {
  std::string gap = "auto";
  std::string settle = "auto";
  std::string clock = "monotonic_raw";
  std::string source_setup;
  std::string target_setup;
  std::string slot_mode;
  bool cqe_skip = false;
  bool tails = false;
  bool force = false;
  bool rounds_table = false;
  bool describe = false;
  bool smoke = false;
  bool list = false;
  bool version = false;
};

const std::map<std::string, host::ClockKind> kClocks{
    {"monotonic_raw", host::ClockKind::kMonotonicRaw}, {"tsc", host::ClockKind::kTsc}};
const std::map<std::string, workload::RingProfile> kProfiles{
    {"default", workload::RingProfile::kDefault},
    {"single_issuer", workload::RingProfile::kSingleIssuer},
    {"defer_taskrun", workload::RingProfile::kDeferTaskrun}};
const std::map<std::string, workload::SlotMode> kSlotModes{
    {"alloc", workload::SlotMode::kAlloc}, {"explicit", workload::SlotMode::kExplicit}};

/// Sizes. Their defaults differ from workload to workload, so `--list` has them.
void bind_sizes(CLI::App& app, BenchOptions& options) {
  app.add_option("--slots", options.slots,
                 "entries of the table; a list gives one benchmark each (first_fill: 4096)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, uring::kMaxFixedFiles))
      ->group("What to measure");
  app.add_option("--fill", options.fill, "installs into the table (default: all of its slots)")
      ->check(whole_number(0, uring::kMaxFixedFiles))
      ->group("What to measure");
  app.add_option("--batch", options.batch, "SQEs per io_uring_enter (first_fill: 64)")
      ->check(whole_number(1, uring::kMaxSqEntries))
      ->group("What to measure");
  app.add_option("--ops", options.operations, "operations of a round that fills no table")
      ->check(whole_number(1, kMostOperations))
      ->group("What to measure");
  app.add_option("--replicates", options.replicates, "pairs of fills in a round of cache")
      ->check(whole_number(2, kMostReplicates))
      ->group("What to measure");
}

void bind_shape(CLI::App& app, BenchOptions& options, Raw& raw) {
  app.add_option("--workload", options.workloads,
                 "workloads, by name, or all; --list says what each does and which options it has")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->group("What to measure");
  bind_sizes(app, options);
  app.add_option("--slot-mode", raw.slot_mode, "who picks the slot (default: alloc)")
      ->check(one_of(kSlotModes))
      ->group("What to measure");
  app.add_option("--source-setup", raw.source_setup, "set-up flags of the submitting ring")
      ->check(one_of(kProfiles))
      ->group("What to measure");
  app.add_option("--target-setup", raw.target_setup, "set-up flags of the target ring")
      ->check(one_of(kProfiles))
      ->group("What to measure");
  app.add_flag("--cqe-skip", raw.cqe_skip, "post no completion to the target ring")
      ->group("What to measure");
}

void bind_conduct(CLI::App& app, BenchOptions& options, Raw& raw) {
  app.add_option("--rounds", options.rounds, "measured rounds")
      ->check(whole_number(1, 100'000))
      ->capture_default_str()
      ->group("How to measure");
  app.add_option("--warmup", options.warmup, "rounds before them, checked but not kept")
      ->check(whole_number(0, 100'000))
      ->capture_default_str()
      ->group("How to measure");
  app.add_option("--cpu", options.cpu, "CPU to pin to (default: the most capable one allowed)")
      ->check(whole_number(0, 1'048'575))
      ->group("How to measure");
  app.add_option("--gap", raw.gap, "pause before each round: auto, or as 50ms, 1s, 250us, 0")
      ->capture_default_str()
      ->group("How to measure");
  app.add_option("--settle", raw.settle, "wait before the first round: auto, none or seconds")
      ->capture_default_str()
      ->group("How to measure");
  app.add_option("--clock", raw.clock, "tsc counts instructions, under an emulator that does so")
      ->check(one_of(kClocks))
      ->capture_default_str()
      ->group("How to measure");
  app.add_flag("--tails", raw.tails,
               "time every batch too: p50, p90, p99, max; two clock readings each, cost printed")
      ->group("How to measure");
}

void bind_output(CLI::App& app, BenchOptions& options, Raw& raw) {
  app.add_option("--out", options.out,
                 "point file (default: named after kernel and time; - is standard output)")
      ->group("What to give");
  app.add_flag("--force", raw.force, "replace an existing point file")->group("What to give");
  app.add_flag("--rounds-table", raw.rounds_table, "print every round")->group("What to give");
  app.add_flag("--describe", raw.describe, "say all that would be done, touch nothing")
      ->group("Instead of measuring");
  app.add_flag("--smoke", raw.smoke, "256 installs with all checks, untimed")
      ->group("Instead of measuring");
  app.add_flag("--list", raw.list, "the workloads")->group("Instead of measuring");
  app.add_flag("--version", raw.version, "versions of msgring and its libraries")
      ->group("Instead of measuring");
}

Task task_of(const Raw& raw) {
  const int asked = int{raw.describe} + int{raw.smoke} + int{raw.list} + int{raw.version};
  if (asked > 1) {
    throw Error(ExitStatus::kUsage, "more than one of --describe, --smoke, --list, --version",
                "give one of them");
  }
  if (raw.describe) {
    return Task::kDescribe;
  }
  if (raw.smoke) {
    return Task::kSmoke;
  }
  if (raw.list) {
    return Task::kList;
  }
  return raw.version ? Task::kVersion : Task::kMeasure;
}

/// The choice that a text names; nothing for an empty one.
template <class Value>
std::optional<Value> given(const std::map<std::string, Value>& choices, const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(choices.at(text));
}

void apply(const Raw& raw, BenchOptions& options) {
  options.task = task_of(raw);
  options.gap = parse_gap(raw.gap);
  parse_settle(raw.settle, options);
  options.clock = kClocks.at(raw.clock);
  options.tails = raw.tails ? workload::Tails::kPerBatch : workload::Tails::kOff;
  options.source_profile = given(kProfiles, raw.source_setup);
  options.target_profile = given(kProfiles, raw.target_setup);
  options.slot_mode = given(kSlotModes, raw.slot_mode);
  if (raw.cqe_skip) {
    options.target_completion = workload::TargetCompletion::kSkipped;
  }
  options.existing = raw.force ? ExistingFile::kOverwrite : ExistingFile::kRefuse;
  options.rounds_table = raw.rounds_table ? RoundsTable::kYes : RoundsTable::kNo;
}

void refuse_smoke_with(const CLI::App& app) {
  for (const char* const option : {"--out", "--slots", "--fill", "--ops", "--replicates"}) {
    if (app.count(option) != 0) {
      throw Error(ExitStatus::kUsage, "--smoke measures nothing and has its own size",
                  fmt::format("leave {} away", option));
    }
  }
}

void refuse_contradictions(const CLI::App& app, const BenchOptions& options) {
  refuse_duplicates("--slots", options.slots);
  for (const workload::Parameter parameter : workload::kAllParameters) {
    if (app.count(std::string(workload::option_name(parameter))) != 0) {
      refuse_without_effect(parameter, options.workloads);
    }
  }
  plan_of(options);  // throws for sizes that do not go together
  if (options.task == Task::kSmoke) {
    refuse_smoke_with(app);
  }
  if (options.out == "-" && options.existing == ExistingFile::kOverwrite) {
    throw Error(ExitStatus::kUsage, "--force: standard output is no file to replace",
                "leave --force away");
  }
  if (app.count("--out") != 0 && options.out.empty()) {
    throw Error(ExitStatus::kUsage, "--out: the name is empty", "name a file that does not exist");
  }
}

/// CLI11's message, in one line and with the way out.
Error usage_error(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {ExitStatus::kUsage, text, "--help lists the options"};
}

}  // namespace

BenchOptions parse_options(const std::vector<std::string>& arguments) {
  BenchOptions options;
  options.arguments = join_quoted(arguments);
  std::vector<std::string> ours;
  for (const std::string& argument : arguments) {
    if (is_benchmark_flag(argument)) {
      refuse_harmful(argument);
      options.benchmark_flags.push_back(argument);
    } else {
      ours.push_back(argument);
    }
  }
  Raw raw;
  CLI::App app("Measures what one io_uring fixed-file installation costs inside the kernel.",
               "msgring_bench");
  app.footer(
      "Google Benchmark's own --benchmark_* flags work too.\n"
      "Exit: 0 measured, 2 usage, 3 a check failed, 5 this machine cannot do it, 130 interrupted.");
  bind_shape(app, options, raw);
  bind_conduct(app, options, raw);
  bind_output(app, options, raw);
  try {
    std::reverse(ours.begin(), ours.end());  // CLI11 takes a vector from its end
    app.parse(std::move(ours));
  } catch (const CLI::CallForHelp&) {
    options.task = Task::kHelp;
    options.help = app.help();
    return options;
  } catch (const CLI::ParseError& error) {
    throw usage_error(error);
  }
  apply(raw, options);
  options.workloads = resolve_workloads(options.workloads);
  refuse_contradictions(app, options);
  return options;
}

}  // namespace msgring::bench
