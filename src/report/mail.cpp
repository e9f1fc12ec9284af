// SPDX-License-Identifier: MIT
// The parts of a regression report, in the order in which its readers want them.
#include "msgring/report/mail.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "msgring/comparison/mitigations.hpp"
#include "msgring/error.hpp"
#include "msgring/report/table.hpp"
#include "report/result_table.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

constexpr std::size_t kProse = 72;
constexpr std::string_view kIndent = "  ";

// Facts that a reader needs to judge or repeat the measurement, in this order.
constexpr std::array<std::string_view, 24> kEnvironment = {"kernel.release",
                                                           "kernel.version",
                                                           "kernel.build_id",
                                                           "kernel.cmdline",
                                                           "kernel.config_sha256",
                                                           "kernel.preempt_mode",
                                                           "kernel.aslr",
                                                           "kernel.tainted",
                                                           "cpu.model",
                                                           "cpu.microcode",
                                                           "cpu.pinned",
                                                           "cpu.governor",
                                                           "cpu.turbo",
                                                           "cpu.smt",
                                                           "cpu.clocksource",
                                                           "cpu.mitigations",
                                                           "machine.product",
                                                           "machine.bios_version",
                                                           "virt.hypervisor",
                                                           "virt.accelerator",
                                                           "boot.emulator",
                                                           "lib.liburing",
                                                           "msgring.version",
                                                           "msgring.binary_sha256"};

void refuse_unless_slower(const Comparison& comparison) {
  const std::string sentence = verdict_sentence(comparison);
  switch (comparison.verdict) {
    case stats::Verdict::kSlower:
      return;
    case stats::Verdict::kInvalid:
      throw Error(ExitStatus::kInvalid, fmt::format("no mail is written: {}", sentence));
    case stats::Verdict::kInconclusive:
      throw Error(ExitStatus::kInconclusive, fmt::format("no mail is written: {}", sentence));
    case stats::Verdict::kFaster:
    case stats::Verdict::kUnchanged:
      break;
  }
  throw Error(ExitStatus::kUsage, fmt::format("there is no regression to report: {}", sentence),
              "use --format text or markdown");
}

// "11.6 % slower", or for an emulator "38.9 % more instructions".
std::string effect_words(const Comparison& comparison) {
  const double delta = 100.0 * comparison.entries.front().result.delta;
  return comparison.unit == host::Unit::kInstructions
             ? fmt::format("{:.1f} % more instructions", delta)
             : fmt::format("{:.1f} % slower", delta);
}

std::string title_of_mail(const Comparison& comparison, const MailOptions& options) {
  if (!options.title.empty()) {
    return options.title;
  }
  const Entry& primary = comparison.entries.front();
  return fmt::format("io_uring: {} ({}) {}", primary.workload, primary.phase.name,
                     effect_words(comparison));
}

/// A vulnerability that does not affect the CPU says nothing, twenty of them hide what matters.
std::string value_text(std::string_view key, const std::string& value) {
  return key == "cpu.mitigations" && !point::is_unknown(value) && !point::is_absent(value)
             ? comparison::mitigations_text(value)
             : value;
}

// A fact once if all points agree, otherwise by role; empty if no point has it.
std::string fact_line(const Comparison& comparison, std::string_view key) {
  comparison::Difference fact{std::string(key), {}, comparison::Weight::kListed};
  bool recorded = false;
  bool equal = true;
  for (const comparison::PointFacts& point : comparison.points) {
    const std::string* value = point.context.find(key);
    recorded = recorded || value != nullptr;
    fact.values.push_back(value != nullptr ? value_text(key, *value) : "not recorded");
    equal = equal && fact.values.back() == fact.values.front();
  }
  if (!recorded) {
    return {};
  }
  return equal ? fmt::format("{}: {}", key, fact.values.front())
               : difference_text(comparison, fact);
}

std::string kernel_name(const Comparison& comparison, const std::string& role) {
  for (const comparison::PointFacts& point : comparison.points) {
    const std::string* release = point.context.find("kernel.release");
    if (point.role == role && release != nullptr) {
      return fmt::format("{} ({})", role, *release);
    }
  }
  return role;
}

std::string top_sentence(const Comparison& comparison) {
  const Entry& primary = comparison.entries.front();
  const stats::Result& result = primary.result;
  const std::string_view unit = host::unit_text(comparison.unit);
  return fmt::format(
      "{} takes {:.1f} % more {} per {} on kernel {} than on kernel {}: {} {} against {}, {:g} % "
      "interval {}.",
      place_of(primary), 100.0 * result.delta,
      comparison.unit == host::Unit::kInstructions ? unit : "time", primary.phase.noun,
      kernel_name(comparison, primary.changed_role), kernel_name(comparison, primary.baseline_role),
      cost(result.changed.mean), unit, cost(result.baseline.mean), 100.0 * result.level,
      interval_text(result.interval));
}

