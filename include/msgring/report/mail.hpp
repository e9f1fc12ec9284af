// SPDX-License-Identifier: MIT
// The regression report as a mail that the kernel's lists and regzbot accept. Written, never sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/comparison/comparison.hpp"
#include "msgring/report/section.hpp"

namespace msgring::report {

/// What only the reporter knows. Empty means: not said.
struct MailOptions {
  std::string introduced;  ///< a commit or range for `#regzbot introduced:`; none, no regzbot block
  std::string title;       ///< for subject and `#regzbot title:`; empty: made from the result
  std::string impact;      ///< who suffers in practice
  std::string from;        ///< `Name <address>`; empty: the mail program fills it in
  std::string
      measured_by;  ///< the command that makes the points; empty: msgring_bench after each boot
};

/// Throws Error (kUsage) unless `introduced` is what regzbot understands: a commit of 12 to 40 hex
/// digits, or a range `good..bad` (or `good..`) of commits and upstream tags (v6.9, v6.9.3,
/// v6.10-rc1, next-20260131). A single tag, a short id and a distribution's version are not.
void check_introduced(std::string_view introduced);

/// What regzbot will make of a good range less than hoped: both ends in different stable series end
/// without an association. Nothing if all is well.
std::optional<std::string> note_on_introduced(std::string_view introduced);

/// The mail as plain text: `Subject:`, `To:` and `Cc:`, a blank line, the body. ASCII or UTF-8,
/// prose at 72 columns, tables, commands and tags unbroken.
/// Throws Error unless the comparison's verdict is `slower`: with the exit status of its verdict
/// (kInvalid, kInconclusive), or kUsage where there is no regression to report. The sections stand
/// in it in brief.
std::string regzbot_mail(const comparison::Comparison& comparison, const MailOptions& options,
                         Sections sections = {});

/// The same mail with MIME headers, as a draft for `git send-email` or a mail program.
std::string eml_of(const std::string& mail);

/// Whether a mail has to carry a `#regzbot introduced:` block.
enum class RegzbotBlock { kRequired, kOptional };

/// What regzbot, the lists or their readers would stumble over, each as `line N: what`. Looks at a
/// mail as regzbot_mail() or eml_of() make it, edited or not: headers, the form and the separation
/// of the regzbot block, its commands, ranges, lost line structure, width of prose, encoding,
/// required parts.
std::vector<std::string> lint_mail(std::string_view mail, RegzbotBlock block);

}  // namespace msgring::report
