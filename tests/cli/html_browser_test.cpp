// SPDX-License-Identifier: MIT
// The HTML report as a reader sees it: opened in Chromium, measured, and photographed. The pictures
// stay in the build folder (report-*.png) for a person to look at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "browser.hpp"
#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

// Runs in a copy of the report and leaves what it measured in the title of the page around it.
constexpr const char* kRuler = R"(<script>
const all = (s) => Array.from(document.querySelectorAll(s));
const size = (e) => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
parent.document.title = JSON.stringify({
  window: innerWidth,
  content: document.documentElement.scrollWidth,
  verdict: document.querySelector('.verdict').innerText,
  rows: all('section:first-of-type tbody tr').map((e) => e.innerText),
  plots: all('svg').map(size),
  dots: all('svg .dots').map(size),
  background: getComputedStyle(document.body).backgroundColor,
  cut: all('td').filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText),
});
</script></main>)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

// A page around another, as wide as a screen: Chromium's own windows are at least 500 pixels wide.
std::string framed(const std::string& html, int width) {
  std::string quoted;
  for (const char c : html) {
    quoted += c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  const std::string style = "border:0;height:900px;width:" + std::to_string(width) + "px";
  return R"(<!DOCTYPE html><title></title><iframe style=")" + style + R"(" srcdoc=")" + quoted +
         R"("></iframe>)";
}

// What the ruler left between <title> and </title>.
json measured(const std::string& dom) {
  const std::size_t begin = dom.find("<title>") + 7;
  std::string text = dom.substr(begin, dom.find("</title>", begin) - begin);
  for (const auto& [entity, letter] : {std::pair{"&nbsp;", " "}, {"&gt;", ">"}, {"&lt;", "<"}}) {
    while (text.find(entity) != std::string::npos) {
      text = replaced(text, entity, letter);
    }
  }
  return json::parse(text);
}

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    browser_ = Browser::find();
    if (!browser_) {
      GTEST_SKIP() << "no chromium in PATH (package chromium)";
    }
    const std::string evidence = MSGRING_TEST_DATA "/tsv/measured-rounds.tsv";
    const Outcome outcome =
        run("msgring", {"compare", evidence, "--format", "html", "--out", report().string()},
            folder_.path());
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  std::filesystem::path report() const { return folder_.path() / "report.html"; }

  // A copy of the report in which `what` is `with`.
  std::filesystem::path altered(const std::string& what, const std::string& with) const {
    auto copy = folder_.path() / "altered.html";
    std::ofstream(copy) << replaced(text_of(report()), what, with);
    return copy;
  }

  json measure(int width, Scheme scheme) const {
    const auto page = folder_.path() / "framed.html";
    std::ofstream(page) << framed(text_of(altered("</main>", kRuler)), width);
    const Visit visit = browser_->open(page, {width + 100, 1000}, scheme);
    EXPECT_EQ(visit.status, 0) << visit.log;
    EXPECT_THAT(visit.console, IsEmpty());
    return measured(visit.dom);
  }

  TemporaryFolder folder_;
  std::optional<Browser> browser_;
};

TEST_F(HtmlReport, OpensWithoutAConsoleMessageOrANetworkRequest) {
  const Visit visit = browser_->open(report(), {}, Scheme::kLight);
  EXPECT_EQ(visit.status, 0) << visit.log;
  EXPECT_THAT(visit.console, IsEmpty());
  EXPECT_THAT(visit.requests, IsEmpty());
  EXPECT_THAT(visit.dom, HasSubstr("<strong>slower</strong>: B against A"));
  EXPECT_THAT(visit.dom, HasSubstr("+11.621"));
  EXPECT_THAT(visit.dom, HasSubstr("<svg"));
}

// Without this, the test above could pass because nothing is ever seen.
TEST_F(HtmlReport, AScriptErrorAndARequestWouldBeSeen) {
  const auto page = altered("</main>",
                            "<script>no_such_function()</script>"
                            "<img src=\"http://127.0.0.1:9/x.png\"></main>");
  const Visit visit = browser_->open(page, {}, Scheme::kLight);
  EXPECT_THAT(visit.console, testing::Contains(HasSubstr("no_such_function is not defined")));
  EXPECT_THAT(visit.requests, testing::Contains("http://127.0.0.1:9/x.png"));
}

TEST_F(HtmlReport, ShowsVerdictTableAndPlotOnAWideAndANarrowScreen) {
  for (const int width : {1280, 400}) {
    const json page = measure(width, Scheme::kLight);
    SCOPED_TRACE(page.dump(1));
    ASSERT_EQ(page["window"], width);
    EXPECT_LE(page["content"].get<int>(), width) << "nothing has to be scrolled sideways";
    EXPECT_THAT(page["cut"], IsEmpty());
    EXPECT_THAT(page["verdict"].get<std::string>(), HasSubstr("+11.621 % in ns per install"));
    ASSERT_EQ(page["rows"].size(), 2U) << "the workload's title and its one phase";
    EXPECT_THAT(page["rows"][0].get<std::string>(), HasSubstr("first_fill"));
    EXPECT_THAT(page["rows"][1].get<std::string>(), HasSubstr("114.441"));
    ASSERT_EQ(page["plots"].size(), 1U);
    EXPECT_GT(page["plots"][0][0].get<double>(), 300.0);
    EXPECT_GT(page["plots"][0][1].get<double>(), 150.0);
    ASSERT_EQ(page["dots"].size(), 3U) << "one group of rounds per boot";
    for (const json& dots : page["dots"]) {
      EXPECT_GT(dots[0].get<double>(), 50.0) << "15 rounds stand beside each other";
    }
  }
}

TEST_F(HtmlReport, IsLightOrDarkAsTheReaderPrefers) {
  EXPECT_EQ(measure(1280, Scheme::kLight)["background"], "rgb(255, 255, 255)");
  EXPECT_EQ(measure(1280, Scheme::kDark)["background"], "rgb(13, 17, 23)");
}

TEST_F(HtmlReport, CanBePhotographed) {
  const std::filesystem::path folder = MSGRING_BUILD_DIR;
  for (const auto& [name, window, scheme] :
       {std::tuple{"report-1280.png", Window{1280, 1700}, Scheme::kLight},
        {"report-400.png", Window{400, 3000}, Scheme::kLight},
        {"report-dark-400.png", Window{400, 3000}, Scheme::kDark}}) {
    std::filesystem::remove(folder / name);
    EXPECT_EQ(browser_->take_picture(report(), window, scheme, folder / name), 0);
    const std::string picture = text_of(folder / name);
    EXPECT_THAT(picture, testing::StartsWith("\x89PNG"));
    // A blank page of this size compresses to a tenth of this.
    EXPECT_GT(picture.size(), 50'000U) << name;
  }
}

}  // namespace
}  // namespace msgring::testing_cli
