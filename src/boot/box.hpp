// SPDX-License-Identifier: MIT
// Box: a real machine on which commands can be run, and which may be away for a while.
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace msgring::boot {

/// Did the machine answer, or is there no way to it at the moment?
enum class Reach { kAnswered, kUnreachable };

struct BoxAnswer {
  Reach reach = Reach::kAnswered;
  int exit_code = 0;   ///< the command's; without meaning when unreachable
  std::string output;  ///< of the command
  std::string errors;  ///< of the command, or what the connection's program said

  bool ok() const noexcept { return reach == Reach::kAnswered && exit_code == 0; }
};

class Box {
 public:
  virtual ~Box() = default;
  /// Runs a command there as root would, without input. Throws Error (kInterrupted) when stopped.
  virtual BoxAnswer run(const std::vector<std::string>& command, std::chrono::seconds deadline) = 0;
  /// From now on runs commands although the run was stopped: for what must be put back.
  virtual void ignore_stop() = 0;
  /// Copies a folder of files to the path `to`, which must not exist.
  virtual BoxAnswer copy(const std::filesystem::path& folder, const std::string& to,
                         std::chrono::seconds deadline) = 0;
};

/// What a POSIX shell on the box needs to run `text` with `$1`, `$2`, ... Only fixed texts:
/// whatever varies is an argument.
std::vector<std::string> box_script(std::string_view text, std::vector<std::string> arguments = {});

/// The same, and `text` may call `detach UNIT COMMAND...`: the command outlives the connection, the
/// login session and the service that asked for it. Where systemd runs it is a unit of its own,
/// which no session's end reaches (KillUserProcesses=yes in logind.conf); there a word that is
/// `$NAME`, or `${...}` in a word, would be systemd's to replace. Without systemd: setsid(1).
std::vector<std::string> detaching_script(std::string_view text,
                                          std::vector<std::string> arguments = {});

/// Runs it; throws Error (kEnvironment) that begins with `what` unless it answers and succeeds.
std::string demand(Box& box, const std::vector<std::string>& command, std::string_view what);

/// Runs it until the box answers, for at most `patience` since the first try: a box may be on its
/// way from one boot to the next. The last answer, which may be that there is no way to it. Throws
/// Error (kInterrupted) when stopped.
BoxAnswer ask_patiently(Box& box, const std::vector<std::string>& command,
                        std::chrono::seconds patience, const std::stop_token& stop);

/// A connection program's or command's last words, on one line.
std::string last_words(const std::string& text);

}  // namespace msgring::boot
