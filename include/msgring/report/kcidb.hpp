// SPDX-License-Identifier: MIT
// The comparison as a KCIDB submission, schema 5.3.
#pragma once

#include <map>
#include <string>

#include "msgring/comparison/comparison.hpp"

namespace msgring::report {

struct KcidbOptions {
  std::string origin = "msgring";  ///< the submitting system, [a-z0-9_]+
  /// Role to the id of a build that is submitted elsewhere ("redhat:1234"); a role that is not here
  /// gets a build and a checkout of its own, made from what the points know of their kernel.
  std::map<std::string, std::string> builds;
};

/// Two tests for each comparison: the baseline as a plain measurement (DONE), the other role as
/// judged: FAIL for slower, PASS for faster and unchanged, DONE where nothing could be decided, and
/// ERROR without a number where the comparison is invalid. Times are in seconds with a metric
/// prefix, counts in instructions. Ids follow from the points' SHA-256: the same evidence gives the
/// same ids. Throws Error (kUsage) for an origin or id that KCIDB would refuse.
std::string kcidb_report(const comparison::Comparison& comparison, const KcidbOptions& options);

}  // namespace msgring::report
