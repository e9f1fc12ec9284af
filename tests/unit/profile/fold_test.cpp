// SPDX-License-Identifier: MIT
#include "msgring/profile/fold.hpp"

#include <gmock/gmock.h>

#include "sample.hpp"

namespace msgring::profile {
namespace {

using testing::HasSubstr;

// io_submit at 0x..1000 calls install at 0x..2000, which jumps to finish at 0x..3000.
constexpr const char* kSymbols =
    "ffffffff81001000 T io_submit\n"
    "ffffffff81001fff t text_start\n"
    "ffffffff81002000 t install\n"
    "ffffffff81002000 T __install_alias\n"
    "ffffffff81003000 T finish\n"
    "ffffffff81004000 D _etext\n"
    "ffffffffa0000000 t module_code\t[loop]\n";

constexpr const char* kRaw =
    "msgring-raw-profile 1\n"
    "phase 0 0 2\n"
    "node 0 0 0 0 2\n"
    "node 1 0 ffffffff81001000 3 2\n"  // system call
    "node 2 1 ffffffff81002000 1 8\n"  // call
    "node 3 2 ffffffff81002010 2 8\n"  // a jump inside install: a part of it
    "node 4 3 ffffffff81003000 2 8\n"  // a tail call of finish
    "block 0 401000 0105\n"
    "block 1 ffffffff81001000 010101\n"
    "block 2 ffffffff81002000 0402\n"
    "block 3 ffffffff81002010 01\n"
    "block 4 ffffffff81003000 0101\n"
    "count 0 0 0 2 5\n"
    "count 1 1 0 3 8\n"
    "count 1 1 1 2 -1\n"
    "count 2 2 0 2 8\n"
    "count 3 3 0 1 8\n"
    "count 4 4 0 2 8\n"
    "end 18\n";

const Subject kSubject{{"7.1.3", "#1", "ab"}, "first_fill", "slots:4", "QEMU", 1, 2};
const std::vector<PhaseFacts> kPhases{{"fill", "install", 8, 0}};

Profile fold_text(const std::string& raw, const std::string& symbols = kSymbols) {
  return fold(raw, SymbolTable::parse(symbols), kSubject, kPhases);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::vector<std::string> lines_of(const Profile& profile) {
  std::vector<std::string> lines;
  for (const Node& node : profile.phases[0].nodes) {
    lines.push_back(std::to_string(node.parent) + " " + profile.functions[node.function] + " " +
                    std::to_string(node.calls) + " " + std::to_string(node.self));
  }
  return lines;
}

TEST(Fold, AddressesBecomeFunctionsBelowTheirCallers) {
  // io_submit: 8 * 3 - 2. install: 8 * 2 and, jumped to, 8 * 1. finish: 8 * 2. User: 5 * 2.
  EXPECT_THAT(lines_of(fold_text(kRaw)),
              testing::ElementsAre("0 fill 2 0", "0 io_submit 2 22", "1 install 8 24",
                                   "2 finish 8 16", "0 [user space] 0 10"));
}

TEST(Fold, CodeThatIsJumpedIntoStandsUnderItsOwnName) {
  const std::string raw =
      replaced(kRaw, "block 3 ffffffff81002010 01", "block 3 ffffffff81003010 01");
  EXPECT_THAT(lines_of(fold_text(raw)), testing::Contains("2 finish 8 24"));
}

TEST(Fold, IndirectCallThunksStandBesideWhatTheyCall) {
  std::string symbols = replaced(kSymbols, "t install", "t __x86_indirect_thunk_rax");
  symbols = replaced(symbols, "T __install_alias", "T __pi___x86_indirect_thunk_rax");
  EXPECT_THAT(lines_of(fold_text(kRaw, symbols)),
              testing::IsSupersetOf({"1 __x86_indirect_thunk_rax 8 24", "1 finish 8 16"}));
}

TEST(Fold, AWrongSymbolTableIsNamed) {
  const std::string symbols = "ffffffff81000500 T other\nffffffff81009000 T another\n";
  EXPECT_THAT(error_line([&] { fold_text(kRaw, symbols); }),
              HasSubstr("symbol table: not of the kernel that ran: only 0 of 1 called addresses"));
}

TEST(Fold, HiddenAddressesAreNamed) {
  const std::string symbols = "0000000000000000 T _text\n0000000000000000 T io_submit\n";
  EXPECT_THAT(error_line([&] { fold_text(kRaw, symbols); }),
              HasSubstr("all addresses are 0: the kernel hides them; read /proc/kallsyms as root"));
  EXPECT_THAT(error_line([&] { fold_text(kRaw, "hello\n"); }), HasSubstr("line 1 is not"));
}

TEST(Fold, ADamagedRawProfileIsNamedWithItsLine) {
  EXPECT_THAT(error_line([] { fold_text("elf"); }), HasSubstr("no raw profile of version 1"));
  EXPECT_THAT(error_line([] { fold_text(std::string(kRaw).substr(0, 200)); }),
              HasSubstr("raw profile: line"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "end 18\n", "")); }),
              HasSubstr("it was cut: the end is missing"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "end 18", "end 17")); }),
              HasSubstr("line 19: 'end' is unknown"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "node 2 1", "node 2 7")); }),
              HasSubstr("line 5: a node out of order"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "count 4 4 0 2", "count 4 4 0 3")); }),
              HasSubstr("line 18: a count of something that is not there"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "count 0 0 0 2 5", "count 0 0 0 2 x")); }),
              HasSubstr("'x' is no number"));
}

