/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The page of `wormhole report` in a real browser, headless Chromium: it draws all charts, in light
// and dark, fails nowhere, asks for nothing, and can be printed. And scripts/plot.sh.

#include "harness/report_fixture.h"

#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::FixtureRun;
using harness::Sandbox;
using harness::WriteRun;
using nlohmann::json;

// Added to a page: uses it as a reader would, and writes what it finds into it. Pixels that differ
// from the first one of their canvas were drawn.
const char* const PROBE = R"(<script>
const trouble = [];
addEventListener("error", (event) => trouble.push(event.message));
addEventListener("securitypolicyviolation", (event) => trouble.push(event.blockedURI));
function pixelsDrawn(canvas) {
  const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return data.reduce((drawn, pixel) => drawn + (pixel !== data[0]), 0);
}
function drawn() {
  const all = {};
  for (const section of document.querySelectorAll("section")) {
    all[section.id] = [...section.querySelectorAll("canvas")].map(pixelsDrawn);
  }
  return all;
}
const pause = () => new Promise((done) => setTimeout(done, 100));
addEventListener("load", async () => {
  await pause();
  const found = { ready: document.documentElement.dataset.ready, theme: document.documentElement.dataset.theme,
    page: getComputedStyle(document.body).backgroundColor, width: document.documentElement.scrollWidth,
    requests: performance.getEntriesByType("resource").map((entry) => entry.name),
    title: document.title, images: document.images.length,
    links: document.querySelectorAll("#links svg .link").length, screen: drawn(),
    network: [...document.querySelectorAll("#comparison h3 + div tr")].map((row) => [...row.cells].map((cell) => cell.textContent).join(" ")) };
  const times = [...new Array(1201).keys()]; // a packet in every second sample
  const sparse = { time_ns: times, rate_bps: times.map((time) => (time % 2) * 8) };
  found.means = [[0, 1200], [0, 100]].map(([from, to]) => meanRates({ period_ns: 1, pairs: [sparse] }, sparse, from, to))
    .map(({ x, y }) => [x.length, Math.max(...y)]);
  dispatchEvent(new Event("beforeprint"));
  await pause();
  found.paper = { theme: document.documentElement.dataset.theme, drawn: drawn(),
    width: Math.max(...[...document.querySelectorAll("section canvas")].map((c) => c.getBoundingClientRect().width)) };
  dispatchEvent(new Event("afterprint"));
  setTimeView([1000, 3000]);
  document.getElementById("theme").click();
  await pause();
  found.zoomed = drawn();
  const run = document.getElementById("run");
  found.run = run.value;
  run.value = "0";
  run.dispatchEvent(new Event("change"));
  for (const select of document.querySelectorAll("section select")) {
    select.value = select.options[select.options.length - 1].value;
    select.dispatchEvent(new Event("change"));
  }
  await pause();
  Object.assign(found, { missing: [...document.querySelectorAll(".missing")].map((p) => p.textContent),
    errors: document.getElementById("errors").textContent, trouble, other: drawn() });
  const text = document.createElement("pre");
  text.textContent = "PROBE" + JSON.stringify(found) + "PROBE";
  document.body.append(text);
});
</script>)";

class ReportPage : public testing::Test
{
  protected:
    void SetUp() override
    {
        FixtureRun packet;
        packet.mode = "packet";
        packet.recorded = false;
        WriteRun(box, "packet", packet);
        WriteRun(box, "fast");
        const std::string evil = "</title></script><img src=x onerror=alert(1)>";
        const harness::ProgramResult r =
            box.Run({"report", "packet", "fast", "--title", evil, "--output", "page.html"});
        ASSERT_EQ(r.exit, 0) << r.err;
    }

    /** \return what Chromium prints when it does \p action with a page of the box */
    std::string Browse(const std::string& page, const std::string& action)
    {
        const std::string profile = box.PathOf("profile-" + std::to_string(++m_browsed));
        return Shell("timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                     "--no-first-run --disable-background-networking --disable-component-update "
                     "--disable-sync --hide-scrollbars --window-size=1366,768 "
                     "--virtual-time-budget=2000 --user-data-dir='" +
                     profile + "' " + action + " 'file://" + box.PathOf(page) + "' 2> '" +
                     box.PathOf("browser.txt") + "'");
    }

    std::string Shell(const std::string& command)
    {
        FILE* pipe = popen(command.c_str(), "r");
        std::string text;
        char block[4096];
        for (size_t got = 1; pipe && got > 0;)
        {
            got = fread(block, 1, sizeof(block), pipe);
            text.append(block, got);
        }
        EXPECT_EQ(pipe ? pclose(pipe) : -1, 0) << command << "\n" << box.Read("browser.txt");
        return text;
    }

