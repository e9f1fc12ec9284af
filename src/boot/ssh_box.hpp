// SPDX-License-Identifier: MIT
// SshBox: a machine reached by OpenSSH's own client with the user's own configuration.
#pragma once

#include <functional>

#include "box.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {

struct SshTarget {
  std::string host;    ///< as ssh(1) takes it: user@name, an alias of the configuration
  std::string config;  ///< a configuration file instead of the user's own; empty: that one
};

/// The argument vectors. BatchMode: ssh never asks for anything. A connection that is cut is
/// noticed within a minute. Host keys and identities are the configuration's affair.
std::vector<std::string> ssh_line(const SshTarget& target, const std::vector<std::string>& command);
std::vector<std::string> scp_line(const SshTarget& target, const std::filesystem::path& folder,
                                  const std::string& to);

/// How a program of this machine is run: host::run_program, or a pretence in tests.
using ProgramRunner = std::function<host::ProgramResult(const std::vector<std::string>&,
                                                        std::chrono::milliseconds deadline,
                                                        const std::stop_token& stop)>;

class SshBox : public Box {
 public:
  SshBox(SshTarget target, ProgramRunner runner, std::stop_token stop)
      : target_(std::move(target)), runner_(std::move(runner)), stop_(std::move(stop)) {}

  BoxAnswer run(const std::vector<std::string>& command, std::chrono::seconds deadline) override;
  void ignore_stop() override { stop_ = {}; }
  BoxAnswer copy(const std::filesystem::path& folder, const std::string& to,
                 std::chrono::seconds deadline) override;

 private:
  BoxAnswer answer(const std::vector<std::string>& line, std::chrono::seconds deadline) const;

  SshTarget target_;
  ProgramRunner runner_;
  std::stop_token stop_;
};

}  // namespace msgring::boot
