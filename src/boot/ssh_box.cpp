// SPDX-License-Identifier: MIT
// Starting ssh and scp.
#include "ssh_box.hpp"

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

/// ssh(1): 255 is an error of its own, anything else the command's status.
constexpr int kConnectionFailed = 255;

std::vector<std::string> begin_line(std::string_view program, const SshTarget& target) {
  std::vector<std::string> line = {std::string(program)};
  if (!target.config.empty()) {
    line.insert(line.end(), {"-F", target.config});
  }
  line.insert(line.end(), {"-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o",
                           "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"});
  return line;
}

}  // namespace

std::vector<std::string> ssh_line(const SshTarget& target,
                                  const std::vector<std::string>& command) {
  std::vector<std::string> line = begin_line("ssh", target);
  // The far side's login shell takes the command apart again.
  line.insert(line.end(), {"-T", "--", target.host, host::shell_quoted(command)});
  return line;
}

std::vector<std::string> scp_line(const SshTarget& target, const std::filesystem::path& folder,
                                  const std::string& to) {
  std::vector<std::string> line = begin_line("scp", target);
  line.insert(line.end(), {"-q", "-p", "-r", "--", folder.native(), target.host + ":" + to});
  return line;
}

BoxAnswer SshBox::answer(const std::vector<std::string>& line,
                         std::chrono::seconds deadline) const {
  try {
    host::ProgramResult result = runner_(line, deadline, stop_);
    const bool reached = result.end.signal == 0 && result.end.exit_code != kConnectionFailed;
    return {reached ? Reach::kAnswered : Reach::kUnreachable, result.end.exit_code,
            std::move(result.output), std::move(result.errors)};
  } catch (const Error& error) {
    if (error.status() == ExitStatus::kInterrupted) {
      throw;
    }
    return {Reach::kUnreachable, 0, {}, error.what()};
  }
}

BoxAnswer SshBox::run(const std::vector<std::string>& command, std::chrono::seconds deadline) {
  return answer(ssh_line(target_, command), deadline);
}

BoxAnswer SshBox::copy(const std::filesystem::path& folder, const std::string& to,
                       std::chrono::seconds deadline) {
  return answer(scp_line(target_, folder, to), deadline);
}

}  // namespace msgring::boot
