/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Exchanges that go as equal ones did before, on the packet level: what the client is told is what
// it is told without, to the picosecond.

#include "harness/on_packets.h"
#include "harness/transfers.h"

#include "ns3/rdma-packet-state.h"
#include "ns3/workload-exchange-memory.h"
#include "ns3/workload-rdma-repeater.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <set>

using namespace ns3;
using namespace harness;
using namespace transport_test;
using nlohmann::json;

namespace
{

constexpr int64_t PS_PER_US = 1000000;
constexpr int64_t PS_PER_NS = 1000;
constexpr uint64_t BYTES = 100000;
constexpr uint64_t FOREIGN = 1000000;

/** Three hosts send to each other every 100 us, each at once to both others. */
struct Case
{
    uint32_t exchanges{5};
    double audit{0};
    int64_t lateNs{0};            //!< from the third exchange on, host 0 sends so much later
    int64_t foreignUs{-1};        //!< host 3 sends to host 0 then; negative: never
    uint32_t foreigns{1};         //!< how often, every 100 us
    uint64_t foreignBytes{BYTES}; //!< that it sends
    bool isShort{false};          //!< in the third exchange, host 0 does not send to host 1
    bool answers{false};          //!< who gets anything of host 1 sends something to host 3
    bool isRefused{false};        //!< nothing may start late
};

/** \return times of all that the client was told, flows as they are recorded, and what became of
 * exchanges */
json
Told(const Case& c, bool remembers)
{
    const Work work = [=](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
        const auto packets = std::make_shared<RdmaPacketState>(network);
        transport.SetLateStart([packets, c](const std::vector<RdmaLateFlow>& flows) {
            return c.isRefused
                       ? std::vector<RdmaQueuePair*>()
                       : packets->StartLate(flows,
                                            [time = flows.front().time](const RdmaPort& port) {
                                                return RdmaPacketState::IsIdleSince(port, time);
                                            });
        });
        uint64_t saved = 0;
        WorkloadRdmaRepeater repeater(
            transport,
            [](const RdmaPort&) { return 1; },
            [&saved](uint64_t hops) { saved += hops; },
            {true, c.audit});
        std::multiset<json> flows;
        transport.SetEndCallback(
            [&flows](const WorkloadTransfer& transfer, const RdmaQueuePair& qp) {
                flows.insert({transfer.src,
                              transfer.dst,
                              qp.GetSourcePort(),
                              qp.GetStartTime(),
                              qp.GetDeliveryTime(),
                              qp.GetEndTime()});
            });
        TransferLog log(transport);
        WorkloadExchangeMemory memory(transport, repeater, log);
        if (remembers)
        {
            transport.SetClient(memory);
        }
        const auto start = [&](const WorkloadTransfer& transfer, uint64_t id) {
            remembers ? memory.Start(transfer, id) : transport.Start(transfer, id);
        };
        log.onDelivered = [&](uint64_t id) {
            if (c.answers && id < FOREIGN && id % 9 / 3 == 1)
            {
                start({static_cast<uint32_t>(id % 3), 3, BYTES, 0}, FOREIGN + id);
            }
        };
        log.onTimer = [&](uint64_t timer) {
            if (timer >= FOREIGN)
            {
                start({3, 0, c.foreignBytes, 0}, timer);
                return;
            }
            const auto src = static_cast<uint32_t>(timer % 3);
            for (uint32_t dst = 0; dst < 3; ++dst)
            {
                const bool isLeftOut = c.isShort && timer / 3 == 2 && src == 0 && dst == 1;
                if (dst != src && !isLeftOut)
                {
                    start({src, dst, BYTES, 0}, timer * 3 + dst);
                }
            }
        };
        for (uint32_t exchange = 0; exchange < c.exchanges; ++exchange)
        {
            for (uint32_t src = 0; src < 3; ++src)
            {
                const int64_t late = exchange >= 2 && src == 0 ? c.lateNs * PS_PER_NS : 0;
                transport.Schedule(PS_PER_US * 100 * exchange + late, exchange * 3 + src);
            }
        }
        for (uint32_t i = 0; c.foreignUs >= 0 && i < c.foreigns; ++i)
        {
            transport.Schedule((c.foreignUs + int64_t{100} * i) * PS_PER_US, FOREIGN + 1000 + i);
        }
        transport.Run();
        const WorkloadRepeats& r = repeater.GetStatistics();
        return json{{"delivered", log.delivered},
                    {"acknowledged", log.acknowledged},
                    {"flows", flows},
                    {"hops", network.GetContext().counters.GetHops()},
                    {"saved", saved},
                    {"recorded", r.recorded},
                    {"repeated", r.repeated},
                    {"audited", r.audited},
                    {"largest", r.largestError},
                    {"met", r.met},
                    {"delayed", r.delayed},
                    {"delay", r.largestDelayPs}};
    };
    return OnPackets(Star(4, 100 * GBPS, 1000), work);
}

/** Expects that the client is told the same as without a memory, and flows are recorded so.
 * \return what became of exchanges */
json
ExpectSame(const Case& c)
{
    const json without = Told(c, false);
    json with = Told(c, true);
    for (const char* part : {"delivered", "acknowledged", "flows"})
    {
        EXPECT_EQ(with[part], without[part]) << part;
    }
    with["all"] = without["hops"];
    return with;
}

} // namespace

