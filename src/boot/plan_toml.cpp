// SPDX-License-Identifier: MIT
// A plan as TOML, by toml++.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <limits>
#include <set>
#include <sstream>

#include "msgring/boot/plan.hpp"

namespace msgring::boot {
namespace {

class PlanReader {
 public:
  PlanReader(const toml::table& table, std::string_view source) : table_(table), source_(source) {}

  Plan read() {
    Plan plan;
    allow_only(table_, {"order", "repeat", "seeds", "unit", "jobs", "memory_mib", "retries",
                        "arguments", "roles", "deadlines", "driver", "box"});
    plan.order = text(table_, "order", plan.order);
    plan.repeat = number(table_, "repeat", plan.repeat);
    plan.unit = parse_unit_choice(text(table_, "unit", "auto"), source_);
    plan.jobs = number(table_, "jobs", plan.jobs);
    plan.memory_mib = number(table_, "memory_mib", plan.memory_mib);
    plan.retries = number(table_, "retries", plan.retries);
    read_seeds(plan);
    read_arguments(plan);
    read_roles(plan);
    read_deadlines(plan.deadlines);
    plan.driver = parse_driver(text(table_, "driver", "qemu"), source_);
    read_box(plan.box);
    return plan;
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what) const {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}:{}:{}: {}", source_, where.begin.line, where.begin.column, what),
                "see the plan of an earlier run for an example");
  }

  void allow_only(const toml::table& table, const std::set<std::string_view>& keys) const {
    for (const auto& [key, value] : table) {
      if (keys.count(key.str()) == 0) {
        refuse(key.source(), fmt::format("'{}' is no key of a plan", key.str()));
      }
    }
  }

  std::string text(const toml::table& table, std::string_view key,
                   std::string_view fallback) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      return std::string(fallback);
    }
    const auto value = node->value_exact<std::string>();
    if (!value) {
      refuse(node->source(), fmt::format("'{}' is no string", key));
    }
    return *value;
  }

  unsigned number_of(const toml::node& node, std::string_view key) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > std::numeric_limits<unsigned>::max()) {
      refuse(node.source(), fmt::format("'{}' is no whole number from 0 on", key));
    }
    return static_cast<unsigned>(*value);
  }

  unsigned number(const toml::table& table, std::string_view key, unsigned fallback) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? fallback : number_of(*node, key);
  }

  const toml::array* array(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node != nullptr && !node->is_array()) {
      refuse(node->source(), fmt::format("'{}' is no list", key));
    }
    return node == nullptr ? nullptr : node->as_array();
  }

  const toml::table* table(const toml::table& parent, std::string_view key) const {
    const toml::node* node = parent.get(key);
    if (node != nullptr && !node->is_table()) {
      refuse(node->source(), fmt::format("'{}' is no table", key));
    }
    return node == nullptr ? nullptr : node->as_table();
  }

  void read_seeds(Plan& plan) const {
    if (const toml::array* list = array("seeds")) {
      plan.seeds.clear();
      for (const toml::node& node : *list) {
        plan.seeds.push_back(number_of(node, "seeds"));
      }
    }
  }

  void read_arguments(Plan& plan) const {
    if (const toml::array* list = array("arguments")) {
      for (const toml::node& node : *list) {
        const auto value = node.value_exact<std::string>();
        if (!value) {
          refuse(node.source(), "'arguments' are strings");
        }
        plan.arguments.push_back(*value);
      }
    }
  }

  void read_roles(Plan& plan) const {
    const toml::table* roles = table(table_, "roles");
    if (roles == nullptr) {
      return;
    }
    for (const auto& [key, value] : *roles) {
      const toml::table* role = value.as_table();
      if (role == nullptr || key.str().size() != 1) {
        refuse(key.source(), fmt::format("'roles.{}' is no table of one letter", key.str()));
      }
      allow_only(*role, {"kernel", "append", "facts"});
      plan.roles.push_back({key.str().front(), text(*role, "kernel", ""), text(*role, "append", ""),
                            facts_of(*role)});
    }
  }

  std::map<std::string, std::string> facts_of(const toml::table& role) const {
    std::map<std::string, std::string> facts;
    if (const toml::table* table_of_them = table(role, "facts")) {
      for (const auto& [key, value] : *table_of_them) {
        facts.emplace(key.str(), text(*table_of_them, key.str(), ""));
      }
    }
    return facts;
  }

  void read_deadlines(Deadlines& deadlines) const {
    const toml::table* table_of_them = table(table_, "deadlines");
    if (table_of_them == nullptr) {
      return;
    }
    allow_only(*table_of_them, {"boot", "settle", "measure", "power_off"});
    const auto read = [&](std::string_view key, std::chrono::seconds& value) {
      value =
          std::chrono::seconds(number(*table_of_them, key, static_cast<unsigned>(value.count())));
    };
    read("boot", deadlines.boot);
    read("settle", deadlines.settle);
    read("measure", deadlines.measure);
    read("power_off", deadlines.power_off);
  }

  bool flag(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      return false;
    }
    const auto value = node->value_exact<bool>();
    if (!value) {
      refuse(node->source(), fmt::format("'{}' is neither true nor false", key));
    }
    return *value;
  }

  void read_box(BoxPlan& box) const {
    if (const toml::table* const fields = table(table_, "box"); fields != nullptr) {
      allow_only(*fields, {"host", "boot", "boot_command", "ssh_config", "tune"});
      box.host = text(*fields, "host", "");
      box.boot = parse_boot_method(text(*fields, "boot", "kexec"), source_);
      box.boot_command = text(*fields, "boot_command", "");
      box.ssh_config = text(*fields, "ssh_config", "");
      box.tune = flag(*fields, "tune");
    }
  }

  const toml::table& table_;
  std::string_view source_;
};

