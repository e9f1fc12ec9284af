// SPDX-License-Identifier: MIT
// What a person sees while a bisect works.
#pragma once

#include <filesystem>
#include <memory>

#include "msgring/bisect/find.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// The boots of one run in `folder`.
std::unique_ptr<boot::RunObserver> bisect_progress(const boot::Plan& plan,
                                                   const std::filesystem::path& folder);

/// A line on standard error as a step begins, and one as it is answered.
class StepLines : public bisect::FindObserver {
 public:
  void on_begin(unsigned number, const std::string& label, std::size_t steps_left) override;
  void on_answer(const bisect::Step& step) override;
};

}  // namespace msgring::cli
