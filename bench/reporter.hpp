// SPDX-License-Identifier: MIT
// The Google Benchmark reporter of a run: keeps the library's JSON and its aggregates.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace msgring::bench {

/// Aggregates by benchmark ("first_fill/slots:4096/batch:64"), aggregate ("mean", "median", "cv")
/// and counter ("ns_per_install").
using Aggregates = std::map<std::string, std::map<std::string, std::map<std::string, double>>>;

/// Prints nothing by itself: what Google Benchmark's own JSON reporter would print goes to a
/// string. When the user asks for a format (--benchmark_format), the library's reporter prints too.
class PointReporter : public benchmark::BenchmarkReporter {
 public:
  explicit PointReporter(std::unique_ptr<benchmark::BenchmarkReporter> display);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  /// The library's JSON, complete after Finalize(); empty if nothing ran.
  std::string json() const { return text_.str(); }
  const Aggregates& aggregates() const noexcept { return aggregates_; }

 private:
  std::ostringstream text_;
  benchmark::JSONReporter json_;
  std::unique_ptr<benchmark::BenchmarkReporter> display_;
  Aggregates aggregates_;
};

}  // namespace msgring::bench
