// SPDX-License-Identifier: MIT
// Kernels are found by version, kept whole, and unpacked from packages of both layouts.
#include "msgring/boot/kernels.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "boot/apt_sources.hpp"
#include "boot/archive.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

void put_kernel(const fs::path& root, const std::string& release) {
  fs::create_directories(root / release);
  std::ofstream(root / release / "vmlinuz") << release;
}

TEST(ReleaseMatches, ComparesWholeNumbers) {
  EXPECT_TRUE(release_matches("6.12.95+deb12-cloud-amd64", "6.12"));
  EXPECT_TRUE(release_matches("6.12.95+deb12-cloud-amd64", "6.12.95"));
  EXPECT_TRUE(release_matches("6.1.0-50-cloud-amd64", "6.1"));
  EXPECT_FALSE(release_matches("6.12.95+deb12-cloud-amd64", "6.1"));
  EXPECT_FALSE(release_matches("6.12.95+deb12-cloud-amd64", "6.12.9"));
  EXPECT_FALSE(release_matches("6.12.95", ""));
}

TEST(ReleaseLess, OrdersNumbersAsNumbersAndPrefersTheCloudFlavour) {
  EXPECT_TRUE(release_less("6.12.95+deb12-cloud-amd64", "6.12.117+deb13-cloud-amd64"));
  EXPECT_TRUE(release_less("6.12.90+deb12-cloud-amd64", "6.12.90+deb12.1-cloud-amd64"));
  EXPECT_TRUE(release_less("7.1.3+deb13-amd64", "7.1.3+deb13-cloud-amd64"));
  EXPECT_TRUE(release_less("7.1.3+deb13-rt-amd64", "7.1.3+deb13-cloud-amd64"));
  EXPECT_TRUE(release_less("7.1.3+deb13-cloud-amd64", "7.1.13+deb13-amd64"));
}

TEST(KernelCache, ResolvesAPrefixToTheNewestAndAPathToItself) {
  const host::TemporaryFolder folder("msgring-test");
  const KernelCache cache(folder.path());
  for (const char* release : {"6.12.9", "6.12.117", "6.12.95", "7.1.3"}) {
    put_kernel(folder.path(), release);
  }
  fs::create_directories(folder.path() / ".apt");
  fs::create_directories(folder.path() / "9.9.9");  // an image never came
  EXPECT_EQ(cache.resolve("6.12").release, "6.12.117");
  EXPECT_EQ(cache.list().size(), 4U);
  const fs::path image = folder.path() / "7.1.3" / "vmlinuz";
  EXPECT_EQ(cache.resolve(image.native()).image, image);
  EXPECT_EQ(cache.resolve(image.native()).release, "");
}

TEST(KernelCache, SaysWhatIsThereAndWhereToPutMore) {
  const host::TemporaryFolder folder("msgring-test");
  put_kernel(folder.path(), "7.1.3");
  try {
    KernelCache(folder.path()).resolve("6.12");
    FAIL() << "resolved";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kUsage);
    EXPECT_THAT(describe(error), ::testing::HasSubstr("which has 7.1.3"));
    EXPECT_THAT(describe(error), ::testing::HasSubstr((folder.path() / "6.12/vmlinuz").native()));
  }
  EXPECT_THROW(KernelCache(folder.path()).resolve("/nowhere/bzImage"), Error);
}

TEST(KernelCache, KeepsWhatIsThereAndLeavesNoRemains) {
  const host::TemporaryFolder folder("msgring-test");
  const KernelCache cache(folder.path() / "new");
  EXPECT_EQ(cache.add("7.1", "image", "config", "here").release, "7.1");
  EXPECT_EQ(host::read_file(cache.add("7.1", "other", "", "there").image), "image");
  EXPECT_EQ(std::distance(fs::directory_iterator(cache.root()), fs::directory_iterator()), 1);
}

enum class Format { kTarXz, kAr };

/// An archive with one file after the other.
std::string make_archive(Format format,
                         const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  const ArchiveHandle handle(::archive_write_new());
  if (format == Format::kTarXz) {
    ::archive_write_set_format_ustar(handle.get());
    ::archive_write_add_filter_xz(handle.get());
  } else {
    ::archive_write_set_format_ar_svr4(handle.get());
  }
  ::archive_write_open_memory(handle.get(), bytes.data(), bytes.size(), &used);
  for (const auto& [path, text] : files) {
    const EntryHandle entry(::archive_entry_new());
    ::archive_entry_set_pathname(entry.get(), path.c_str());
    ::archive_entry_set_mode(entry.get(), AE_IFREG | 0644U);
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    EXPECT_EQ(::archive_write_header(handle.get(), entry.get()), ARCHIVE_OK)
        << ::archive_error_string(handle.get());
    ::archive_write_data(handle.get(), text.data(), text.size());
  }
  ::archive_write_close(handle.get());
  return bytes.substr(0, used);
}

fs::path make_package(const fs::path& folder,
                      const std::vector<std::pair<std::string, std::string>>& files) {
  const std::string data = make_archive(Format::kTarXz, files);
  fs::path package = folder / "x.deb";
  std::ofstream(package) << make_archive(Format::kAr,
                                         {{"debian-binary", "2.0\n"}, {"data.tar.xz", data}});
  return package;
}

TEST(ReadKernelPackage, FindsImageAndConfigInBothLayouts) {
  const host::TemporaryFolder folder("msgring-test");
  const PackagedKernel old_layout = read_kernel_package(
      make_package(folder.path(), {{"./boot/System.map-6.12", "map"},
                                   {"./boot/config-6.12", "C=y"},
                                   {"./usr/lib/modules/6.12/kernel/fs/configfs/config", "no"},
                                   {"./boot/vmlinuz-6.12", "old"}}));
  EXPECT_EQ(old_layout.image, "old");
  EXPECT_EQ(old_layout.config, "C=y");
  const PackagedKernel new_layout =
      read_kernel_package(make_package(folder.path(), {{"./usr/lib/modules/7.2/vmlinuz", "new"}}));
  EXPECT_EQ(new_layout.image, "new");
  EXPECT_EQ(new_layout.config, "");
}

TEST(ReadKernelPackage, RefusesWhatIsNoPackage) {
  const host::TemporaryFolder folder("msgring-test");
  std::ofstream(folder.path() / "x.deb") << "not an archive";
  EXPECT_THROW(read_kernel_package(folder.path() / "x.deb"), Error);
}

TEST(DebianRepository, IsTheSystemsOwnAndNeverTheSecurityOne) {
  const std::string targets =
      "Elsewhere\thttp://elsewhere.example/\tbookworm\n"
      "Debian\thttp://mirror.example/debian-security/\tbookworm-security\n"
      "Debian\thttp://mirror.example/debian/\tbookworm\n";
  EXPECT_EQ(debian_repository(targets, "bookworm"), "http://mirror.example/debian/");
  EXPECT_EQ(debian_repository(targets, "noble"), "");
  EXPECT_EQ(debian_repository("$(ORIGIN)\thttp://m.example/debian/\tbookworm\n", "bookworm"),
            "http://m.example/debian/");
}

TEST(OsReleaseValue, DropsQuotes) {
  EXPECT_EQ(os_release_value("ID=debian\nVERSION_CODENAME=\"bookworm\"\n", "VERSION_CODENAME"),
            "bookworm");
  EXPECT_EQ(os_release_value("ID=arch\n", "VERSION_CODENAME"), "");
}

}  // namespace
}  // namespace msgring::boot
