// SPDX-License-Identifier: MIT
// Chromium without a window: what a page becomes in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace msgring::testing_cli {

struct Window {
  int width = 1280;
  int height = 1000;
};

enum class Scheme { kLight, kDark };

/// What a page became.
struct Visit {
  int status = 0;
  std::string dom;                    ///< the document after its scripts, if it has any, have run
  std::vector<std::string> console;   ///< every message to the console
  std::vector<std::string> requests;  ///< every address that the page itself asked the network for
  std::string log;                    ///< the browser's own messages
};

class Browser {
 public:
  /// The installed one, by PATH; nothing if there is none.
  static std::optional<Browser> find();

  /// Opens a file of `folder` with a profile of its own, where no host name resolves.
  Visit open(const std::filesystem::path& page, Window window, Scheme scheme) const;

  /// Writes a picture of the page (PNG) and returns the browser's exit status.
  int take_picture(const std::filesystem::path& page, Window window, Scheme scheme,
                   const std::filesystem::path& picture) const;

 private:
  explicit Browser(std::filesystem::path program) : program_(std::move(program)) {}

  std::filesystem::path program_;
};

}  // namespace msgring::testing_cli
