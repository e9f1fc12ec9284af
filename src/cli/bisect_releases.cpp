// SPDX-License-Identifier: MIT
// The packaged kernels of a range as candidates, fetched where that is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

#include "cli/bisect_subject.hpp"
#include "msgring/bisect/releases.hpp"

namespace msgring::cli {
namespace {

/// "cloud-amd64" of "6.1.0-50-cloud-amd64": from the first part that begins with no digit.
std::string flavour_of(const std::string& release) {
  for (std::size_t i = 0; i + 1 < release.size(); ++i) {
    if (release[i] == '-' && std::isdigit(static_cast<unsigned char>(release[i + 1])) == 0) {
      return release.substr(i + 1);
    }
  }
  return std::string(boot::KernelFetcher::default_flavour());
}

/// Where packaged kernels come from: the cache, and with `fetch` the package mirror.
class ReleaseSource {
 public:
  ReleaseSource(boot::KernelCache cache, bool fetch, std::stop_token stop);

  /// The releases of a range, ends that can really be had. Throws Error (kUsage).
  std::vector<std::string> releases(const std::string& range, const std::string& flavour);

  /// Sees to it that a release is in the cache and returns what boot::RolePlan calls it. Throws
  /// bisect::NoKernel when it cannot be had, Error (kEnvironment) when a download fails.
  std::string provide(const std::string& release);

 private:
  boot::KernelFetcher& fetcher();
  std::optional<boot::Kernel> cached(const std::string& release) const;
  bool can_provide(const std::string& release);

  boot::KernelCache cache_;
  bool fetch_;
  std::stop_token stop_;
  std::optional<boot::KernelFetcher> fetcher_;  ///< once its indices are read
};

ReleaseSource::ReleaseSource(boot::KernelCache cache, bool fetch, std::stop_token stop)
    : cache_(std::move(cache)), fetch_(fetch), stop_(std::move(stop)) {}

boot::KernelFetcher& ReleaseSource::fetcher() {
  if (!fetcher_) {
    const auto tell = [](std::string_view line) {
      fmt::print(stderr, "msgring bisect: {}\n", line);
    };
    fetcher_.emplace(cache_, tell, stop_);
    fetcher_->update();
  }
  return *fetcher_;
}

std::vector<std::string> ReleaseSource::releases(const std::string& range,
                                                 const std::string& flavour) {
  const bisect::ReleaseRange ends = bisect::parse_release_range(range);
  std::vector<std::string> all;
  for (const boot::Kernel& kernel : cache_.list()) {
    all.push_back(kernel.release);
  }
  if (!fetch_) {
    return bisect::releases_in(ends, all, flavour, cache_.root().native());
  }
  const std::vector<std::string> served = fetcher().available(flavour);
  all.insert(all.end(), served.begin(), served.end());
  std::vector<std::string> releases =
      bisect::releases_in(ends, all, flavour, "the cache and the package mirror");
  // The mirror's list holds names that other packages merely mention: an end must be a kernel.
  while (releases.size() > 1 && !can_provide(releases.front())) {
    releases.erase(releases.begin());
  }
  while (releases.size() > 1 && !can_provide(releases.back())) {
    releases.pop_back();
  }
  return releases;
}

std::optional<boot::Kernel> ReleaseSource::cached(const std::string& release) const {
  const std::vector<boot::Kernel> kernels = cache_.list();
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const boot::Kernel& kernel) {
    return kernel.release == release;
  });
  return found == kernels.end() ? std::nullopt : std::optional<boot::Kernel>(*found);
}

bool ReleaseSource::can_provide(const std::string& release) {
  try {
    provide(release);
    return true;
  } catch (const bisect::NoKernel&) {
    return false;
  }
}

std::string ReleaseSource::provide(const std::string& release) {
  if (const auto kernel = cached(release)) {
    // A name is a prefix elsewhere: where that means another kernel, only the path is this one.
    return cache_.newest(release)->release == release ? release : kernel->image.native();
  }
  if (!fetch_) {
    throw bisect::NoKernel("is not in the cache");
  }
  try {
    return fetcher().fetch(release, flavour_of(release)).release;
  } catch (const Error& error) {
    if (error.status() != ExitStatus::kUsage) {
      throw;
    }
    throw bisect::NoKernel("the package mirror does not serve it");
  }
}

class Releases : public BisectSubject {
 public:
  explicit Releases(ReleaseSource source) : source_(std::move(source)) {}

  bisect::Question question(const BisectOptions& options) override {
    bisect::Question question;
    question.asked = options.releases;
    question.candidates = source_.releases(options.releases, options.flavour);
    question.good = question.candidates.front();
    question.bad = question.candidates.back();
    return question;
  }

  std::unique_ptr<bisect::Search> search(const bisect::BisectFolder& folder) override {
    return std::make_unique<bisect::ListSearch>(folder.question().candidates);
  }

  boot::RolePlan kernel_of(const std::string& candidate,
                           const bisect::BisectFolder& /*folder*/) override {
    boot::RolePlan role;
    role.kernel = source_.provide(candidate);
    return role;
  }

  /// A range of upstream tags, where the releases are upstream's own.
  std::string introduced(const bisect::Found& found) override {
    const auto good = bisect::upstream_tag(found.last_good);
    const auto bad = bisect::upstream_tag(found.first_bad());
    return good && bad ? fmt::format("{}..{}", *good, *bad) : "";
  }

  std::string note_on_introduced(const bisect::Found& found) override {
    return introduced(found).empty()
               ? fmt::format(
                     "No #regzbot line: {} and {} are a distribution's versions, no upstream "
                     "tags. `msgring bisect --tree` finds the commit.",
                     found.last_good, found.first_bad())
               : "";
  }

  void keep_search(const bisect::Search& /*search*/,
                   const bisect::BisectFolder& /*folder*/) override {}

 private:
  ReleaseSource source_;
};

}  // namespace

std::unique_ptr<BisectSubject> release_subject(const boot::KernelCache& cache, bool fetch,
                                               std::stop_token stop) {
  return std::make_unique<Releases>(ReleaseSource(cache, fetch, std::move(stop)));
}

}  // namespace msgring::cli
