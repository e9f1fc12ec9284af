// SPDX-License-Identifier: MIT
// Is the verdict honest? Simulated sandwiches whose truth is known: how often it cries wolf, how
// often it finds what is there, how often the interval holds the truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>

#include "msgring/stats/contrast.hpp"
#include "msgring/stats/shape.hpp"
#include "simulated_sandwich.hpp"

namespace msgring::bench {
namespace {

struct CalibrationOptions {
  std::size_t sandwiches = 2000;
  std::size_t rounds = 15;
  std::size_t resamples = 10'000;
  std::uint64_t seed = 1;
};

constexpr double kFalseGoal = 0.05;
constexpr double kFoundGoal = 0.95;

struct Tally {
  std::size_t slower = 0, faster = 0, unchanged = 0, inconclusive = 0;
  std::size_t covered = 0;
  std::size_t boots = 0, two_modes = 0;

  void add(const stats::Contrast& contrast, const stats::Result& result, double effect) {
    slower += result.verdict == stats::Verdict::kSlower ? 1U : 0U;
    faster += result.verdict == stats::Verdict::kFaster ? 1U : 0U;
    unchanged += result.verdict == stats::Verdict::kUnchanged ? 1U : 0U;
    inconclusive += result.verdict == stats::Verdict::kInconclusive ? 1U : 0U;
    covered += result.interval.low <= effect && effect <= result.interval.high ? 1U : 0U;
    for (const auto* role : {&contrast.baseline, &contrast.changed}) {
      for (const stats::Boot& boot : *role) {
        ++boots;
        two_modes += stats::find_two_modes(boot.rounds) ? 1U : 0U;
      }
    }
  }
};

Tally run(const Noise& noise, std::string_view order, double effect,
          const CalibrationOptions& options) {
  Tally tally;
  stats::SplitMix64 random(options.seed);
  stats::Settings settings;
  settings.resamples = options.resamples;
  for (std::size_t i = 0; i < options.sandwiches; ++i) {
    const stats::Contrast contrast = simulate(noise, order, options.rounds, effect, random);
    tally.add(contrast, stats::compare({&contrast, 1}, settings).front(), effect);
  }
  return tally;
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

void print(const Noise& noise, std::string_view order, double effect, const Tally& tally,
           const CalibrationOptions& options) {
  const auto percent = [&](std::size_t part) { return 100.0 * share(part, options.sandwiches); };
  fmt::print("{:<17} {:<5} {:>+5.1f} % {:>8.2f} {:>8.2f} {:>10.2f} {:>13.2f} {:>10.2f} {:>10.2f}\n",
             noise.name, order, 100.0 * effect, percent(tally.slower), percent(tally.faster),
             percent(tally.unchanged), percent(tally.inconclusive), percent(tally.covered),
             100.0 * share(tally.two_modes, tally.boots));
}

/// True if the goals hold: false alarms on any noise, finds on the reported shape's.
bool calibrate(const CalibrationOptions& options) {
  bool passed = true;
  fmt::print(
      "{} sandwiches each, {} rounds per boot, {} resamples; shares in percent\n"
      "{:<17} {:<5} {:>7} {:>8} {:>8} {:>10} {:>13} {:>10} {:>10}\n",
      options.sandwiches, options.rounds, options.resamples, "noise", "order", "truth", "slower",
      "faster", "unchanged", "inconclusive", "covered", "two modes");
  for (const Noise& noise : {noise_of_reported_shape(), noise_of_small_tables(),
                             noise_of_all_boots(), noise_between_boots()}) {
    for (const std::string_view order : {"ABA", "ABBA"}) {
      for (const double effect : {0.0, 0.01, 0.03}) {
        const Tally tally = run(noise, order, effect, options);
        print(noise, order, effect, tally, options);
        const double found = share(tally.slower + tally.faster, options.sandwiches);
        passed = passed && (effect != 0.0 || found <= kFalseGoal);
        const bool must_find = effect == 0.03 && noise.name == noise_of_reported_shape().name;
        passed = passed && (!must_find || found >= kFoundGoal);
      }
    }
  }
  fmt::print("goals (A/A found <= {:g} % everywhere, +3 % found >= {:g} % at 4096 slots): {}\n",
             100.0 * kFalseGoal, 100.0 * kFoundGoal, passed ? "held" : "MISSED");
  return passed;
}

int run_calibration(int argc, char** argv) {
  CalibrationOptions options;
  CLI::App app("How often a verdict is wrong, on simulated sandwiches with a known truth");
  app.add_option("--sandwiches", options.sandwiches, "per line")->capture_default_str();
  app.add_option("--rounds", options.rounds, "per boot")->capture_default_str();
  app.add_option("--resamples", options.resamples, "of the bootstrap")->capture_default_str();
  app.add_option("--seed", options.seed, "of the simulation")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return calibrate(options) ? 0 : 1;
}

}  // namespace
}  // namespace msgring::bench

int main(int argc, char** argv) {
  try {
    return msgring::bench::run_calibration(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "calibration: %s\n", error.what());
    return 3;
  }
}
