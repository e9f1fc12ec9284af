// SPDX-License-Identifier: MIT
#include "cli/trace.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "cli/interruption.hpp"
#include "cli/trace_boot.hpp"
#include "msgring/host/output_file.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

enum class Format { kText, kJson };

struct TraceOptions {
  trace::TraceJob job;
  std::vector<std::string> kernels;  ///< none: the running one; one or two: booted
  std::string qemu = "qemu-system-x86_64";
  std::string cache;
  bool fetch = false;
  Format format = Format::kText;
  std::string out;
  bool force = false;
};

std::vector<trace::Trace> boot_and_trace(const TraceOptions& options) {
  const auto cache =
      options.cache.empty() ? boot::KernelCache() : boot::KernelCache(fs::path(options.cache));
  const std::stop_token stop = interruption().token();
  return trace_boots(resolve_kernels(options.kernels, cache, options.fetch, "msgring trace", stop),
                     options.job, options.qemu, stop);
}

std::string rendered(const std::vector<trace::Trace>& traces, Format format) {
  std::string text;
  for (const trace::Trace& trace : traces) {
    text += text.empty() ? "" : "\n";
    text += format == Format::kJson ? trace::trace_json(trace) : trace::trace_text(trace);
  }
  if (format == Format::kText && traces.size() == 2) {
    text = trace::comparison_text(traces[0], traces[1]) + "\n" + text;
  }
  return text;
}

ExitStatus run(const TraceOptions& options) {
  if (options.kernels.size() > 1 && options.format == Format::kJson) {
    throw Error(ExitStatus::kUsage, "trace: --format json takes one kernel",
                "trace each kernel into a file of its own");
  }
  std::optional<host::OutputFile> out;
  if (!options.out.empty() && options.out != "-") {
    out.emplace(options.out, options.force ? host::Overwrite::kForce : host::Overwrite::kRefuse);
  }
  const std::vector<trace::Trace> traces =
      options.kernels.empty() ? std::vector{trace::run_job(options.job)} : boot_and_trace(options);
  const std::string text = rendered(traces, options.format);
  if (out) {
    out->commit(text);
  } else {
    fmt::print("{}", text);
  }
  return ExitStatus::kOk;
}

}  // namespace

void demand_trace() {}

void add_trace(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App* command = app.add_subcommand(
      "trace", "Count the kernel functions that a workload calls, by the kernel's own tracing");
  command->add_option("--workload", options->job.workload, "What to run")->capture_default_str();
  command->add_option("--slots", options->job.slots, "Entries of the file table, at most 65536")
      ->check(CLI::Range(1U, 65'536U))
      ->capture_default_str();
  command->add_option("--batch", options->job.batch, "SQEs per system call")
      ->check(CLI::Range(1U, 4'096U))
      ->capture_default_str();
  command
      ->add_option("--ops", options->job.operations,
                   "Operations of a workload whose table does not say it")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  command->add_option("--cpu", options->job.cpu, "The CPU to run on (default: the best allowed)");
  command
      ->add_option("--kernel", options->kernels,
                   "Boot this kernel and trace there; twice to compare two")
      ->expected(1)
      ->take_all();
  command->add_option("--qemu", options->qemu, "The emulator")->capture_default_str();
  command->add_option("--cache", options->cache,
                      "The folder of kernels (default: msgring/kernels in the user's cache)");
  command->add_flag("--fetch", options->fetch, "Fetch kernels that the cache does not have");
  const std::map<std::string, Format> formats{{"text", Format::kText}, {"json", Format::kJson}};
  command->add_option("--format", options->format, "text or json")
      ->transform(CLI::CheckedTransformer(formats))
      ->option_text("FORMAT");
  command->add_option("--out", options->out, "The file to write (default: standard output)");
  command->add_flag("--force", options->force, "Overwrite the file if it is there");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace msgring::cli