std::string outline(const Comparison& comparison, const MailOptions& options) {
  std::string text = fmt::format("Measured with msgring in {} boots, in the order {}. ",
                                 comparison.points.size(), comparison.order);
  for (const std::string& caveat : comparison.caveats) {
    text += caveat + " ";
  }
  const std::string family = family_sentence(comparison);
  if (!family.empty()) {
    text += family + ". ";
  }
  text += options.impact.empty() ? "No application that suffers from it is known to the reporter."
                                 : "Who is affected: " + options.impact;
  return text;
}

std::string regzbot_block(const Comparison& comparison, const MailOptions& options) {
  if (options.introduced.empty()) {
    return {};
  }
  return fmt::format("#regzbot introduced: {}\n#regzbot title: {}\n\n", options.introduced,
                     title_of_mail(comparison, options));
}

std::string heading(std::string_view text) { return fmt::format("{}\n\n", text); }

std::string environment(const Comparison& comparison) {
  std::string out;
  for (const std::string_view key : kEnvironment) {
    const std::string line = fact_line(comparison, key);
    if (!line.empty()) {
      out += fmt::format("{}{}\n", kIndent, line);
    }
  }
  return out.empty() ? fmt::format("{}not recorded (imported table)\n", kIndent) : out;
}

std::string reproduction(const Comparison& comparison, const MailOptions& options) {
  std::string files;
  std::string last;
  for (const comparison::PointFacts& point : comparison.points) {
    if (point.source != last) {
      files += " " + point.source;
    }
    last = point.source;
  }
  std::vector<std::string> roles;
  for (const comparison::PointFacts& point : comparison.points) {
    roles.push_back(point.role);
  }
  const std::string measure =
      !options.measured_by.empty()
          ? options.measured_by
          : fmt::format(
                "msgring_bench {} --out POINT.json   # once after each boot",
                comparison.arguments.empty() ? "(arguments not recorded)" : comparison.arguments);
  return fmt::format("{0}{1}\n{0}msgring compare{2} --roles {3}\n", kIndent, measure, files,
                     fmt::join(roles, ","));
}

std::string checks(const Comparison& comparison) {
  const comparison::CheckTotals& totals = comparison.checks;
  return wrap(fmt::format("Every round was verified outside its timed region: {} results of {} "
                          "check{} in {} rounds, 0 failures.",
                          totals.verified, totals.names.size(), totals.names.size() == 1 ? "" : "s",
                          totals.rounds),
              kProse);
}

constexpr std::string_view kScope =
    "This is a microbenchmark of one operation. The kernel's rules for reporting regressions say "
    "that a slowdown of five percent in a microbenchmark hardly qualifies unless a broad benchmark "
    "also loses more than one percent. Nothing is claimed here about any application.";

std::string evidence(const Comparison& comparison) {
  std::string out;
  std::string last;
  for (const comparison::PointFacts& point : comparison.points) {
    if (point.source != last) {
      out += fmt::format("{}{}  {}\n", kIndent, point.sha256, point.source);
    }
    last = point.source;
  }
  return out;
}

std::string methods(const Comparison& comparison) {
  std::string out;
  for (const std::string& line : method_lines(comparison)) {
    out += wrap(line, kProse, kIndent, "    ");
  }
  return out;
}

}  // namespace

std::string regzbot_mail(const Comparison& comparison, const MailOptions& options,
                         Sections sections) {
  refuse_unless_slower(comparison);
  if (!options.introduced.empty()) {
    check_introduced(options.introduced);
  }
  std::string mail;
  if (!options.from.empty()) {
    mail += fmt::format("From: {}\n", options.from);
  }
  mail += fmt::format(
      "To: io-uring@vger.kernel.org\nCc: regressions@lists.linux.dev\n"
      "Subject: [REGRESSION] {}\n\n",
      title_of_mail(comparison, options));
  mail += wrap(top_sentence(comparison), kProse) + "\n";
  mail += wrap(outline(comparison, options), kProse) + "\n";
  mail += regzbot_block(comparison, options);
  mail += heading("Result") + result_table(comparison).render(kIndent) + "\n";
  mail += boot_table(comparison).render(kIndent) + "\n";
  mail += heading("Method") + methods(comparison) + "\n";
  mail += heading("Checks") + checks(comparison) + "\n";
  for (const Section& section : sections) {
    mail += heading(section.title) + indented(section.brief, kIndent) + "\n";
  }
  mail += heading("Environment") + environment(comparison) + "\n";
  mail += heading("How to reproduce") + reproduction(comparison, options) + "\n";
  mail += heading("Scope") + wrap(kScope, kProse) + "\n";
  mail += heading("Evidence (SHA-256)") + evidence(comparison);
  return mail;
}

std::string eml_of(const std::string& mail) {
  return "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
         "Content-Transfer-Encoding: 8bit\nX-Unsent: 1\n" +
         mail;
}

}  // namespace msgring::report
