// SPDX-License-Identifier: MIT
#include "box_witness.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

/// A parameter with a dot in it that belongs to no module: the kernel passes over it in silence.
constexpr std::string_view kKexecMark = "msgring.boot=kexec";

constexpr std::string_view kScript = R"sh(
printf 'boot_id %s\n' "$(cat /proc/sys/kernel/random/boot_id)"
printf 'release %s\n' "$(uname -r)"
sed -n '/^btime /p' /proc/stat
printf 'uptime %s\n' "$(cat /proc/uptime)"
printf 'notes %s\n' "$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n')"
printf 'cmdline %s\n' "$(cat /proc/cmdline)"
echo end
)sh";

std::map<std::string, std::string> lines_by_word(std::string_view text) {
  std::map<std::string, std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    lines[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return lines;
}

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// It becomes part of a path on the box.
bool is_boot_id(const std::string& text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

std::string bytes_of(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

std::vector<std::string> witness_command() { return box_script(kScript); }

Witness demand_witness(Box& box, std::string_view what) {
  if (auto witness = parse_witness(demand(box, witness_command(), what))) {
    return std::move(*witness);
  }
  throw Error(ExitStatus::kEnvironment, fmt::format("{}: says nothing of its boot", what),
              "it must be a Linux with /proc mounted");
}

std::optional<Witness> parse_witness(std::string_view text) {
  auto lines = lines_by_word(text);
  if (lines.count("end") == 0 || !is_boot_id(lines["boot_id"]) || lines["release"].empty()) {
    return std::nullopt;
  }
  Witness witness;
  witness.boot.boot_id = lines["boot_id"];
  witness.boot.release = lines["release"];
  witness.boot.btime_s = number_in<std::int64_t>(lines["btime"]);
  witness.boot.uptime_s = number_in<double>(lines["uptime"]);
  witness.boot.build_id =
      host::build_id_of_notes(bytes_of(lines["notes"])).value_or("unknown (no build id in notes)");
  witness.command_line = lines["cmdline"];
  return witness;
}

Arrival judge_arrival(const Witness& before, const Witness& now,
                      std::chrono::duration<double> since_before) {
  // A box's clock may run a little differently from ours.
  constexpr std::chrono::duration<double> kSlack(10);
  const bool other_id = now.boot.boot_id != before.boot.boot_id;
  const bool younger = now.boot.uptime_s && *now.boot.uptime_s < (since_before + kSlack).count();
  const bool same_start =
      before.boot.btime_s && now.boot.btime_s && *before.boot.btime_s == *now.boot.btime_s;
  if (!other_id) {
    const bool went_back =
        now.boot.uptime_s && before.boot.uptime_s && *now.boot.uptime_s < *before.boot.uptime_s;
    return went_back ? Arrival::kContradiction : Arrival::kOldBoot;
  }
  return younger && !same_start ? Arrival::kFresh : Arrival::kContradiction;
}

bool came_by_kexec(const Witness& now) {
  return now.command_line.find(kKexecMark) != std::string::npos;
}

std::string wrong_kernel(const WantedKernel& wanted, const Witness& now) {
  if (now.boot.release != wanted.release) {
    return fmt::format("asked for {}, {} came up", wanted.release, now.boot.release);
  }
  if (now.command_line.find(wanted.command_line) == std::string::npos) {
    return fmt::format(
        "{} came up, but not by this kexec: its command line is '{}', asked for "
        "'{}'",
        now.boot.release, now.command_line, wanted.command_line);
  }
  return {};
}

std::string boot_proof(const Witness& before, const Witness& now,
                       std::chrono::duration<double> since_before) {
  return fmt::format("boot_id {} -> {}, btime {} -> {}, uptime {:.1f} s at most {:.1f} s after {}",
                     before.boot.boot_id, now.boot.boot_id, before.boot.btime_s.value_or(0),
                     now.boot.btime_s.value_or(0), now.boot.uptime_s.value_or(NAN),
                     since_before.count(), before.boot.release);
}

std::string base_command_line(std::string_view command_line) {
  std::istringstream words{std::string(command_line.substr(0, command_line.find(kKexecMark)))};
  std::string kept;
  for (std::string word; words >> word;) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (name != "BOOT_IMAGE" && name != "acpi_rsdp" && name != "elfcorehdr") {
      kept += (kept.empty() ? "" : " ") + word;
    }
  }
  return kept;
}

std::string base_command_line(const DriverMemory& memory, const Witness& now) {
  const auto stored = memory.find("command_line");
  return stored == memory.end() ? base_command_line(now.command_line) : stored->second;
}

std::string kexec_command_line(const std::string& base, const std::string& append) {
  return fmt::format("{}{}{}{}{}", base, base.empty() ? "" : " ", kKexecMark,
                     append.empty() ? "" : " ", append);
}

}  // namespace msgring::boot
