// SPDX-License-Identifier: MIT
// The part of QEMU's TCG plugin interface that msgring uses, declared from its documentation
// (docs/devel/tcg-plugins.rst): no distribution package ships a header for it.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(MSGRING_PLUGIN_API)
#error "MSGRING_PLUGIN_API: 1 for QEMU up to 8.2, 3 from QEMU 9.1 on"
#endif

extern "C" {

using qemu_plugin_id_t = std::uint64_t;

// The names are QEMU's.
// NOLINTBEGIN(readability-identifier-naming)

// Opaque to a plugin.
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

// What QEMU tells a plugin about itself.
struct qemu_info_t {
  const char* target_name;  // "x86_64"
  struct {
    int min;
    int cur;
  } version;  // of the interface
  bool system_emulation;
  struct {
    int smp_vcpus;
    int max_vcpus;
  } system;
};

// Both enumerations begin with the one value that is used here.
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };  // NOLINT(readability-identifier-naming)
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };    // NOLINT(readability-identifier-naming)

using qemu_plugin_simple_cb_t = void (*)(qemu_plugin_id_t);
using qemu_plugin_udata_cb_t = void (*)(qemu_plugin_id_t, void*);
using qemu_plugin_vcpu_udata_cb_t = void (*)(unsigned, void*);
using qemu_plugin_vcpu_tb_trans_cb_t = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);

void qemu_plugin_outs(const char* text);
void qemu_plugin_reset(qemu_plugin_id_t id, qemu_plugin_simple_cb_t done);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void* data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb* tb, qemu_plugin_vcpu_udata_cb_t cb,
                                          qemu_plugin_cb_flags flags, void* data);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn* insn, qemu_plugin_vcpu_udata_cb_t cb,
                                            qemu_plugin_cb_flags flags, void* data);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* tb);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* tb, std::size_t index);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn* insn);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn* insn);

#if MSGRING_PLUGIN_API < 3

const void* qemu_plugin_insn_data(const qemu_plugin_insn* insn);
void qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_insn* insn, qemu_plugin_op op,
                                                void* counter, std::uint64_t addend);

#else

// A 64-bit member of a scoreboard's entries, by its offset.
struct qemu_plugin_u64 {
  qemu_plugin_scoreboard* score;
  std::size_t offset;
};

std::size_t qemu_plugin_insn_data(const qemu_plugin_insn* insn, void* to, std::size_t size);
qemu_plugin_scoreboard* qemu_plugin_scoreboard_new(std::size_t entry_size);
void* qemu_plugin_scoreboard_find(qemu_plugin_scoreboard* score, unsigned vcpu);
void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(qemu_plugin_insn* insn, qemu_plugin_op op,
                                                         qemu_plugin_u64 counter,
                                                         std::uint64_t addend);

#endif

// NOLINTEND(readability-identifier-naming)

}  // extern "C"
