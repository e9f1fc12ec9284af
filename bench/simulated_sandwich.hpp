// SPDX-License-Identifier: MIT
// Sandwiches with a known truth, from the noise that the public evidence shows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "msgring/stats/contrast.hpp"
#include "msgring/stats/random.hpp"

namespace msgring::bench {

/// Noise of one kind of machine or workload.
struct Noise {
  std::string name;
  std::vector<double> round_cv;  ///< each boot draws one of these: spread within a boot
  double boot_sd = 0.001;        ///< normal spread of boot means, a fraction
};

/// Boot CVs seen at 4096 slots: the report's three boots and the slot sweep's last row.
Noise noise_of_reported_shape();
/// Boot CVs seen in all fifteen boots of the public evidence, small tables included.
Noise noise_of_all_boots();
/// Boot CVs seen at 64, 256 and 1024 slots only.
Noise noise_of_small_tables();

/// Not seen in the evidence: calm rounds, boots that differ by half a percent. Few boots cannot
/// show such noise, so this says what the interval is worth in the worst case.
Noise noise_between_boots();

/// A sandwich in `order` ("ABA"): boots of `rounds` rounds around 100, B's true mean above A's by
/// `effect`. Residuals are those of the report's 45 rounds, with their skew, scaled to each boot's
/// CV, so the generator needs no assumption of normality within a boot.
stats::Contrast simulate(const Noise& noise, std::string_view order, std::size_t rounds,
                         double effect, stats::SplitMix64& random);

}  // namespace msgring::bench
