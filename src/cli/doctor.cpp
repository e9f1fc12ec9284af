// SPDX-License-Identifier: MIT
// Reads the machine and prints its findings; changes nothing.
#include "cli/doctor.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "msgring/host/cpus.hpp"
#include "msgring/host/findings.hpp"
#include "msgring/host/io_uring_access.hpp"
#include "msgring/uring/send_fd_trial.hpp"

namespace msgring::cli {
namespace {

struct DoctorOptions {
  std::optional<int> cpu;
  std::string format = "text";
  std::string root = "/";
};

struct Diagnosis {
  int cpu = 0;
  std::vector<host::Finding> findings;
};

/// Nothing, or why no ring can be made here. Only this machine can be tried, a copy of another's
/// files cannot.
std::optional<host::Finding> io_uring_finding(const host::Root& root) {
  if (!root.is_this_machine()) {
    return std::nullopt;
  }
  try {
    uring::try_setup({}, "io_uring");
    return std::nullopt;
  } catch (const std::system_error& error) {
    const Error reason = host::explain_io_uring_setup(error.code().value(), root);
    return host::Finding{host::Severity::kSerious, "io_uring", reason.what(),
                         "nothing can be measured here", reason.hint()};
  }
}

Diagnosis diagnose(const DoctorOptions& options) {
  const host::Root root(options.root);
  const host::CpuSets sets = host::read_cpu_sets(root);
  if (options.cpu) {
    host::require_usable_cpu(sets, *options.cpu);
  }
  Diagnosis diagnosis;
  diagnosis.cpu = options.cpu ? *options.cpu : host::choose_cpu(root, sets);
  diagnosis.findings = host::diagnose_machine(root, diagnosis.cpu);
  if (auto finding = io_uring_finding(root)) {
    diagnosis.findings.insert(diagnosis.findings.begin(), *std::move(finding));
  }
  return diagnosis;
}

std::size_t count_of(const Diagnosis& diagnosis, host::Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                    [&](const host::Finding& each) { return each.severity == severity; }));
}

std::string conclusion_of(const Diagnosis& diagnosis) {
  const std::size_t serious = count_of(diagnosis, host::Severity::kSerious);
  const std::size_t warnings = count_of(diagnosis, host::Severity::kWarning);
  const std::string counts = fmt::format("{} serious, {} warnings, {} notes", serious, warnings,
                                         count_of(diagnosis, host::Severity::kNote));
  if (serious > 0) {
    return counts + ": times measured here mean nothing until the serious ones are cured";
  }
  if (warnings > 0) {
    return counts + ": cure the warnings, or keep them equal on both sides of a comparison";
  }
  return counts + ": nothing here stands against a measurement";
}

std::string text_of(const Diagnosis& diagnosis) {
  std::string text =
      fmt::format("for a measurement on CPU {}: {}\n", diagnosis.cpu, conclusion_of(diagnosis));
  for (const host::Finding& finding : diagnosis.findings) {
    text += fmt::format("\n{:<8} {}: {}\n", host::severity_text(finding.severity), finding.key,
                        finding.what);
    text += fmt::format("  why    {}\n", finding.why);
    if (!finding.cure.empty()) {
      text += fmt::format("  cure   {}\n", finding.cure);
    }
  }
  return text;
}

std::string json_of(const Diagnosis& diagnosis) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const host::Finding& finding : diagnosis.findings) {
    findings.push_back({{"severity", host::severity_text(finding.severity)},
                        {"key", finding.key},
                        {"what", finding.what},
                        {"why", finding.why},
                        {"cure", finding.cure}});
  }
  const nlohmann::ordered_json document{{"schema", "msgring-doctor-1"},
                                        {"cpu", diagnosis.cpu},
                                        {"conclusion", conclusion_of(diagnosis)},
                                        {"findings", findings}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void add_doctor(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "What will disturb a measurement here, and what cures it");
  command->add_option("--cpu", options->cpu, "The CPU to measure on (default: as msgring_bench)");
  command->add_option("--format", options->format, "text or json (default: text)")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  command
      ->add_option("--root", options->root,
                   "Folder with another machine's /proc and /sys (default: this machine)")
      ->check(CLI::ExistingDirectory.description(""));
  command->callback([options, &status] {
    const Diagnosis diagnosis = diagnose(*options);
    fmt::print("{}", options->format == "json" ? json_of(diagnosis) : text_of(diagnosis));
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
