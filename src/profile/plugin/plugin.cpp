// SPDX-License-Identifier: MIT
// The QEMU plugin: nothing is instrumented until the first phase mark executes, then every block,
// until the last round has been counted. Arguments: out=FILE,warmup=N,rounds=N or probe=on.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profile/plugin/profiler.hpp"
#include "profile/plugin/qemu_abi.hpp"

namespace msgring::profile {
namespace {

/// QEMU reads an instruction of at most this many bytes.
constexpr std::size_t kLongestInstruction = 16;

enum class Stage { kWaiting, kCounting, kDone };

/// A mark's place, as its callback gets it.
struct MarkPlace {
  Mark mark;
  const Block* block;
  std::uint32_t index;
};

/// The one state of this plugin. QEMU calls it from the one virtual CPU's thread, and from the main
/// thread only when that has ended.
struct State {
  qemu_plugin_id_t id = 0;
  std::string out;
  std::unique_ptr<Profiler> profiler;
  Stage stage = Stage::kWaiting;
  std::vector<std::unique_ptr<MarkPlace>> marks;
#if MSGRING_PLUGIN_API < 3
  std::uint64_t executed = 0;
#else
  qemu_plugin_scoreboard* score = nullptr;
#endif
};

State* state = nullptr;

void say(const std::string& text) { qemu_plugin_outs(("msgring plugin: " + text + "\n").c_str()); }

#if MSGRING_PLUGIN_API < 3

std::uint64_t executed() { return state->executed; }

void make_counter() {}

void count_instruction(qemu_plugin_insn* instruction) {
  qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                             &state->executed, 1);
}

std::size_t read_bytes(const qemu_plugin_insn* instruction,
                       std::array<std::uint8_t, kLongestInstruction>& to) {
  const std::size_t size = std::min(qemu_plugin_insn_size(instruction), to.size());
  std::memcpy(to.data(), qemu_plugin_insn_data(instruction), size);
  return size;
}

#else

std::uint64_t executed() {
  std::uint64_t value = 0;
  std::memcpy(&value, qemu_plugin_scoreboard_find(state->score, 0), sizeof value);
  return value;
}

void make_counter() { state->score = qemu_plugin_scoreboard_new(sizeof(std::uint64_t)); }

void count_instruction(qemu_plugin_insn* instruction) {
  qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                                      {state->score, 0}, 1);
}

std::size_t read_bytes(const qemu_plugin_insn* instruction,
                       std::array<std::uint8_t, kLongestInstruction>& to) {
  return qemu_plugin_insn_data(instruction, to.data(), to.size());
}

#endif

/// Writes the profile under its name; a file that cannot be written is told and left out.
void write_profile() {
  const std::string text = state->profiler->raw_profile();
  const int file = ::open(state->out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  std::size_t written = 0;
  while (file >= 0 && written < text.size()) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count <= 0) {
      break;
    }
    written += static_cast<std::size_t>(count);
  }
  if (file < 0 || ::close(file) != 0 || written != text.size()) {
    say(state->out + ": cannot write the profile: " + std::strerror(errno));
  }
}

void register_all(qemu_plugin_id_t id);

void on_block(unsigned /*vcpu*/, void* data) {
  state->profiler->on_block(*static_cast<const Block*>(data), executed());
}

void on_mark(unsigned /*vcpu*/, void* data) {
  const auto& place = *static_cast<const MarkPlace*>(data);
  if (state->stage == Stage::kDone) {
    return;
  }
  state->profiler->on_mark(place.mark, *place.block, place.index, executed());
  if (state->stage == Stage::kWaiting) {
    // The first mark is a warm-up's: from its end on all code is translated anew, and counted.
    state->stage = Stage::kCounting;
    qemu_plugin_reset(state->id, register_all);
  } else if (state->profiler->complete()) {
    state->stage = Stage::kDone;
    write_profile();
    qemu_plugin_reset(state->id, register_all);
  }
}

/// Describes a translated block, and has its marks called.
const Block& describe(const qemu_plugin_tb* tb) {
  Block block;
  std::vector<std::uint8_t> beginning;
  std::vector<std::pair<Mark, std::uint32_t>> marks;
  const std::size_t count = qemu_plugin_tb_n_insns(tb);
  for (std::size_t i = 0; i < count; ++i) {
    qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(tb, i);
    std::array<std::uint8_t, kLongestInstruction> bytes{};
    const std::size_t size = read_bytes(instruction, bytes);
    const std::uint64_t address = qemu_plugin_insn_vaddr(instruction);
    block.start = i == 0 ? address : block.start;
    block.end = address + size;
    block.lengths.push_back(static_cast<std::uint8_t>(size));
    if (i + 1 == count) {
      block.last = decode({bytes.data(), size}, address);
    }
    if (i < 2) {
      beginning.insert(beginning.end(), bytes.begin(), bytes.begin() + static_cast<long>(size));
    }
    if (const auto mark = decode_mark({bytes.data(), size})) {
      marks.emplace_back(*mark, static_cast<std::uint32_t>(i));
    }
  }
  block.begins_function = begins_function(beginning);
  const Block& kept = state->profiler->keep(std::move(block));
  for (const auto& [mark, index] : marks) {
    state->marks.push_back(std::make_unique<MarkPlace>(MarkPlace{mark, &kept, index}));
    qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, index), on_mark,
                                           QEMU_PLUGIN_CB_NO_REGS, state->marks.back().get());
  }
  return kept;
}

