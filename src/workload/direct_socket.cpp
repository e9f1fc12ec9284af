// SPDX-License-Identifier: MIT
#include "workload/direct_socket.hpp"

#include <sys/socket.h>

#include "msgring/uring/abi.hpp"
#include "workload/direct_install.hpp"
#include "workload/phased_workload.hpp"
#include "workload/socket_proof.hpp"

namespace msgring::workload {
namespace {

class DirectSocket final : public DirectInstall {
 public:
  explicit DirectSocket(const Options& options) : DirectInstall(options) {
    demand(shape(), "IORING_OP_SOCKET into an automatic slot", "needs Linux 5.19 or newer");
  }

 protected:
  SqeShape shape() const noexcept override {
    io_uring_sqe sqe{};
    io_uring_prep_rw(IORING_OP_SOCKET, &sqe, AF_UNIX, nullptr, 0, SOCK_DGRAM);
    sqe.file_index = uring::kFileIndexAlloc;
    return SqeShape(sqe);
  }

  void prove(uring::Ring& ring, const SlotSet& filled, std::uint32_t round,
             CheckReport& report) override {
    proof_.prove(ring, filled, round, options().timeout_s, report);
  }

 private:
  SocketProof proof_;
};

}  // namespace

const Entry kDirectSocket{
    .name = "direct_socket",
    .summary = "SOCKET (AF_UNIX, datagrams) into the slots of the ring's own empty table",
    .phases = kDirectPhases,
    .minimum_kernel = "5.19",
    .parameters = kDirectParameters,
    .kernel_functions = kDirectFunctions,
    .make = construct<DirectSocket>};

}  // namespace msgring::workload
