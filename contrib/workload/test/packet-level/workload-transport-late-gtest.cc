/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Transfers that start late, on the packet level: as if in time, where nothing met them since.

#include "harness/on_packets.h"
#include "harness/transfers.h"

#include "ns3/rdma-packet-state.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace harness;
using namespace transport_test;
using nlohmann::json;

namespace
{

constexpr int64_t PS_PER_US = 1000000;
constexpr int64_t DUE_US = 20; // when the transfer should start
constexpr uint64_t LATE = 1;

/**
 * A transfer of 100 kB from host 2 to host 3 should start at 20 us, and does so \p lateUs later,
 * while host 0 sends to \p other from \p otherUs on; later on, another one is sent on its way.
 * \return whether it could start in the past, when it was delivered (as told), when the other
 * transfers were
 */
json
Sent(int64_t lateUs, uint32_t other, int64_t otherUs)
{
    const Work work = [=](WorkloadRdmaTransport& transport, RdmaNetwork& network) {
        const auto packets = std::make_shared<RdmaPacketState>(network);
        transport.SetLateStart([packets](const std::vector<RdmaLateFlow>& flows) {
            return packets->StartLate(flows, [time = flows.front().time](const RdmaPort& port) {
                return RdmaPacketState::IsIdleSince(port, time);
            });
        });
        TransferLog log(transport);
        bool back = lateUs == 0;
        int64_t told = -1;
        log.onDelivered = [&](uint64_t id) { told = id == LATE ? transport.GetToldPs() : told; };
        log.onTimer = [&](uint64_t timer) {
            const WorkloadTransfer transfer{2, 3, 100000, 0};
            if (timer == 0 && lateUs > 0)
            {
                back = transport.StartLate({{transfer, LATE, DUE_US * PS_PER_US}});
            }
            if (timer == 0 && !(lateUs > 0 && back))
            {
                transport.Start(transfer, LATE);
            }
            if (timer == 1)
            {
                transport.Start({0, other, 1000000, 0}, 2);
            }
            if (timer == 2)
            {
                transport.Start({2, 3, 100000, 0}, 3);
            }
        };
        transport.Schedule((DUE_US + lateUs) * PS_PER_US, 0);
        transport.Schedule(otherUs * PS_PER_US, 1);
        transport.Schedule((DUE_US + 30) * PS_PER_US, 2);
        transport.Run();
        return json{back, told, log.delivered[2], log.delivered[3]};
    };
    return OnPackets(Star(4, 100 * GBPS, 1000), work);
}

} // namespace

TEST(WorkloadTransports, LateIsAsInTimeWhereNothingMetIt)
{
    const json inTime = Sent(0, 1, 0);
    // under way for 2 us, and 8 us of transmission: by then it is still sending, or over
    for (const int64_t late : {1, 5, 9, 12, 25})
    {
        EXPECT_EQ(Sent(late, 1, 0), inTime) << late;
    }
    // the same of one that begins on its way after that
    EXPECT_EQ(Sent(5, 3, 30), Sent(0, 3, 30));
}

TEST(WorkloadTransports, LateIsNotWhereSomethingHasPassed)
{
    // host 0 sends to host 3, too, since 10 us, or from 22 us on
    for (const int64_t since : {10, 22})
    {
        const json late = Sent(5, 3, since);
        EXPECT_FALSE(late[0]);
        EXPECT_GT(late[1], (DUE_US + 5) * PS_PER_US);
    }
}
