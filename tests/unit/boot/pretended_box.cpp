// SPDX-License-Identifier: MIT
#include "pretended_box.hpp"

#include <fmt/format.h>

#include "msgring/host/sha256.hpp"

namespace msgring::boot {
namespace {

BoxAnswer next(std::deque<BoxAnswer>& answers) {
  BoxAnswer answer = answers.front();
  if (answers.size() > 1) {
    answers.pop_front();
  }
  return answer;
}

}  // namespace

std::string id_of(char digit) {
  return fmt::format("{0}-{1}-{1}-{1}-{2}", std::string(8, digit), std::string(4, digit),
                     std::string(12, digit));
}

std::string witness_text(char id, std::string_view release, std::string_view command_line) {
  return fmt::format("boot_id {}\nrelease {}\nbtime {}\nuptime 0.5 0\nnotes 00\ncmdline {}\nend\n",
                     id_of(id), release, 1000 + 100 * (id - '0'), command_line);
}

std::string point_text(char id, std::string_view release) {
  return fmt::format(
      R"j({{"context": {{"kernel.boot_id": "{}", "kernel.release": "{}", "kernel.build_id": "unknown (no build id in notes)"}}}})j",
      id_of(id), release);
}

BoxAnswer says(std::string text) { return {Reach::kAnswered, 0, std::move(text), {}}; }

BoxAnswer away() { return {Reach::kUnreachable, 255, {}, "ssh: Connection refused\n"}; }

BoxAnswer sent(const std::string& text) {
  return says(host::sha256_of_bytes(text) + "  -\n" + text);
}

BoxBootPlan pretended_boot(std::string_view driver, const std::filesystem::path& console_log) {
  BoxBootPlan plan;
  plan.request.kernel = {"7.1.3", "/boot/vmlinuz-7.1.3", {}};
  plan.request.console_log = console_log;
  plan.wanted = {"7.1.3", std::string(kCommandLine)};
  plan.folder = "/var/tmp/msgring-x";
  plan.driver = driver;
  plan.deadlines.boot = std::chrono::seconds(1);
  plan.look_interval = std::chrono::milliseconds(1);
  return plan;
}

BoxAnswer PretendedBox::run(const std::vector<std::string>& command, std::chrono::seconds) {
  const std::string& text = command.size() > 2 ? command[2] : command[0];
  const auto has = [&text](std::string_view word) { return text.find(word) != std::string::npos; };
  if (script_.stop.stop_requested()) {
    throw Error(ExitStatus::kInterrupted, "interrupted");
  }
  if (command[0] == "bash") {
    script_.controls.push_back(command[2]);
    return says("");
  }
  if (has("/proc/stat")) {
    return next(script_.witnesses);
  }
  if (has("kexec -a -l")) {
    script_.on_load();
    return next(script_.loads);
  }
  if (has("detach msgring-reboot")) {
    ++script_.reboots;
    return script_.reboot;
  }
  if (has("detach \"msgring-bench")) {
    script_.starts.push_back(command[5]);
    return says("");
  }
  if (has("flock -s")) {
    script_.on_wait();
    return next(script_.waits);
  }
  if (has("point.json")) {
    return next(script_.fetches);
  }
  script_.removals += command[0] == "rm" ? 1U : 0U;
  return says(has("grub-editenv") ? "grub: saved_entry=old\nkexec_loaded=1\n" : "last line\n");
}

BoxAnswer PretendedBox::copy(const std::filesystem::path&, const std::string&,
                             std::chrono::seconds) {
  return says("");
}

}  // namespace msgring::boot
