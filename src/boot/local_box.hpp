// SPDX-License-Identifier: MIT
// LocalBox: this machine as a Box.
#pragma once

#include <stop_token>

#include "box.hpp"

namespace msgring::boot {

class LocalBox : public Box {
 public:
  explicit LocalBox(std::stop_token stop) : stop_(std::move(stop)) {}

  /// A command that does not end in time counts as no answer.
  BoxAnswer run(const std::vector<std::string>& command, std::chrono::seconds deadline) override;
  void ignore_stop() override { stop_ = {}; }
  BoxAnswer copy(const std::filesystem::path& folder, const std::string& to,
                 std::chrono::seconds deadline) override;

 private:
  std::stop_token stop_;
};

}  // namespace msgring::boot
