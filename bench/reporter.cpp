// SPDX-License-Identifier: MIT
#include "reporter.hpp"

#include <utility>

namespace msgring::bench {

PointReporter::PointReporter(std::unique_ptr<benchmark::BenchmarkReporter> display)
    : display_(std::move(display)) {
  json_.SetOutputStream(&text_);
  json_.SetErrorStream(&GetErrorStream());
}

bool PointReporter::ReportContext(const Context& context) {
  const bool shown = display_ == nullptr || display_->ReportContext(context);
  return json_.ReportContext(context) && shown;
}

void PointReporter::ReportRuns(const std::vector<Run>& runs) {
  json_.ReportRuns(runs);
  if (display_ != nullptr) {
    display_->ReportRuns(runs);
  }
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Aggregate) {
      continue;
    }
    const std::string name = run.run_name.function_name + "/" + run.run_name.args;
    for (const auto& [counter, value] : run.counters) {
      aggregates_[name][run.aggregate_name][counter] = value.value;
    }
  }
}

void PointReporter::Finalize() {
  json_.Finalize();
  if (display_ != nullptr) {
    display_->Finalize();
  }
}

}  // namespace msgring::bench