TEST(Fold, ARoundMayHaveSeveralStretches) {
  const auto fold_stretches = [](std::uint32_t stretches) {
    Subject subject = kSubject;
    subject.rounds = 1;
    return fold(kRaw, SymbolTable::parse(kSymbols), subject,
                {{"fill", "install", 8, 0, stretches}});
  };
  // Two stretches between marks are two rounds, or one round of two.
  EXPECT_EQ(lines_of(fold_stretches(2)), lines_of(fold_text(kRaw)));
  EXPECT_THAT(error_line([&] { fold_stretches(1); }), HasSubstr("2 of 1 rounds of phase fill"));
}

TEST(Fold, MissingRoundsAndForeignPhasesAreNamed) {
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "phase 0 0 2", "phase 0 0 1")); }),
              HasSubstr("1 of 2 rounds of phase fill were counted"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "phase 0 0 2", "phase 3 0 2")); }),
              HasSubstr("phase 3 is none of first_fill's"));
  EXPECT_THAT(error_line([] { fold_text(replaced(kRaw, "phase 0 0 2", "trouble 2 phase marks")); }),
              HasSubstr("raw profile: 2 phase marks"));
}

TEST(SymbolTable, FindsTheFunctionAroundAnAddress) {
  const SymbolTable table = SymbolTable::parse(kSymbols);
  EXPECT_EQ(table.find(0xffffffff81001000)->name, "io_submit");
  EXPECT_EQ(table.find(0xffffffff81001ffe)->name, "io_submit");
  EXPECT_EQ(table.find(0xffffffff81000fff), nullptr);
  EXPECT_EQ(table.find(0xffffffff81004000), nullptr);  // behind _etext
  EXPECT_EQ(table.find(0xffffffffa0000004)->name, "module_code");
  EXPECT_EQ(table.find(0x401000), nullptr);
  EXPECT_TRUE(table.begins_at(0xffffffff81003000));
  EXPECT_FALSE(table.begins_at(0xffffffff81003001));
}

TEST(SymbolTable, TakesThePlainestOfSeveralNames) {
  const SymbolTable table = SymbolTable::parse(kSymbols);
  EXPECT_EQ(table.find(0xffffffff81002000)->name, "install");
  const SymbolTable labels = SymbolTable::parse(
      "ffffffff81001000 T __softirqentry_text_end\nffffffff81001000 T __x86_indirect_thunk_rax\n"
      "ffffffff81001000 T __pi___x86_thunk\n");
  EXPECT_EQ(labels.find(0xffffffff81001000)->name, "__x86_indirect_thunk_rax");
}

}  // namespace
}  // namespace msgring::profile
