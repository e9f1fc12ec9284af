// SPDX-License-Identifier: MIT
#include "small_tree.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "git.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;

/// olddefconfig keeps each option's last line, as kconfig does, and never grants CONFIG_REFUSED.
constexpr const char* kMakefile = R"make(
kernelversion:
	@cat version
tinyconfig:
	@echo CONFIG_X86=y > $(O)/.config
olddefconfig:
	@awk '/^CONFIG_/ { n = $$1; sub(/=.*/, "", n); v[n] = $$0 } \
	      /^# CONFIG_/ { v[$$2] = $$0 } END { for (n in v) if (n != "CONFIG_REFUSED") print v[n] }' \
	     $(O)/.config | sort > $(O)/.config.new && mv $(O)/.config.new $(O)/.config
bzImage:
	@mkdir -p $(O)/arch/x86/boot $(O)/include/config
	@echo "$$(cat version)$(LOCALVERSION)" > $(O)/include/config/kernel.release
	@echo "  CC      io_uring/rsrc.o"
	@$(MAKE) -f $(CURDIR)/Makefile rsrc
	@ld -e f --build-id=sha1 $(O)/rsrc.o -o $(O)/vmlinux
	@cat $(O)/.config $(O)/include/config/kernel.release $(O)/rsrc.o > $(O)/arch/x86/boot/bzImage
rsrc:
	@test ! -e slow || sleep 60
	@test ! -e full || cat version > /dev/full
	@$(CC) -c io_uring/rsrc.c -o $(O)/rsrc.o
)make";

}  // namespace

std::string rsrc_text(int value) {
  return fmt::format("/* 1 */\n/* 2 */\n/* 3 */\nint f(void) {{\nreturn {};\n}}\n{}", value,
                     "/* 7 */\n/* 8 */\n/* 9 */\n/* 10 */\n");
}

SmallTree::SmallTree() {
  fs::create_directories(folder_ / "io_uring");
  fs::create_directories(folder_ / "init");
  fs::create_directories(folder_ / "arch" / "x86");
  git({"init", "--quiet", "-b", "main", "."});
  git({"config", "user.name", "A Developer"});
  git({"config", "user.email", "developer@example.com"});
  write("Makefile", kMakefile);
  write("Kconfig", "# none\n");
  write("version", "9.1.0\n");
  write("init/main.c", "\n");
  write("arch/x86/Makefile", "\n");
  write("io_uring/rsrc.c", rsrc_text(1));
  git({"add", "."});
  git({"commit", "--quiet", "-m", "a kernel of few lines"});
}

std::string SmallTree::git(const std::vector<std::string>& arguments) const {
  return git_output({folder_, {}, {}, {}, {}}, arguments, "git", {});
}

void SmallTree::write(const std::string& file, const std::string& text) const {
  fs::create_directories((folder_ / file).parent_path());
  std::ofstream(folder_ / file) << text;
}

std::string SmallTree::commit(const std::string& file, const std::string& text) const {
  write(file, text);
  git({"add", file});
  git({"commit", "--quiet", "-m", "change " + file});
  return git({"rev-parse", "HEAD"});
}

std::string SmallTree::state() const {
  std::vector<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    struct stat status {};
    ::lstat(entry.path().c_str(), &status);
    const bool is_object = entry.path().native().find("/.git/objects/") != std::string::npos;
    lines.push_back(fmt::format("{} {} {}.{}", entry.path().native(), status.st_size,
                                is_object ? 0 : status.st_mtim.tv_sec,
                                is_object ? 0 : status.st_mtim.tv_nsec));
  }
  std::sort(lines.begin(), lines.end());
  // The index is not refreshed by these either.
  lines.push_back(git({"worktree", "list"}));
  lines.push_back(git({"status", "--porcelain"}));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace msgring::tree
