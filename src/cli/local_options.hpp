// SPDX-License-Identifier: MIT
// Where a run on this machine keeps what it must find again: for tests other folders than usual.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "msgring/boot/local_state.hpp"
#include "msgring/boot/resume_unit.hpp"

namespace msgring::cli {

struct LocalOptions {
  std::string state = boot::LocalStore().folder();
  std::string units = boot::ResumeUnitFile().folder();

  boot::LocalStore store() const { return boot::LocalStore(state); }
  boot::ResumeUnitFile unit() const { return boot::ResumeUnitFile(units); }
  /// Throws Error (kEnvironment) where only root may write.
  void demand_root() const;
  /// The options that give these, as words; none for the usual folders.
  std::vector<std::string> words() const;
};

/// Declares the options.
void add_local_options(CLI::App& command, LocalOptions& options);

}  // namespace msgring::cli
