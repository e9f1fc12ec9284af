// SPDX-License-Identifier: MIT
// QEMU's command line as a list.
#include <fmt/format.h>

#include "msgring/boot/guest.hpp"
#include "msgring/boot/qemu.hpp"

namespace msgring::boot {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, Words more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

/// QEMU's option syntax doubles a comma that belongs to a value.
std::string escaped(const std::filesystem::path& path) {
  std::string text;
  for (const char letter : path.native()) {
    text += letter == ',' ? ",," : std::string(1, letter);
  }
  return text;
}

Words accelerator_words(const QemuLine& line) {
  if (line.accelerator == Accelerator::kKvm) {
    return {"-accel", "kvm", "-cpu", "host", "-smp", "2"};
  }
  // One instruction is one nanosecond of guest time, and idle time passes at once. A fixed seed and
  // a clock that follows the guest leave nothing to chance.
  return {
      "-accel", "tcg", "-icount", "shift=0,sleep=off",       "-cpu", "max",
      "-smp",   "1",   "-seed",   std::to_string(line.seed), "-rtc", "base=2026-01-01,clock=vm"};
}

std::string file_port(std::string_view id, const std::filesystem::path& path) {
  return fmt::format("file,id={},path={}", id, escaped(path));
}

}  // namespace

std::string kernel_command_line(Accelerator accelerator, std::string_view append) {
  // panic=-1 and -no-reboot turn a panic into the end of QEMU.
  std::string line = "console=ttyS0 panic=-1 oops=panic";
  if (accelerator == Accelerator::kTcg) {
    // Layout randomness would move the count. Calibrating the local APIC's timer spins for 100 ms
    // of guest time in `pause`, which costs the emulator 4 s; the HPET serves one CPU as well.
    line += " nokaslr nolapic_timer";
  }
  if (!append.empty()) {
    line += fmt::format(" {}", append);
  }
  return line;
}

std::vector<std::string> qemu_command_line(const QemuProgram& qemu, const QemuLine& line) {
  Words words = {qemu.program,
                 "-name",
                 "msgring,debug-threads=on",
                 "-nodefaults",
                 "-no-user-config",
                 "-no-reboot",
                 "-display",
                 "none",
                 "-vga",
                 "none",
                 "-nic",
                 "none",
                 "-M",
                 "q35",
                 "-m",
                 std::to_string(line.memory_mib)};
  add(words, accelerator_words(line));
  // With ioeventfd, QEMU's main loop would serve the port when it gets round to it, and the count
  // would depend on the host's load; without, the guest's own write does it.
  add(words, {"-chardev", file_port("console", line.console), "-serial", "chardev:console",
              "-chardev", file_port("serial_results", line.serial_results), "-serial",
              "chardev:serial_results", "-device", "virtio-serial-pci,max_ports=2,ioeventfd=off",
              "-chardev", file_port("results", line.results), "-device",
              fmt::format("virtserialport,chardev=results,name={}", kResultPortName), "-kernel",
              line.kernel});
  if (!line.initrd.empty()) {
    add(words, {"-initrd", line.initrd});
  }
  add(words, {"-append", kernel_command_line(line.accelerator, line.append)});
  add(words, line.emulator_arguments);
  return words;
}

}  // namespace msgring::boot
