// SPDX-License-Identifier: MIT
// The two tables that text, mail and Markdown share.
#pragma once

#include <string>
#include <vector>

#include "msgring/report/table.hpp"
#include "report/words.hpp"

namespace msgring::report {

/// The headers of a comparison's columns, unit included: "A ns", "B ns", "delta %", ...
std::vector<Column> result_columns(const Comparison& comparison);

/// One entry's cells; effects that are no findings are "-".
std::vector<std::string> result_cells(const Comparison& comparison, const Entry& entry);

/// All entries, each workload under its title, the primary marked with a star.
Table result_table(const Comparison& comparison);

/// The boots of the primary: role, n, mean, median, CV, without the first round.
Table boot_table(const Comparison& comparison);

}  // namespace msgring::report
