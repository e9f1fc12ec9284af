// SPDX-License-Identifier: MIT
// Answers on disk are told to the search first; it cannot tell them from fresh ones.
#include "msgring/bisect/find.hpp"

#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

constexpr const char* kReferences = "references";

class Finder {
 public:
  Finder(BisectFolder& folder, Search& search, Measurer& measurer, FindObserver& observer,
         const std::stop_token& stop)
      : folder_(folder), search_(search), measurer_(measurer), observer_(observer), stop_(stop) {}

  Found run() {
    if (folder_.steps().empty()) {
      measure_references();
    }
    for (std::size_t i = 1; i < folder_.steps().size(); ++i) {
      const Step& step = folder_.steps()[i];
      search_.tell(step.candidate, step.decision.answer);
    }
    while (const auto candidate = search_.next()) {
      measure(*candidate);
    }
    return search_.found();
  }

 private:
  double threshold() const { return folder_.question().threshold; }

  void check_stop() const {
    if (stop_.stop_requested()) {
      throw Error(ExitStatus::kInterrupted, "interrupted", "--resume goes on from here");
    }
  }

  void measure_references() {
    const Question& question = folder_.question();
    check_stop();
    observer_.on_begin(0, search_.label(question.bad), search_.steps_left());
    Step step;
    step.candidate = question.bad;
    step.label = search_.label(question.bad);
    step.measured = measurer_.references(folder_.step_folder(0, kReferences));
    check_references(step.measured, threshold(), search_.label(question.good), step.label);
    step.decision = decide(step.measured, threshold());
    keep(step);
  }

  void measure(const std::string& candidate) {
    check_stop();
    Step step;
    step.number = static_cast<unsigned>(folder_.steps().size());
    step.candidate = candidate;
    step.label = search_.label(candidate);
    observer_.on_begin(step.number, step.label, search_.steps_left());
    step.measured =
        measurer_.candidate(candidate, folder_.step_folder(step.number, search_.name(candidate)),
                            *folder_.steps().front().measured.figures);
    step.decision = decide(step.measured, threshold());
    keep(step);
    search_.tell(candidate, step.decision.answer);
  }

  void keep(const Step& step) {
    folder_.keep(step);
    observer_.on_answer(step);
  }

  BisectFolder& folder_;
  Search& search_;
  Measurer& measurer_;
  FindObserver& observer_;
  const std::stop_token& stop_;
};

}  // namespace

Found find(BisectFolder& folder, Search& search, Measurer& measurer, FindObserver& observer,
           const std::stop_token& stop) {
  return Finder(folder, search, measurer, observer, stop).run();
}

}  // namespace msgring::bisect
