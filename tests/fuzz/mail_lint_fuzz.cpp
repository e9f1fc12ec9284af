// SPDX-License-Identifier: MIT
// Any bytes are a mail to the linter: it lists faults and never fails itself.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "msgring/report/mail.hpp"

// libFuzzer's entry; the name is its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  msgring::report::lint_mail(text, msgring::report::RegzbotBlock::kRequired);
  return 0;
}