    /** \return what the probe finds on the page with colours \p theme */
    json Probe(const std::string& theme)
    {
        const std::string page = box.Read("page.html");
        const size_t end = page.rfind("</body>");
        box.Write("probe.html", page.substr(0, end) + PROBE + page.substr(end));
        const std::string text = Browse("probe.html#theme=" + theme, "--dump-dom");
        const size_t begin = text.find(">PROBE{");
        const size_t after = text.find("}PROBE<");
        EXPECT_NE(after, std::string::npos) << "is chromium there? scripts/install-deps.sh test "
                                               "installs it\n"
                                            << box.Read("browser.txt");
        return after == std::string::npos
                   ? json()
                   : json::parse(text.substr(begin + 6, after - begin - 5), nullptr, false);
    }

    void ExpectAllDrawn(const json& canvases, const std::string& when)
    {
        // uPlot draws a chart on one canvas; rows have a second one for their axis
        const std::vector<std::pair<const char*, size_t>> wanted{{"flows", 2},
                                                                 {"rates", 3},
                                                                 {"queues", 1},
                                                                 {"partitions", 1},
                                                                 {"events", 1},
                                                                 {"timeline", 2}};
        for (const auto& [section, count] : wanted)
        {
            ASSERT_TRUE(canvases.contains(section)) << when << canvases;
            EXPECT_EQ(canvases[section].size(), count) << section << when;
            for (const json& pixels : canvases[section])
            {
                EXPECT_GT(pixels, 200) << section << when;
            }
        }
    }

    Sandbox box;

  private:
    int m_browsed{0};
};

} // namespace

TEST_F(ReportPage, DrawsEverythingInLightAndDark)
{
    for (const char* theme : {"light", "dark"})
    {
        const json found = Probe(theme);
        ASSERT_TRUE(found.is_object()) << theme;
        EXPECT_EQ(found["ready"], "yes");
        EXPECT_EQ(found["theme"], theme);
        EXPECT_EQ(found["page"],
                  theme == std::string("dark") ? "rgb(18, 22, 28)" : "rgb(244, 245, 247)");
        EXPECT_EQ(found["errors"], "");
        EXPECT_TRUE(found["trouble"].empty()) << found["trouble"];
        EXPECT_TRUE(found["requests"].empty()) << found["requests"];
        // as text: what is printed here is the page after it was read, in which "<" is "&lt;" again
        EXPECT_EQ(found["title"],
                  "&lt;/title&gt;&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
        EXPECT_EQ(found["images"], 0);
        EXPECT_LE(found["width"], 1366) << "it must fit a laptop";
        EXPECT_EQ(found["links"], 2);
        // 300 means of 4 samples, two of them 8, and the end; where there is room, each sample
        EXPECT_EQ(found["means"], json({{301, 4}, {1201, 8}}));
        EXPECT_EQ(found["network"],
                  json({"run frames lost PFC pauses ECN marks time-outs",
                        "packet 5 20 70 1", // 3 drops and 2 link errors
                        "fast 5 20 70 1"}));
        EXPECT_EQ(found["run"], "1") << "the run that has most to show";
        ExpectAllDrawn(found["screen"], theme);
        ExpectAllDrawn(found["paper"]["drawn"], "on paper");
        ExpectAllDrawn(found["zoomed"], "zoomed");
        EXPECT_EQ(found["paper"]["theme"], "light");
        EXPECT_LE(found["paper"]["width"], 695)
            << "A4 between its margins: 184 mm at 96 to the inch";
        // then the reader has chosen the other run, which was not recorded
        EXPECT_EQ(found["other"]["flows"].size(), 2U);
        EXPECT_EQ(found["other"]["rates"].size(), 0U);
        EXPECT_EQ(found["missing"].size(), 5U) << found["missing"];
        EXPECT_EQ(found["missing"][0], "Not recorded: run with --record.");
    }
}

TEST_F(ReportPage, CanBePrinted)
{
    Browse("page.html", "--no-pdf-header-footer --print-to-pdf='" + box.PathOf("page.pdf") + "'");
    const std::string pdf = box.Read("page.pdf");
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    size_t pages = 0;
    for (size_t at = pdf.find("/Type /Page\n"); at != std::string::npos;
         at = pdf.find("/Type /Page\n", at + 1))
    {
        ++pages;
    }
    EXPECT_GE(pages, 2U);
    EXPECT_LE(pages, 8U);
}

TEST_F(ReportPage, IsAlsoDrawnForPapers)
{
    const std::string out =
        Shell("'" WORMHOLE_SOURCE_DIR "/scripts/plot.sh' --program '" WORMHOLE_BINARY "' '" +
              box.PathOf("packet") + "' '" + box.PathOf("fast") + "' --output '" +
              box.PathOf("plots") + "' 2> '" + box.PathOf("browser.txt") + "'");
    for (const char* name : {"fct",
                             "slowdown",
                             "comparison",
                             "rates-fast",
                             "queues-fast",
                             "partitions-fast",
                             "events-fast"})
    {
        const std::string svg = box.Read(std::string("plots/") + name + ".svg");
        EXPECT_NE(svg.find("</svg>"), std::string::npos) << name << out << box.Read("browser.txt");
        EXPECT_NE(svg.find("<path"), std::string::npos) << name;
    }
}