TEST(WorkloadExchangeMemory, RepeatsWhatIsKnown)
{
    const json r = ExpectSame({});
    EXPECT_EQ(r["recorded"], 1);
    EXPECT_EQ(r["repeated"], 4); // of five
    EXPECT_EQ(r["met"], 0);
    EXPECT_EQ(r["hops"].get<uint64_t>() * 5, r["all"]);
    EXPECT_EQ(r["hops"].get<uint64_t>() + r["saved"].get<uint64_t>(), r["all"]);
}

TEST(WorkloadExchangeMemory, IsSimulatedOnceSomethingElseComes)
{
    // Each host sends and gets 200 kB, which takes more than 16 us at 100 Gb/s: 1 to 15 us after
    // the beginning of the third exchange, that is under way.
    for (const int64_t after : {0, 1, 4, 9, 15})
    {
        Case c;
        c.foreignUs = 200 + after;
        const json r = ExpectSame(c);
        EXPECT_EQ(r["met"], 1) << after;
        EXPECT_EQ(r["repeated"], 3) << after; // of five: not the first and the third
    }
}

TEST(WorkloadExchangeMemory, WhatCannotStartLateStartsThen)
{
    Case c;
    c.foreignUs = 204;
    const json without = Told(c, false);
    c.isRefused = true;
    const json r = Told(c, true);
    EXPECT_EQ(r["met"], 1);
    EXPECT_EQ(r["delayed"], 6);
    EXPECT_EQ(r["delay"], 4 * PS_PER_US);
    EXPECT_EQ(r["delivered"].size(), without["delivered"].size());
    EXPECT_EQ(r["acknowledged"].size(), without["acknowledged"].size());
    EXPECT_EQ(r["hops"].get<uint64_t>() + r["saved"].get<uint64_t>(), without["hops"]);
}

TEST(WorkloadExchangeMemory, BeginsInAnIdleNetworkAlone)
{
    // What host 3 sends takes 40 us, since 10 us before the third exchange
    Case c;
    c.foreignUs = 190;
    c.foreignBytes = 500000;
    const json r = ExpectSame(c);
    EXPECT_EQ(r["met"], 0);
    EXPECT_EQ(r["repeated"], 3);
}

TEST(WorkloadExchangeMemory, IsSimulatedIfOneDoesNotCome)
{
    Case c;
    c.isShort = true;
    const json r = ExpectSame(c);
    EXPECT_EQ(r["met"], 1);
    EXPECT_EQ(r["repeated"], 3);
}

TEST(WorkloadExchangeMemory, IsSimulatedIfOneComesLate)
{
    Case c;
    c.lateNs = 1000; // 5 % of the length
    const json r = ExpectSame(c);
    EXPECT_EQ(r["met"], 1);
}

TEST(WorkloadExchangeMemory, ANanosecondDoesNotMatter)
{
    Case c;
    // The length is some 20 us, 0.05 % of it 10 ns. Two frames (83.84 ns each) change places by it.
    c.lateNs = 1;
    const json without = Told(c, false);
    const json with = Told(c, true);
    EXPECT_EQ(with["repeated"], 4);
    for (const auto& told : with["delivered"])
    {
        const auto other = std::find_if(without["delivered"].begin(),
                                        without["delivered"].end(),
                                        [&told](const json& each) { return each[0] == told[0]; });
        EXPECT_NEAR(told[1].get<double>(), (*other)[1].get<double>(), 84 * PS_PER_NS) << told[0];
    }
}

TEST(WorkloadExchangeMemory, WhatFollowsFromAPartIsAPartOfIt)
{
    // of five exchanges, four are left out with the answers that belong to them
    Case c;
    c.answers = true;
    const json r = ExpectSame(c);
    EXPECT_GT(r["repeated"], 0);
    EXPECT_LT(r["hops"], r["all"]);
}

TEST(WorkloadExchangeMemory, IsAudited)
{
    Case c;
    c.audit = 1;
    const json r = ExpectSame(c);
    EXPECT_EQ(r["audited"], 4);
    EXPECT_EQ(r["largest"], 0);
    EXPECT_EQ(r["repeated"], 0);
    EXPECT_EQ(r["hops"], r["all"]);
}

TEST(WorkloadExchangeMemory, IsAuditedUntilSomethingElseComes)
{
    for (const int64_t after : {0, 1, 9, 15})
    {
        Case c;
        c.audit = 1;
        c.foreignUs = 200 + after;
        const json r = ExpectSame(c);
        EXPECT_EQ(r["met"], 1) << after;
        EXPECT_EQ(r["hops"], r["all"]) << after;
    }
}

TEST(WorkloadExchangeMemory, GoesAsAnotherOneThatIsKnown)
{
    // the third, fourth and fifth exchange are met at the same time
    Case c;
    c.foreignUs = 209;
    c.foreigns = 3;
    const json r = ExpectSame(c);
    EXPECT_EQ(r["recorded"], 2); // alone, and met
    EXPECT_EQ(r["met"], 1);
    EXPECT_EQ(r["repeated"], 3);
}
