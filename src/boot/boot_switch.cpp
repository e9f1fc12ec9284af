// SPDX-License-Identifier: MIT
// kexec, grub-reboot, bootctl: one boot, never a default.
#include "boot_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "msgring/boot/driver.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {
namespace {

constexpr std::chrono::seconds kPatience(120);

/// $1 image, $2 release, $3 command line. -a takes the file-based call where the kernel wants
/// signatures, the older one elsewhere.
constexpr std::string_view kLoadScript = R"sh(
initrd=
for file in "${1%/*}/initrd.img-$2" "${1%/*}/initramfs-$2.img"; do
  if [ -e "$file" ]; then initrd=$file; break; fi
done
if [ -n "$initrd" ]; then
  exec kexec -a -l "$1" "--initrd=$initrd" "--command-line=$3"
fi
exec kexec -a -l "$1" "--command-line=$3"
)sh";

/// The reboot outlives the connection that asked for it.
constexpr std::string_view kKexecScript = R"sh(
sync
if [ -d /run/systemd/system ]; then
  detach msgring-reboot sh -c 'sleep 1; systemctl kexec'
else
  detach msgring-reboot sh -c 'sleep 1; kexec -e'
fi
)sh";

constexpr std::string_view kRebootScript = R"sh(
sync
detach msgring-reboot sh -c 'sleep 1; systemctl reboot || reboot'
)sh";

constexpr std::string_view kUngrubScript = R"sh(
"$(command -v grub-editenv || command -v grub2-editenv)" - unset next_entry
)sh";

constexpr std::string_view kGrubConfigScript = R"sh(
for file in /boot/grub/grub.cfg /boot/grub2/grub.cfg; do
  if [ -r "$file" ]; then exec cat "$file"; fi
done
echo 'no grub.cfg in /boot/grub or /boot/grub2' >&2
exit 1
)sh";

/// $1 entry. Some file systems let GRUB read its environment, but not write it: looked at again.
constexpr std::string_view kGrubScript = R"sh(
reboot=$(command -v grub-reboot || command -v grub2-reboot)
editenv=$(command -v grub-editenv || command -v grub2-editenv)
"$reboot" "$1" || exit
if ! "$editenv" list | grep -qxF "next_entry=$1"; then
  echo "grub-reboot has left no next_entry=$1: is the environment block writable?" >&2
  exit 1
fi
)sh";

constexpr std::string_view kLoaderScript = R"sh(
for tool in grub-editenv grub2-editenv; do
  if command -v "$tool" >/dev/null; then "$tool" list | sed 's/^/grub: /'; fi
done
for name in LoaderEntryOneShot LoaderEntryDefault; do
  file=/sys/firmware/efi/efivars/$name-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
  if [ -r "$file" ]; then
    printf 'systemd-boot: %s=%s\n' "$name" "$(tail -c +5 "$file" | tr -d '\000')"
  fi
done
if [ -r /sys/kernel/kexec_loaded ]; then
  printf 'kexec_loaded=%s\n' "$(cat /sys/kernel/kexec_loaded)"
fi
)sh";

/// A step before the reboot: an unanswered one has not happened.
std::string step(Box& box, const std::vector<std::string>& command, std::string_view what) {
  BoxAnswer answer = box.run(command, kPatience);
  if (!answer.ok()) {
    throw BootFailure(Outcome::kDriverFailed,
                      fmt::format("{}: {}", what, last_words(answer.errors)), {});
  }
  return std::move(answer.output);
}

std::string demand_entry(std::optional<std::string> entry, const std::string& release,
                         std::string_view place) {
  if (!entry) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: no entry loads {}", place, release),
                "install the kernel with its boot entry, or use --boot kexec");
  }
  return std::move(*entry);
}

void run_command(const BoxPlan& box, const std::string& release, const std::stop_token& stop) {
  const std::string host = box.host.empty() ? "localhost" : box.host;
  const host::ProgramResult result =
      host::run_program({box.boot_command, host, release}, kPatience, stop);
  if (!result.end.ok()) {
    throw BootFailure(Outcome::kDriverFailed,
                      fmt::format("{} {} {}: {}, {}", box.boot_command, host, release,
                                  describe(result.end), last_words(result.errors)),
                      {});
  }
}

/// No answer is the reboot's own doing; a refusal is not.
void set_off(Box& box, std::string_view script) {
  const BoxAnswer answer = box.run(detaching_script(script), kPatience);
  if (answer.reach == Reach::kAnswered && answer.exit_code != 0) {
    throw BootFailure(Outcome::kDriverFailed, fmt::format("reboot: {}", last_words(answer.errors)),
                      {});
  }
}

/// The text of the quotes after `$menuentry_id_option` or `--id` on a line of grub.cfg.
std::string id_on(const std::string& line) {
  for (const std::string_view mark : {"$menuentry_id_option ", "--id "}) {
    if (const std::size_t at = line.find(mark); at != std::string::npos) {
      std::size_t begin = at + mark.size();
      const char quote = begin < line.size() ? line[begin] : ' ';
      const bool is_quoted = quote == '\'' || quote == '"';
      begin += is_quoted ? 1 : 0;
      return line.substr(begin, line.find(is_quoted ? quote : ' ', begin) - begin);
    }
  }
  return {};
}

