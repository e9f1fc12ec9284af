// SPDX-License-Identifier: MIT
// Plots of the rounds, drawn by gnuplot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "msgring/comparison/comparison.hpp"

namespace msgring::report {

/// `kText` is made of characters, 72 columns wide, and survives a mail.
enum class PlotFormat { kSvg, kPng, kText };

/// The format that a file's name ends in (.svg, .png, .txt). Throws Error (kUsage) for another.
PlotFormat plot_format_of(const std::filesystem::path& file);

/// The gnuplot program for a comparison: for every entry one panel with each boot's rounds, the
/// baseline, and, for a finding, the ends of the interval of the other role's mean.
std::string plot_script(const comparison::Comparison& comparison, PlotFormat format);

/// Where gnuplot is, by PATH; nothing if it is not installed.
std::optional<std::filesystem::path> find_gnuplot();

/// Runs gnuplot, without the user's start-up files, on a script and returns what it drew.
/// Throws Error (kEnvironment) with its first message if it fails, or does not end within a minute.
std::string run_gnuplot(const std::filesystem::path& gnuplot, const std::string& script);

/// The comparison's plot, drawn; a text plot without blanks at the ends of its lines.
std::string draw(const comparison::Comparison& comparison, PlotFormat format,
                 const std::filesystem::path& gnuplot);

}  // namespace msgring::report
