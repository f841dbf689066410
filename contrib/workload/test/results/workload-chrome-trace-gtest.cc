/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The Chrome trace: valid, complete, and drawable.

#include "harness/folder.h"

#include "ns3/rdma-traffic-random.h"
#include "ns3/workload-chrome-trace.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace
{

using harness::Folder;
using nlohmann::json;
using ns3::WorkloadChromeTrace;
using ns3::WorkloadSpan;

WorkloadChromeTrace
MakeTrace(const Folder& box, uint64_t most)
{
    return {box.PathOf("trace.json"),
            {{"rank 0", 0}, {"rank 1", 0}},
            {{"other", "all \"gradients\" \xff"}},
            most};
}

WorkloadSpan
Span(uint32_t process, bool communication, int64_t begin, int64_t end, uint8_t cpu = 0)
{
    return {process, communication ? 1U : 0U, cpu, communication, begin, end, 42};
}

json
Of(const json& events, const std::string& kind)
{
    json list = json::array();
    std::copy_if(events.begin(), events.end(), std::back_inserter(list), [&kind](const json& e) {
        return e["ph"] == kind;
    });
    return list;
}

} // namespace

TEST(WorkloadChromeTrace, IsAListOfEventsWithNames)
{
    Folder box;
    WorkloadChromeTrace trace = MakeTrace(box, 100);
    trace.Done(Span(1, false, 1, 1000001, 3));
    trace.Done(Span(1, true, 500000, 2500000));
    trace.Done(Span(0, true, 7, 7));
    trace.Finish();
    const json events = box.ReadJson("trace.json");
    const json spans = Of(events, "X");
    ASSERT_EQ(spans.size(), 2U) << "a span without length is left out";
    EXPECT_EQ(spans[0]["name"], "other");
    EXPECT_EQ(spans[0]["pid"], 1);
    EXPECT_EQ(spans[0]["tid"], 3) << "the stream";
    EXPECT_EQ(spans[0]["args"]["ns"], 42);
    EXPECT_EQ(spans[1]["name"], "all \"gradients\" \xef\xbf\xbd");
    EXPECT_EQ(spans[1]["args"]["bytes"], 42);
    EXPECT_EQ(Of(events, "M")[0]["args"]["name"], "rank 1");
    // 1 ps is 0.000001 us, and nothing is rounded
    const std::string text = box.Read("trace.json");
    EXPECT_NE(text.find("\"ts\":0.000001,\"dur\":1.000000"), std::string::npos) << text;
    EXPECT_NE(text.find("\"ts\":0.500000,\"dur\":2.000000"), std::string::npos) << text;
}

TEST(WorkloadChromeTrace, EmptyIsValid)
{
    Folder box;
    WorkloadChromeTrace trace = MakeTrace(box, 100);
    trace.Finish();
    EXPECT_EQ(box.ReadJson("trace.json"), json::array());
}

TEST(WorkloadChromeTrace, SaysWhatIsLeftOut)
{
    Folder box;
    WorkloadChromeTrace trace = MakeTrace(box, 3);
    for (int64_t i = 0; i < 10; ++i)
    {
        trace.Done(Span(0, false, 10 * i, 10 * i + 5));
    }
    trace.Finish();
    EXPECT_EQ(trace.GetWritten(), 3U);
    EXPECT_EQ(trace.GetLeftOut(), 7U);
    const json events = box.ReadJson("trace.json");
    EXPECT_EQ(Of(events, "X").size(), 3U);
    EXPECT_EQ(Of(events, "i")[0]["name"], "from here on 7 spans are left out");
}

TEST(WorkloadChromeTrace, SpansOfALaneDoNotOverlap)
{
    Folder box;
    WorkloadChromeTrace trace = MakeTrace(box, 100000);
    ns3::RdmaTrafficRandom random(1, 0);
    std::vector<WorkloadSpan> spans;
    for (int i = 0; i < 5000; ++i)
    {
        const auto begin = static_cast<int64_t>(random.Below(1000000));
        spans.push_back(
            Span(i % 2, true, begin, begin + 1 + static_cast<int64_t>(random.Below(2000))));
    }
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
        return a.endPs < b.endPs;
    });
    for (const WorkloadSpan& span : spans)
    {
        trace.Done(span);
    }
    trace.Finish();
    EXPECT_EQ(trace.GetLeftOut(), 0U);
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> lanes;
    for (const json& event : Of(box.ReadJson("trace.json"), "X"))
    {
        const double begin = event["ts"];
        lanes[{event["pid"], event["tid"]}].emplace_back(begin, begin + event["dur"].get<double>());
    }
    size_t total = 0;
    for (auto& [lane, list] : lanes)
    {
        std::sort(list.begin(), list.end());
        total += list.size();
        for (size_t i = 1; i < list.size(); ++i)
        {
            EXPECT_LE(list[i - 1].second, list[i].first + 1e-9);
        }
    }
    EXPECT_EQ(total, 5000U);
}

TEST(WorkloadChromeTrace, TooManyLanesAreLeftOut)
{
    Folder box;
    WorkloadChromeTrace trace = MakeTrace(box, 100000);
    for (int64_t i = 0; i < 100; ++i)
    {
        trace.Done(Span(0, true, 0, 1000 + i));
    }
    trace.Finish();
    EXPECT_EQ(trace.GetWritten(), WorkloadChromeTrace::MOST_LANES);
    EXPECT_EQ(trace.GetLeftOut(), 100 - WorkloadChromeTrace::MOST_LANES);
    EXPECT_EQ(trace.GetCrowded(), trace.GetLeftOut());
    const json events = box.ReadJson("trace.json");
    EXPECT_EQ(Of(events, "X").size(), WorkloadChromeTrace::MOST_LANES);
    EXPECT_EQ(Of(events, "i")[0]["name"],
              "from here on 36 spans of ranks with more than 64 at once are left out");
}
