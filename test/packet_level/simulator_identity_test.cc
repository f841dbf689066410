/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A simulation that knows nothing of us runs as under ns-3's own DefaultSimulatorImpl: the records
// of two runs, each in a process of its own, are equal byte by byte. They hold all events (time,
// identifier and context, in order), packets at all layers, and how it ends.

#include "harness/apart.h"
#include "simulator_identity_test/scenarios.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

using namespace ns3;

namespace
{

const std::string DEFAULT = "ns3::DefaultSimulatorImpl";
const std::string WORMHOLE = "ns3::WormholeSimulatorImpl";
const std::string MAP = "ns3::MapScheduler";

struct Implementation
{
    const char* name;
    std::string typeId;
    bool fastForward;
};

void
PrintTo(const Implementation& implementation, std::ostream* os)
{
    *os << implementation.name;
}

const Implementation RDMA{"Rdma", "ns3::RdmaSimulatorImpl", false};
const Implementation WORMHOLE_OFF{"WormholeOff", WORMHOLE, false};
const Implementation WORMHOLE_ON{"WormholeOn", WORMHOLE, true};

/** Before anything of ns-3 is made. */
void
Choose(const Implementation& implementation)
{
    if (implementation.typeId == WORMHOLE)
    {
        WormholeHelper wormhole;
        wormhole.Set("Enabled", BooleanValue(implementation.fastForward));
        wormhole.Enable();
        return;
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation.typeId));
}

using Scenario = std::function<void(const Ptr<Record>&)>;
using PartedScenario = std::function<void(const Ptr<Record>&, const Ptr<Record>&)>;

/** \return the record of a run with all its events */
std::string
RunAlone(const Implementation& implementation,
         const Scenario& scenario,
         const std::string& scheduler = MAP)
{
    return harness::RunApart([&] {
        Choose(implementation);
        const Ptr<Record> record = CreateObject<Record>();
        RecordingScheduler::Use(record, scheduler);
        scenario(record);
        return nlohmann::json(record->GetText());
    });
}

/** \return the records of both parts, without events: those of an RDMA network are not ns-3's */
std::pair<std::string, std::string>
RunParted(const Implementation& implementation, const PartedScenario& scenario)
{
    return harness::RunApart([&] {
        Choose(implementation);
        const Ptr<Record> a = CreateObject<Record>();
        const Ptr<Record> b = CreateObject<Record>();
        scenario(a, b);
        return nlohmann::json(std::pair(a->GetText(), b->GetText()));
    });
}

/** \return the first line in which \p actual is not as \p expected; empty if they are equal */
std::string
Difference(const std::string& actual, const std::string& expected)
{
    if (actual == expected)
    {
        return {};
    }
    std::istringstream a(actual);
    std::istringstream e(expected);
    std::string lineA;
    std::string lineE;
    size_t number = 0;
    do
    {
        ++number;
        lineA = std::getline(a, lineA) ? lineA : "(end)";
        lineE = std::getline(e, lineE) ? lineE : "(end)";
    } while (lineA == lineE);
    return "line " + std::to_string(number) + ": \"" + lineA + "\" instead of \"" + lineE + '"';
}

/** \return how many lines contain \p word */
size_t
Count(const std::string& text, const std::string& word)
{
    std::istringstream in(text);
    size_t count = 0;
    for (std::string line; std::getline(in, line);)
    {
        count += line.find(word) != std::string::npos ? 1 : 0;
    }
    return count;
}

const Implementation REFERENCE{"Default", DEFAULT, false};

class SimulatorIdentity : public testing::TestWithParam<Implementation>
{
  protected:
    /** \return the record, which is the same under the reference and under what is tested */
    static std::string Compare(const Scenario& scenario)
    {
        std::string expected = RunAlone(REFERENCE, scenario);
        EXPECT_EQ(Difference(RunAlone(GetParam(), scenario), expected), "");
        return expected;
    }
};

class SimulatorIdentityMixed : public testing::TestWithParam<Implementation>
{
  protected:
    /** \return the records, likewise */
    static std::pair<std::string, std::string> Compare(const PartedScenario& scenario)
    {
        std::pair<std::string, std::string> expected = RunParted(REFERENCE, scenario);
        const auto actual = RunParted(GetParam(), scenario);
        EXPECT_EQ(Difference(actual.first, expected.first), "");
        EXPECT_EQ(Difference(actual.second, expected.second), "");
        return expected;
    }
};

} // namespace

