// SPDX-License-Identifier: MIT
// file_update: one slot per update at random places of a full fixed-file table, by SQE
// (IORING_OP_FILES_UPDATE) and by the register call.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kFileUpdate;
extern const Entry kFileUpdateRegister;

}  // namespace msgring::workload
