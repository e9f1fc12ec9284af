// SPDX-License-Identifier: MIT
#include "workload/direct_open.hpp"

#include <fcntl.h>

#include "msgring/uring/abi.hpp"
#include "workload/direct_install.hpp"
#include "workload/named_sentinel.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

class DirectOpen final : public DirectInstall {
 public:
  explicit DirectOpen(const Options& options) : DirectInstall(options) {
    demand(shape(), "IORING_OP_OPENAT into an automatic slot", "needs Linux 5.19 or newer");
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    auto all = DirectInstall::facts();
    all.emplace_back("file_system", file_.file_system());
    return all;
  }

 protected:
  SqeShape shape() const noexcept override {
    io_uring_sqe sqe{};
    io_uring_prep_rw(IORING_OP_OPENAT, &sqe, file_.folder(), file_.name(), 0, 0);
    sqe.open_flags = O_RDONLY;  // O_CLOEXEC is for descriptors, and refused for a slot
    sqe.file_index = uring::kFileIndexAlloc;
    return SqeShape(sqe);
  }

  void prove(uring::Ring& ring, const SlotSet& filled, std::uint32_t round,
             CheckReport& report) override {
    read_back_table(ring, contents_of(filled), round, options().timeout_s, report);
  }

 private:
  NamedSentinel file_;
};

}  // namespace

const Entry kDirectOpen{
    .name = "direct_open",
    .summary = "OPENAT of a file in memory into the slots of the ring's own empty table",
    .phases = kDirectPhases,
    .minimum_kernel = "5.19",
    .parameters = kDirectParameters,
    .kernel_functions = kDirectFunctions,
    .make = construct<DirectOpen>};

}  // namespace msgring::workload