std::string first_word(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  return word;
}

bool loads(const std::string& line, std::string_view release) {
  std::istringstream words(line);
  std::string command;
  std::string image;
  words >> command >> image;
  return command.substr(0, 5) == "linux" &&
         image.substr(image.rfind('/') + 1) == fmt::format("vmlinuz-{}", release);
}

}  // namespace

std::optional<std::string> grub_entry(std::string_view grub_cfg, std::string_view release) {
  std::vector<std::string> around;  // ids of the open menus and entries, "" for other blocks
  std::istringstream lines{std::string(grub_cfg)};
  for (std::string line; std::getline(lines, line);) {
    const std::string word = first_word(line);
    const bool opens = !line.empty() && line.find_last_not_of(" \t") == line.rfind('{');
    if (opens && line.rfind('{') != std::string::npos) {
      around.push_back(word == "menuentry" || word == "submenu" ? id_on(line) : "");
    } else if (word == "}" && !around.empty()) {
      around.pop_back();
    } else if (loads(line, release) && !around.empty() &&
               around.back().find("recovery") == std::string::npos && !around.back().empty()) {
      std::string path;
      for (const std::string& id : around) {
        path += (path.empty() || id.empty() ? "" : ">") + id;
      }
      return path;
    }
  }
  return std::nullopt;
}

std::optional<std::string> bootctl_entry(std::string_view json, std::string_view release) {
  const auto entries = nlohmann::json::parse(json, nullptr, false);
  if (!entries.is_array()) {
    return std::nullopt;
  }
  for (const auto& entry : entries) {
    if (entry.is_object() && entry.value("version", "") == release) {
      return entry.value("id", "");
    }
  }
  return std::nullopt;
}

std::vector<std::string> switch_line(const SwitchRequest& request) {
  if (request.box.boot == BootMethod::kKexec) {
    return {"kexec", "-a", "-l", request.kernel.image.native(),
            "--command-line=" + request.command_line};
  }
  return {std::string(boot_method_text(request.box.boot)), request.kernel.release};
}

std::vector<std::string> switch_programs(BootMethod method) {
  switch (method) {
    case BootMethod::kKexec:
      return {"kexec"};
    case BootMethod::kGrub:
      return {"grub-reboot|grub2-reboot", "grub-editenv|grub2-editenv"};
    case BootMethod::kSystemdBoot:
      return {"bootctl"};
    case BootMethod::kCommand:
      break;
  }
  return {};
}

void switch_kernel(Box& box, const SwitchRequest& request, const std::stop_token& stop) {
  const std::string& release = request.kernel.release;
  switch (request.box.boot) {
    case BootMethod::kKexec:
      step(box,
           box_script(kLoadScript, {request.kernel.image.native(), release, request.command_line}),
           "kexec -l");
      set_off(box, kKexecScript);
      return;
    case BootMethod::kGrub: {
      const std::string config = step(box, box_script(kGrubConfigScript), "grub.cfg");
      step(
          box,
          box_script(kGrubScript, {demand_entry(grub_entry(config, release), release, "grub.cfg")}),
          "grub-reboot");
      break;
    }
    case BootMethod::kSystemdBoot: {
      const std::string list =
          step(box, {"bootctl", "list", "--json=short", "--no-pager"}, "bootctl list");
      step(box,
           {"bootctl", "set-oneshot",
            demand_entry(bootctl_entry(list, release), release, "bootctl list")},
           "bootctl set-oneshot");
      break;
    }
    case BootMethod::kCommand:
      run_command(request.box, release, stop);
      return;
  }
  set_off(box, kRebootScript);
}

std::string disarm_kernel(Box& box, BootMethod method) {
  const auto run = [&box](const std::vector<std::string>& command, const std::string& done) {
    const BoxAnswer answer = box.run(command, kPatience);
    return answer.ok() ? done : fmt::format("{}: {}", command.front(), last_words(answer.errors));
  };
  switch (method) {
    case BootMethod::kKexec:
      return run({"kexec", "-u"}, "no kernel is loaded for kexec any more");
    case BootMethod::kGrub:
      return run(box_script(kUngrubScript), "GRUB's next_entry is unset");
    case BootMethod::kSystemdBoot:
      return run({"bootctl", "set-oneshot", ""}, "systemd-boot's one-shot entry is unset");
    case BootMethod::kCommand:
      break;
  }
  return "what your boot command has set is its own affair";
}

std::string loader_state(Box& box) {
  const BoxAnswer answer = box.run(box_script(kLoaderScript), kPatience);
  std::istringstream lines(answer.output);
  std::string state;
  for (std::string line; std::getline(lines, line);) {
    state += (state.empty() ? "" : "; ") + line;
  }
  return state.empty() ? "nothing that could be read" : state;
}

}  // namespace msgring::boot
