// SPDX-License-Identifier: MIT
// CPUID's hypervisor leaves (Linux Documentation/virt/kvm/x86/cpuid.rst), files where there is
// none.
#include "hypervisor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "parse.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace msgring::host {
namespace {

constexpr std::string_view kTcgSignature = "TCGTCGTCGTCG";
constexpr std::string_view kKvmSignature = "KVMKVMKVM";

struct KnownSignature {
  std::string_view signature;
  std::string_view name;
};

constexpr KnownSignature kKnown[] = {
    {kKvmSignature, "KVM"},     {kTcgSignature, "QEMU TCG"}, {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"}, {"XenVMMXenVMM", "Xen"},     {"VBoxVBoxVBox", "VirtualBox"},
    {"bhyve bhyve ", "bhyve"},  {"ACRNACRNACRN", "ACRN"},    {" lrpepyh  vr", "Parallels"},
    {"Linux KVM Hv", "KVM"},
};

#if defined(__x86_64__)
std::string signature_at(unsigned leaf) {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __cpuid(leaf, eax, ebx, ecx, edx);
  char text[13] = {};
  std::memcpy(text, &ebx, 4);
  std::memcpy(text + 4, &ecx, 4);
  std::memcpy(text + 8, &edx, 4);
  return text;
}
#endif

Hypervisor hypervisor_from_files(const Root& root) {
  if (const Answer type = attribute(root, "/sys/hypervisor/type", ""); has_value(type)) {
    return {type, Accelerator::kOther};
  }
  const Answer flags = field(root, "/proc/cpuinfo", "flags");
  const auto words = words_of(flags.text);
  if (std::find(words.begin(), words.end(), "hypervisor") == words.end()) {
    return {has_value(flags) ? value("none") : unknown("no signature, no CPU flags"),
            has_value(flags) ? Accelerator::kNone : Accelerator::kUnknown};
  }
  const Answer vendor = attribute(root, "/sys/class/dmi/id/sys_vendor", "no DMI");
  return {value(fmt::format("yes, kind not known (DMI vendor {})", text_of(vendor))),
          Accelerator::kUnknown};
}

}  // namespace

#if defined(__x86_64__)
Answer cpuid_signature() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __cpuid(1, eax, ebx, ecx, edx);
  constexpr unsigned kHypervisorBit = 1U << 31U;
  if ((ecx & kHypervisorBit) == 0) {
    return value("");
  }
  std::string behind = signature_at(0x40000100);
  return value(behind == kKvmSignature ? std::move(behind) : signature_at(0x40000000));
}
#else
Answer cpuid_signature() { return unknown("no CPUID on this architecture"); }
#endif

Hypervisor hypervisor_of(const Answer& signature) {
  if (!has_value(signature)) {
    return {signature, Accelerator::kUnknown};
  }
  if (signature.text.empty()) {
    return {value("none"), Accelerator::kNone};
  }
  for (const auto& [known, name] : kKnown) {
    if (signature.text == known) {
      const Accelerator accelerator = known == kTcgSignature ? Accelerator::kTcg
                                      : name == "KVM"        ? Accelerator::kKvm
                                                             : Accelerator::kOther;
      return {value(std::string(name)), accelerator};
    }
  }
  return {value(fmt::format("signature {}", signature.text)), Accelerator::kOther};
}

Hypervisor find_hypervisor(const Root& root) {
  if (root.is_this_machine()) {
    if (const Answer signature = cpuid_signature(); has_value(signature)) {
      return hypervisor_of(signature);
    }
  }
  return hypervisor_from_files(root);
}

std::string accelerator_text(const Hypervisor& hypervisor) {
  switch (hypervisor.accelerator) {
    case Accelerator::kNone:
      return "none (no hypervisor)";
    case Accelerator::kKvm:
      return "kvm";
    case Accelerator::kTcg:
      return "tcg";
    case Accelerator::kOther:
      return fmt::format("unknown (hypervisor {})", hypervisor.name.text);
    default:
      return text_of(unknown("no CPUID signature"));
  }
}

std::string container_hints(const Root& root) {
  std::vector<std::string> hints;
  for (const char* path : {"/.dockerenv", "/run/.containerenv"}) {
    if (read_text_file(root.path(path)).state != FileState::kAbsent) {
      hints.emplace_back(path);
    }
  }
  const std::string cgroup = read_text_file(root.path("/proc/self/cgroup")).text;
  for (const std::string_view word : {"docker", "kubepods", "lxc", "libpod", "containerd"}) {
    if (cgroup.find(word) != std::string::npos) {
      hints.push_back(fmt::format("{} in cgroup", word));
    }
  }
  return hints.empty() ? "no" : fmt::format("yes ({})", fmt::join(hints, ", "));
}

}  // namespace msgring::host