bool is_mark(const qemu_plugin_insn* instruction) {
  std::array<std::uint8_t, kLongestInstruction> bytes{};
  return decode_mark({bytes.data(), read_bytes(instruction, bytes)}).has_value();
}

bool has_mark(const qemu_plugin_tb* tb) {
  for (std::size_t i = 0; i < qemu_plugin_tb_n_insns(tb); ++i) {
    const qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(tb, i);
    if (qemu_plugin_insn_size(instruction) == 7 && is_mark(instruction)) {
      return true;
    }
  }
  return false;
}

void on_translation(qemu_plugin_id_t /*id*/, qemu_plugin_tb* tb) {
  if (state->stage == Stage::kDone) {
    return;
  }
  if (state->stage == Stage::kWaiting) {
    if (has_mark(tb)) {
      describe(tb);
    }
    return;
  }
  const Block& block = describe(tb);
  qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
                                       const_cast<Block*>(&block));  // NOLINT: QEMU's signature
  for (std::size_t i = 0; i < qemu_plugin_tb_n_insns(tb); ++i) {
    qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(tb, i);
    if (qemu_plugin_insn_size(instruction) != 7 || !is_mark(instruction)) {
      count_instruction(instruction);
    }
  }
}

void on_exit(qemu_plugin_id_t /*id*/, void* /*data*/) {
  if (state->stage != Stage::kDone) {
    state->stage = Stage::kDone;
    write_profile();
  }
}

void register_all(qemu_plugin_id_t id) {
  qemu_plugin_register_atexit_cb(id, on_exit, nullptr);
  if (state->stage != Stage::kDone) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  }
}

struct Arguments {
  std::string out;
  std::uint32_t warmup = 0;
  std::uint32_t rounds = 0;
  bool probe = false;
};

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

/// Reads one argument; false for one that is not known or not right.
bool read_argument(std::string_view argument, Arguments& arguments) {
  const std::size_t equals = argument.find('=');
  const std::string_view key = argument.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : argument.substr(equals + 1);
  if (key == "out") {
    arguments.out = value;
    return !value.empty();
  }
  if (key == "warmup") {
    return read_number(value, arguments.warmup);
  }
  if (key == "rounds") {
    return read_number(value, arguments.rounds);
  }
  arguments.probe = key == "probe";
  return arguments.probe;
}

int install(qemu_plugin_id_t id, const qemu_info_t& info, const std::vector<const char*>& words) {
  Arguments arguments;
  for (const char* word : words) {
    if (!read_argument(word, arguments)) {
      std::fprintf(stderr, "msgring plugin: argument '%s' is not understood\n", word);
      return 1;
    }
  }
  if (arguments.probe) {
    std::fprintf(stderr, "msgring plugin: interface %d fits %d to %d\n", MSGRING_PLUGIN_API,
                 info.version.min, info.version.cur);
    return 1;
  }
  if (std::string_view(info.target_name) != "x86_64" || !info.system_emulation ||
      info.system.smp_vcpus != 1) {
    std::fprintf(stderr, "msgring plugin: needs an x86_64 machine with one CPU (-smp 1)\n");
    return 1;
  }
  if (arguments.out.empty() || arguments.warmup == 0 || arguments.rounds == 0) {
    std::fprintf(stderr, "msgring plugin: needs out=FILE,warmup=N,rounds=N, both at least 1\n");
    return 1;
  }
  state = new State;  // lives as long as QEMU
  state->id = id;
  state->out = arguments.out;
  state->profiler = std::make_unique<Profiler>(arguments.warmup, arguments.rounds);
  make_counter();
  register_all(id);
  return 0;
}

}  // namespace
}  // namespace msgring::profile

extern "C" {

[[gnu::visibility("default")]] int qemu_plugin_version = MSGRING_PLUGIN_API;

[[gnu::visibility("default")]] int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info,
                                                       int argc, char** argv) {
  return msgring::profile::install(id, *info, {argv, argv + argc});
}
}
