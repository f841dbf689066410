/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The page of `wormhole report` in a real browser, headless Chromium: it draws all charts, in light
// and dark, fails nowhere, asks for nothing, fits screens of all widths, and can be printed. And
// scripts/plot.sh.

#include "harness/report_fixture.h"

#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>

namespace
{

using harness::FixtureRun;
using harness::Sandbox;
using harness::WriteRun;
using nlohmann::json;

// Added to a page: opens what is folded, and writes into it what sticks out of the window, outside
// of anything that scrolls; words that are broken (long ones may be, after a hyphen any); and
// tables that have to scroll.
const char* const LAYOUT_PROBE = R"(<script>
addEventListener("load", () => setTimeout(() => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const scrolls = (e) => e !== null && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getClientRects().length > 0
    && e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement));
  const broken = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const word of text.data.matchAll(/[^\s-]+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
      if (word[0].length <= 20 && lines.size > 1) {
        broken.push(word[0]);
      }
    }
  }
  const scrolling = [...document.querySelectorAll(".wide")].filter((e) => e.scrollWidth > e.clientWidth + 1);
  const found = { window: innerWidth, page: document.documentElement.scrollWidth, broken,
    wide: wide.map((e) => e.outerHTML.slice(0, 100)), cells: document.querySelectorAll("td").length,
    scrolling: scrolling.map((e) => e.textContent.slice(0, 100)),
    canvases: [...document.querySelectorAll("#queues canvas, #flows canvas")].map((c) => c.clientHeight) };
  const text = document.createElement("pre");
  text.textContent = "PROBE" + JSON.stringify(found) + "PROBE";
  document.body.append(text);
}, 100));
</script>)";

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
    links: [...document.querySelectorAll("#links svg .link")].map((link) => link.getAttribute("stroke")), screen: drawn(),
    notes: [...document.querySelectorAll("#comparison > p")].map((p) => p.textContent),
    tables: [...document.querySelectorAll("#comparison h3 + div table")].map((table) =>
      [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\u00a0/g, " ")).join("|"))) };
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