TEST_P(SimulatorIdentity, OnADumbbellWithEverySchedulerOfNs3)
{
    const std::string record = RunAlone(REFERENCE, RunDumbbell);
    for (const std::string name : {"Map", "Heap", "List", "Calendar", "PriorityQueue"})
    {
        const std::string scheduler = "ns3::" + name + "Scheduler";
        EXPECT_EQ(Difference(RunAlone(GetParam(), RunDumbbell, scheduler), record), "")
            << scheduler;
    }
    EXPECT_GT(Count(record, "/DropBeforeEnqueue"), 10) << "RED drops";
    EXPECT_GT(Count(record, "CongestionWindow"), 100) << "TCP reacts";
}

TEST_P(SimulatorIdentity, OnABus)
{
    const std::string record = Compare(RunCsma);
    EXPECT_GT(Count(record, "MacTxBackoff"), 100) << "the bus is found busy";
    EXPECT_GT(Count(record, "UdpEchoClient/Rx"), 200) << "of 50 from each of 5";
}

TEST_P(SimulatorIdentity, OnWifi)
{
    const std::string record = Compare(RunWifi);
    EXPECT_GT(Count(record, "Mac/MacRx"), 100) << "data arrives";
    EXPECT_GT(Count(record, "CourseChange"), 20) << "stations walk";
}

TEST_P(SimulatorIdentity, InAllCornersOfTheInterface)
{
    const std::string record = Compare(RunCorners);
    EXPECT_EQ(Count(record, "never"), 0);
    EXPECT_EQ(Count(record, "is gone"), 3) << "no event leaks";
}

TEST_P(SimulatorIdentity, TakesRequestsOfARunningThread)
{
    constexpr uint32_t REQUESTS = 20000;
    const nlohmann::json taken = harness::RunApart([] {
        Choose(GetParam());
        uint32_t count = 0;
        bool inOrder = true;
        std::atomic<bool> over{false};
        std::function<void()> tick = [&] {
            if (!over) // otherwise all is asked for, and taken when this event is over
            {
                Simulator::Schedule(NanoSeconds(1), tick);
            }
        };
        Simulator::ScheduleNow(tick);
        std::thread other([&] {
            for (uint32_t i = 0; i < REQUESTS; ++i)
            {
                Simulator::ScheduleWithContext(i, Time(0), [&, i] {
                    inOrder = inOrder && Simulator::GetContext() == i && count == i;
                    ++count;
                });
            }
            over = true;
        });
        Simulator::Run();
        other.join();
        Simulator::Destroy();
        return nlohmann::json(std::pair(count, inOrder));
    });
    EXPECT_EQ(taken, nlohmann::json(std::pair(REQUESTS, true)));
}

TEST_P(SimulatorIdentityMixed, OfADumbbellBesideAnRdmaNetwork)
{
    const auto [rdma, dumbbell] = Compare(RunBeside);
    EXPECT_EQ(Count(rdma, "end"), 8) << "flows";
    EXPECT_GT(Count(dumbbell, "PhyTxEnd"), 1000);
}

TEST_P(SimulatorIdentityMixed, OfSocketsThroughAnRdmaNetwork)
{
    const auto [rdma, internet] = Compare(RunThrough);
    EXPECT_EQ(Count(rdma, "end"), 8) << "flows";
    EXPECT_EQ(Count(internet, "UdpEchoClient/Rx"), 20);
}

INSTANTIATE_TEST_SUITE_P(,
                         SimulatorIdentity,
                         testing::Values(RDMA, WORMHOLE_OFF, WORMHOLE_ON),
                         [](const auto& info) { return std::string(info.param.name); });

// with fast-forward on, an RDMA network is not simulated packet by packet
INSTANTIATE_TEST_SUITE_P(,
                         SimulatorIdentityMixed,
                         testing::Values(RDMA, WORMHOLE_OFF),
                         [](const auto& info) { return std::string(info.param.name); });
