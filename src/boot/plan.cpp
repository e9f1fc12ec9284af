// SPDX-License-Identifier: MIT
// Checking a plan, and laying out its boots.
#include "msgring/boot/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace msgring::boot {
namespace {

class PlanCheck {
 public:
  PlanCheck(const Plan& plan, std::string_view source) : plan_(plan), source_(source) {}

  void run() const {
    check_roles();
    check_order();
    check_seeds();
    check_range("repeat", plan_.repeat, 1, 1000);
    check_range("jobs", plan_.jobs, 0, 256);
    check_range("memory", plan_.memory_mib, 128, 65536);
    check_range("retries", plan_.retries, 0, 10);
    for (const BootPhase phase :
         {BootPhase::kBoot, BootPhase::kSettle, BootPhase::kMeasure, BootPhase::kPowerOff}) {
      check_range(fmt::format("the deadline of {}", phase_text(phase)),
                  static_cast<std::uint64_t>(plan_.deadlines.of(phase).count()), 1, 86400);
    }
    for (const std::string& argument : plan_.arguments) {
      check_line("a benchmark argument", argument);
    }
    if (plan_.driver != DriverKind::kQemu) {
      check_box();
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw Error(ExitStatus::kUsage, fmt::format("{}: {}", source_, what), hint);
  }

  void check_line(std::string_view what, const std::string& text) const {
    if (text.find_first_of(std::string("\n\0", 2)) != std::string::npos) {
      refuse(fmt::format("{} has a line end in it", what), "write it on one line");
    }
  }

  void check_range(std::string_view what, std::uint64_t value, std::uint64_t least,
                   std::uint64_t most) const {
    if (value < least || value > most) {
      refuse(fmt::format("{} is {}", what, value), fmt::format("{} to {} is allowed", least, most));
    }
  }

  void check_roles() const {
    std::set<char> letters;
    for (const RolePlan& role : plan_.roles) {
      if (role.letter < 'A' || role.letter > 'Z') {
        refuse(fmt::format("role '{}' is no letter", role.letter), "roles are A to Z");
      }
      if (!letters.insert(role.letter).second) {
        refuse(fmt::format("role {} is given twice", role.letter), "give each letter once");
      }
      if (role.kernel.empty()) {
        refuse(fmt::format("role {} has no kernel", role.letter),
               "give a version such as 6.12, or the path of an image");
      }
      check_line(fmt::format("the command line of role {}", role.letter), role.append);
      for (const auto& [key, value] : role.facts) {
        if (key.rfind("boot.", 0) != 0) {
          refuse(fmt::format("fact {} of role {} is none of a boot", key, role.letter),
                 "facts begin with boot.");
        }
        check_line(fmt::format("fact {} of role {}", key, role.letter), value);
      }
    }
    if (letters.size() < 2 || letters.count('A') == 0) {
      refuse("a comparison needs a baseline A and at least one other role",
             "give the kernels of A and B");
    }
  }

  void check_order() const {
    for (const char letter : plan_.order) {
      if (std::none_of(plan_.roles.begin(), plan_.roles.end(),
                       [letter](const RolePlan& role) { return role.letter == letter; })) {
        refuse(fmt::format("order {} has a '{}', which has no kernel", plan_.order, letter),
               "the order is made of the letters of the roles");
      }
    }
    for (const RolePlan& role : plan_.roles) {
      if (plan_.order.find(role.letter) == std::string::npos) {
        refuse(fmt::format("order {} never boots {}", plan_.order, role.letter),
               fmt::format("put {} into the order, or leave its kernel out", role.letter));
      }
    }
    check_range("the order's length", plan_.order.size(), 2, 100);
  }

  void check_seeds() const {
    const std::set<std::uint32_t> seeds(plan_.seeds.begin(), plan_.seeds.end());
    if (seeds.size() != plan_.seeds.size()) {
      refuse("a seed is given twice", "the same seed gives the same counts and proves nothing");
    }
    check_range("the number of seeds", seeds.size(), 1, 1000);
  }

  void check_box() const {
    if (plan_.unit == UnitChoice::kInstructions) {
      refuse("a real machine measures ns", "leave --unit away, or take --driver qemu");
    }
    if (plan_.driver == DriverKind::kSsh) {
      check_host(plan_.box.host);
    } else if (!plan_.box.host.empty() || !plan_.box.ssh_config.empty()) {
      refuse("the local driver boots this machine, no host",
             "leave --host and --ssh-config away, or take --driver ssh");
    }
    if ((plan_.box.boot == BootMethod::kCommand) == plan_.box.boot_command.empty()) {
      refuse("--boot command and --boot-command belong together",
             "--boot command --boot-command PROGRAM, which is called with host and release");
    }
    const bool appends = std::any_of(plan_.roles.begin(), plan_.roles.end(),
                                     [](const RolePlan& role) { return !role.append.empty(); });
    if (appends && plan_.box.boot != BootMethod::kKexec) {
      refuse("only kexec gives a kernel another command line", "use --boot kexec");
    }
    if (plan_.box.tune && std::find(plan_.arguments.begin(), plan_.arguments.end(), "--cpu") ==
                              plan_.arguments.end()) {
      refuse("which CPU is to be quieted?", "name it: --tune ... -- --cpu N");
    }
  }

  void check_host(const std::string& host) const {
    const bool harmful = std::any_of(host.begin(), host.end(), [](unsigned char letter) {
      return letter <= ' ' || letter == 0x7F;
    });
    if (host.empty() || host.front() == '-' || harmful) {
      refuse(fmt::format("host '{}' is none", host), "name it as for ssh: --host root@box");
    }
  }

  const Plan& plan_;
  std::string_view source_;
};

/// The value whose text is `text`; `what` and `allowed` are for the refusal.
template <class Value, class Text>
Value value_of(std::initializer_list<Value> values, Text text_of, std::string_view text,
               std::string_view what, std::string_view allowed) {
  const auto* const found = std::find_if(values.begin(), values.end(),
                                         [&](Value value) { return text_of(value) == text; });
  if (found == values.end()) {
    throw Error(ExitStatus::kUsage, fmt::format("{} '{}'", what, text),
                fmt::format("{} is allowed", allowed));
  }
  return *found;
}

}  // namespace

const RolePlan& Plan::role(char letter) const {
  return *std::find_if(roles.begin(), roles.end(),
                       [letter](const RolePlan& role) { return role.letter == letter; });
}

std::string order_for(std::string_view pattern, const std::vector<RolePlan>& roles) {
  if (pattern.find('B') == std::string_view::npos ||
      pattern.find_first_not_of("AB") != std::string_view::npos) {
    return std::string(pattern);
  }
  std::string order;
  for (const RolePlan& role : roles) {
    if (role.letter != 'A') {
      std::string own(pattern);
      std::replace(own.begin(), own.end(), 'B', role.letter);
      order += own;
    }
  }
  return order;
}

void check_plan(const Plan& plan, std::string_view source) { PlanCheck(plan, source).run(); }

std::string_view unit_choice_text(UnitChoice choice) {
  switch (choice) {
    case UnitChoice::kNanoseconds:
      return "ns";
    case UnitChoice::kInstructions:
      return "instructions";
    case UnitChoice::kAuto:
      break;
  }
  return "auto";
}

UnitChoice parse_unit_choice(std::string_view text, std::string_view source) {
  return value_of({UnitChoice::kAuto, UnitChoice::kNanoseconds, UnitChoice::kInstructions},
                  unit_choice_text, text, fmt::format("{}: unit", source),
                  "auto, ns or instructions");
}

std::string_view driver_text(DriverKind driver) {
  switch (driver) {
    case DriverKind::kSsh:
      return "ssh";
    case DriverKind::kLocal:
      return "local";
    case DriverKind::kQemu:
      break;
  }
  return "qemu";
}

DriverKind parse_driver(std::string_view text, std::string_view source) {
  return value_of({DriverKind::kQemu, DriverKind::kSsh, DriverKind::kLocal}, driver_text, text,
                  fmt::format("{}: driver", source), "qemu, ssh or local");
}

std::string_view boot_method_text(BootMethod method) {
  switch (method) {
    case BootMethod::kGrub:
      return "grub";
    case BootMethod::kSystemdBoot:
      return "systemd-boot";
    case BootMethod::kCommand:
      return "command";
    case BootMethod::kKexec:
      break;
  }
  return "kexec";
}

BootMethod parse_boot_method(std::string_view text, std::string_view source) {
  return value_of(
      {BootMethod::kKexec, BootMethod::kGrub, BootMethod::kSystemdBoot, BootMethod::kCommand},
      boot_method_text, text, fmt::format("{}: boot", source),
      "kexec, grub, systemd-boot or command");
}

std::vector<PlannedBoot> planned_boots(const Plan& plan, host::Unit unit) {
  const bool seeded = unit == host::Unit::kInstructions;
  const std::vector<std::uint32_t> seeds = seeded ? plan.seeds : std::vector<std::uint32_t>{0};
  std::vector<PlannedBoot> boots;
  unsigned block = 0;
  for (const std::uint32_t seed : seeds) {
    unsigned position = 0;
    for (unsigned round = 0; round < plan.repeat; ++round, ++block) {
      for (const char role : plan.order) {
        ++position;
        const std::string prefix = seeded ? fmt::format("s{}-", seed) : "";
        boots.push_back(
            {fmt::format("{}{:02}-{}", prefix, position, role), role, position, block, seed});
      }
    }
  }
  return boots;
}

}  // namespace msgring::boot