const int QUEUES = 16; // that are drawn

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

    /** \return what Chromium, of a window of this width, prints when it does \p action with a page
     * of the box */
    std::string Browse(const std::string& page, const std::string& action, int width = 1366)
    {
        const std::string profile = box.PathOf("profile-" + std::to_string(++m_browsed));
        return Shell("timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                     "--no-first-run --disable-background-networking --disable-component-update "
                     "--disable-sync --hide-scrollbars --window-size=" +
                     std::to_string(width) +
                     ",768 "
                     "--virtual-time-budget=2000 --user-data-dir='" +
                     profile + "' " + action + " 'file://" + box.PathOf(page) + "' 2> '" +
                     box.PathOf("browser.txt") + "'");
    }

    /** Makes controls.html: packet level under two controls, flow level, and 16 queues. */
    void WriteControls()
    {
        FixtureRun run;
        run.mode = "flow";
        WriteRun(box, "flow", run);
        run.mode = "packet";
        run.control = "ns3::RdmaDcqcn";
        run.flows[3].fctNs = 5000; // instead of 4000
        WriteRun(box, "dcqcn", run);
        std::string queues = "time_ns,node,port,peer,bytes\n";
        for (int port = 0; port < QUEUES; ++port)
        {
            queues += "0,1040," + std::to_string(port) + ",1023,1000\n";
        }
        box.Write("dcqcn/record/queues.csv", queues);
        json summary = box.ReadJson("dcqcn/summary.json");
        summary["configuration"]["attributes"]["ns3::RdmaDcqcn"] = {
            {"FastRecoveryTimes", "5"},
            {"AFileOfSomeUser", "/home/user/experiments/incast/2026-11-22/seed-1/marking.csv"}};
        box.Write("dcqcn/summary.json", summary.dump());
        const harness::ProgramResult r =
            box.Run({"report", "packet", "flow", "dcqcn", "--output", "controls.html"});
        ASSERT_EQ(r.exit, 0) << r.err;
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

    /** \return what a probe finds on a page, which it is added to */
    json Probe(const std::string& file,
               const std::string& theme,
               const char* probe = PROBE,
               int width = 1366)
    {
        const std::string page = box.Read(file);
        const size_t end = page.rfind("</body>");
        box.Write("probe.html", page.substr(0, end) + probe + page.substr(end));
        const std::string text = Browse("probe.html#theme=" + theme, "--dump-dom", width);
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
        const std::vector<std::pair<const char*, size_t>> wanted{{"overlay", 2},
                                                                 {"flows", 2},
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
        const json found = Probe("page.html", theme);
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
        // half of the rate at most: the middle of the scale; 10 % are not even a quarter of it:
        // 5000 of 50,000 B
        EXPECT_EQ(found["links"],
                  theme == std::string("dark") ? json({"rgb(63,96,126)", "rgb(60,190,170)"})
                                               : json({"rgb(156,192,216)", "rgb(38,98,168)"}));
        // 300 means of 4 samples, two of them 8, and the end; where there is room, each sample
        EXPECT_EQ(found["means"], json({{301, 4}, {1201, 8}}));
        ASSERT_EQ(found["tables"].size(), 3U);
        EXPECT_EQ(found["tables"][2],
                  json({"run|frames lost|PFC pauses|ECN marks|time-outs",
                        "packet|5|20|70|1", // 3 drops and 2 link errors
                        "fast|5|20|70|1"}));
        EXPECT_EQ(found["notes"].size(), 1U) << "one scenario: " << found["notes"];
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

TEST_F(ReportPage, ComparesControlsByWhatTheyFound)
{
    WriteControls();
    const json found = Probe("controls.html", "light");
    ASSERT_EQ(found["tables"].size(), 3U);
    ASSERT_EQ(found["notes"].size(), 2U)
        << "of DCQCN, and not of the flow level: " << found["notes"];
    EXPECT_EQ(
        found["notes"][1].get<std::string>().find(
            "dcqcn is another scenario than packet (congestion control DCQCN instead of HPCC): "),
        0U)
        << found["notes"];
    EXPECT_EQ(found["tables"][0][2].get<std::string>().find("flow|4 s|1 ×|0 %|0 %|0 %|0 %|"), 0U)
        << found["tables"][0];
    EXPECT_EQ(found["tables"][0][3].get<std::string>().find("dcqcn|4 s|1 ×|–|–|–|–|"), 0U)
        << found["tables"][0];
    // of 1000, 2000, 2000 and 4000 ns; with DCQCN the last one takes 5000. Alone is known of the
    // first two, where they are recorded: 500 and 1000.
    EXPECT_EQ(
        found["tables"][1],
        json({"run|mode|congestion control|FCT mean|p99|largest|slowdown mean|p99|largest|makespan",
              "packet|packet level|HPCC|2.25 µs|4 µs|4 µs|–|–|–|4 µs",
              "flow|flow level|–|2.25 µs|4 µs|4 µs|2|2|2|4 µs",
              "dcqcn|packet level|DCQCN|2.5 µs|5 µs|5 µs|2|2|2|5 µs"}));
}

TEST_F(ReportPage, DrawsTheControlsOfASweep)
{
    harness::WriteSweepTables(box, "s");
    ASSERT_EQ(box.Run({"report", "s", "--output", "sweep.html"}).exit, 0);
    const json found = Probe("sweep.html", "light");
    EXPECT_EQ(found["ready"], "yes");
    EXPECT_EQ(found["errors"], "");
    EXPECT_TRUE(found["trouble"].empty()) << found["trouble"];
    for (const json& drawn : {found["screen"], found["paper"]["drawn"], found["zoomed"]})
    {
        // slowdown by size, two distributions, and fairness over time
        ASSERT_EQ(drawn["overlay"].size(), 4U) << drawn;
        for (const json& pixels : drawn["overlay"])
        {
            EXPECT_GT(pixels, 200);
        }
    }
    // then the reader has chosen the other scenario, of which only sizes are known
    EXPECT_EQ(found["other"]["overlay"].size(), 1U) << found["other"];
}

TEST_F(ReportPage, SaysWhatDisturbancesShow)
{
    const harness::ProgramResult compare = box.Run({"compare",
                                                    "--topology",
                                                    "star:hosts=4",
                                                    "--traffic",
                                                    "ring:bytes=100KB",
                                                    "--disturb",
                                                    "2",
                                                    "--output",
                                                    "compare",
                                                    "--quiet"});
    ASSERT_EQ(compare.exit, 0) << compare.err;
    const harness::ProgramResult report =
        box.Run({"report", "compare", "--output", "disturbed.html"});
    ASSERT_EQ(report.exit, 0) << report.err;
    const json found = Probe("disturbed.html", "light");
    EXPECT_EQ(found["errors"], "");
    ASSERT_EQ(found["notes"].size(), 2U) << found["notes"];
    const std::string note = found["notes"][1];
    EXPECT_EQ(note.find("Undisturbed, and 2 times with a start or rank, and a link, 1 ns later: "),
              0U)
        << note;
    EXPECT_NE(note.find("All is within packet level's own chaos."), std::string::npos) << note;
}

TEST_F(ReportPage, FitsAllScreens)
{
    WriteControls();
    for (const int width : {500, 768, 1280, 1920})
    {
        const json found = Probe("controls.html", "light", LAYOUT_PROBE, width);
        ASSERT_TRUE(found.is_object()) << width;
        EXPECT_EQ(found["window"], width);
        EXPECT_LE(found["page"], width);
        EXPECT_TRUE(found["wide"].empty()) << width << found["wide"];
        EXPECT_TRUE(found["broken"].empty()) << width << found["broken"];
        EXPECT_GT(found["cells"], 100);
        EXPECT_EQ(found["canvases"].size(), 3U);
        for (const json& height : found["canvases"])
        {
            EXPECT_GE(height, 250) << "legends take nothing from the plots";
        }
        if (width >= 1280)
        {
            EXPECT_TRUE(found["scrolling"].empty()) << width << found["scrolling"];
        }
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
    WriteControls();
    const std::string out =
        Shell("cd '" + box.PathOf(".") +
              "' && '" WORMHOLE_SOURCE_DIR "/scripts/plot.sh' --program '" WORMHOLE_BINARY
              "' packet fast dcqcn --output plots 2> browser.txt");
    for (const char* name : {"fct",
                             "slowdown",
                             "results",
                             "comparison",
                             "rates-fast",
                             "queues-fast",
                             "queues-dcqcn",
                             "partitions-fast",
                             "events-fast"})
    {
        const std::string svg = box.Read(std::string("plots/") + name + ".svg");
        EXPECT_NE(svg.find("</svg>"), std::string::npos) << name << out << box.Read("browser.txt");
        EXPECT_NE(svg.find("<path"), std::string::npos) << name;
    }
    const std::string comparison = box.Read("plots/comparison.svg");
    EXPECT_NE(comparison.find(">fast<"), std::string::npos);
    EXPECT_EQ(comparison.find(">dcqcn<"), std::string::npos) << "another control has no error";
    EXPECT_NE(box.Read("plots/results.svg").find(">dcqcn<"), std::string::npos);
}

TEST_F(ReportPage, NamesOfPlotsStandBelowThem)
{
    WriteControls();
    Shell("'" WORMHOLE_SOURCE_DIR "/scripts/plot.sh' --program '" WORMHOLE_BINARY "' '" +
          box.PathOf("dcqcn") + "' --output '" + box.PathOf("plots") + "' 2> '" +
          box.PathOf("browser.txt") + "'");
    const std::string svg = box.Read("plots/queues-dcqcn.svg");
    // <g transform="translate(86.63,349.50)" ...> <text><tspan ...>NAME</tspan></text>
    const std::regex text(
        R"re(translate\(([\d.]+),([\d.]+)\)[^>]*>\s*<text>(?:<tspan[^>]*>)?([^<]+)<)re");
    std::vector<double> names;
    double axis = 0;
    for (auto i = std::sregex_iterator(svg.begin(), svg.end(), text); i != std::sregex_iterator();
         ++i)
    {
        const std::string name = (*i)[3];
        if (name.find(" to 1023") != std::string::npos)
        {
            names.push_back(std::stod((*i)[2]));
        }
        axis = name.find("simulated time") == 0 ? std::stod((*i)[2]) : axis;
    }
    EXPECT_EQ(names.size(), static_cast<size_t>(QUEUES)) << svg;
    EXPECT_GT(axis, 250) << "the plot above keeps its size";
    for (const double y : names)
    {
        EXPECT_GT(y, axis);
    }
}
