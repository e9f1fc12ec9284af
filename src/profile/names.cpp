// SPDX-License-Identifier: MIT
// One name for a function and the forms that compilers and allocation profiling make of it.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/profile/difference.hpp"

namespace msgring::profile {
namespace {

/// GCC's and clang's marks for parts and clones, each with or without a number behind it.
constexpr std::array kCloneMarks{std::string_view(".constprop"), std::string_view(".isra"),
                                 std::string_view(".part"),      std::string_view(".cold"),
                                 std::string_view(".llvm"),      std::string_view(".localalias")};

std::string_view without_clone_marks(std::string_view name) {
  std::size_t end = name.size();
  for (const std::string_view mark : kCloneMarks) {
    end = std::min(end, name.find(mark));
  }
  return name.substr(0, end);
}

bool is_known(std::string_view name, const std::vector<std::string>& known) {
  return std::binary_search(known.begin(), known.end(), name, std::less<>());
}

}  // namespace

std::string grouped_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::string_view kNoProfile = "_noprof";
  const std::string_view plain = without_clone_marks(name);
  if (plain.size() <= kNoProfile.size() ||
      plain.substr(plain.size() - kNoProfile.size()) != kNoProfile) {
    return std::string(plain);
  }
  // Allocation profiling renames x to x_noprof; a macro x then calls it, or __x_noprof.
  const std::string_view base = plain.substr(0, plain.size() - kNoProfile.size());
  const std::string_view bare = base.substr(std::min(base.find_first_not_of('_'), base.size()));
  return std::string(!is_known(base, known) && is_known(bare, known) ? bare : base);
}

}  // namespace msgring::profile