template <typename Values>
toml::array list_of(const Values& values) {
  toml::array list;
  for (const auto& value : values) {
    list.push_back(value);
  }
  return list;
}

}  // namespace

Plan parse_plan(std::string_view text, std::string_view source) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ExitStatus::kUsage, fmt::format("{}:{}:{}: {}", source, error.source().begin.line,
                                                error.source().begin.column, error.description()));
  }
  Plan plan = PlanReader(table, source).read();
  check_plan(plan, source);
  return plan;
}

std::string plan_text(const Plan& plan) {
  toml::table roles;
  for (const RolePlan& role : plan.roles) {
    toml::table table{{"kernel", role.kernel}, {"append", role.append}};
    if (!role.facts.empty()) {
      toml::table facts;
      for (const auto& [key, value] : role.facts) {
        facts.insert(key, value);
      }
      table.insert("facts", facts);
    }
    roles.insert(std::string(1, role.letter), table);
  }
  toml::table table{{"order", plan.order},
                    {"repeat", plan.repeat},
                    {"seeds", list_of(plan.seeds)},
                    {"unit", unit_choice_text(plan.unit)},
                    {"jobs", plan.jobs},
                    {"memory_mib", plan.memory_mib},
                    {"retries", plan.retries},
                    {"arguments", list_of(plan.arguments)},
                    {"roles", roles},
                    {"deadlines", toml::table{{"boot", plan.deadlines.boot.count()},
                                              {"settle", plan.deadlines.settle.count()},
                                              {"measure", plan.deadlines.measure.count()},
                                              {"power_off", plan.deadlines.power_off.count()}}}};
  if (plan.driver != DriverKind::kQemu) {
    table.insert("driver", driver_text(plan.driver));
    table.insert("box", toml::table{{"host", plan.box.host},
                                    {"boot", boot_method_text(plan.box.boot)},
                                    {"boot_command", plan.box.boot_command},
                                    {"ssh_config", plan.box.ssh_config},
                                    {"tune", plan.box.tune}});
  }
  std::ostringstream text;
  text << table << "\n";
  return text.str();
}

}  // namespace msgring::boot
