/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/rdma-arrivals.h"

#include <algorithm>
#include <deque>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Due = std::pair<int64_t, uint64_t>;

/** Links, each with frames that arrive one after the other. */
struct ArrivalLinks
{
    explicit ArrivalLinks(size_t count)
        : wires(count),
          dues(count)
    {
    }

    void Send(size_t link, const Due& due)
    {
        RdmaFrame& frame = frames.emplace_back();
        frame.qp = nullptr;
        frame.route = nullptr;
        frame.serial = static_cast<uint32_t>(link);
        if (wires[link].IsEmpty())
        {
            dues[link] = {due.first, due.second};
        }
        else
        {
            wires[link].Back()->nextArrivalTime = due.first;
            wires[link].Back()->nextArrivalPlace = due.second;
        }
        wires[link].Push(&frame);
    }

    std::deque<RdmaFrame> frames;
    std::vector<RdmaFrameFifo> wires;
    std::vector<RdmaDue> dues; //!< of the first of each
};

RDMA_TEST(RdmaArrivalsOrder, "what arrives before an end is taken in order, from all links")
{
    constexpr int64_t BEGIN = 1000;
    constexpr int64_t END = 2000;
    RdmaEventQueue queue;
    std::mt19937 random(1);
    for (uint32_t network = 0; network < 300; ++network)
    {
        // few or many, at few times or many: ties within links (none) and between them
        const uint32_t links = 1 + random() % 20;
        const uint32_t most = 1 + random() % 40;
        const uint32_t step = 1 + random() % 300;
        ArrivalLinks sent(links);
        std::vector<std::tuple<int64_t, uint64_t, uint32_t>> due; // with the link
        std::vector<Due> stays(links, Due{0, 0});
        const Due end{END - static_cast<int64_t>(random() % 2 * 500), 40};
        std::vector<uint64_t> places;
        for (uint32_t i = 0; i < links * most; ++i)
        {
            places.push_back(4 + i);
        }
        std::shuffle(places.begin(), places.end(), random);
        size_t place = 0;
        for (uint32_t link = 0; link < links; ++link)
        {
            int64_t time = BEGIN + static_cast<int64_t>(random() % 500);
            for (uint32_t i = random() % (most + 1); i > 0; --i)
            {
                const Due next{time, places[place++]};
                sent.Send(link, next);
                if (next < end)
                {
                    due.emplace_back(next.first, next.second, link);
                }
                else if (stays[link] == Due{0, 0})
                {
                    stays[link] = next;
                }
                time += 1 + static_cast<int64_t>(random() % step);
            }
        }
        std::sort(due.begin(), due.end());

        RdmaArrivals arrivals;
        for (uint32_t link = 0; link < links; ++link)
        {
            if (!sent.wires[link].IsEmpty())
            {
                arrivals.Add({nullptr, &sent.wires[link], nullptr, sent.dues[link], false});
            }
        }
        arrivals.Take(queue, BEGIN, RdmaEventEntry::MakeKey(end.first, end.second));
        const RdmaArrival* arrival = arrivals.GetFirst();
        for (const auto& [time, place, link] : due)
        {
            RDMA_TEST_REQUIRE(NE, arrival->frame, nullptr, "not the end, network " << network);
            RDMA_TEST_REQUIRE(EQ, arrival->time, time, "network " << network);
            RDMA_TEST_REQUIRE(EQ, arrival->place, place, "network " << network);
            RDMA_TEST_REQUIRE(EQ, arrival->frame->serial, link, "network " << network);
            ++arrival;
        }
        RDMA_TEST_REQUIRE(EQ, arrival->frame, nullptr, "the end, network " << network);
        RDMA_TEST_REQUIRE(EQ, arrival->time, end.first, "when it is due, network " << network);
        for (const RdmaArrivals::Train& train : arrivals.GetTrains())
        {
            const Due left = stays[static_cast<size_t>(train.wire - sent.wires.data())];
            RDMA_TEST_REQUIRE(EQ, train.due.time, left.first, "what stays, network " << network);
            RDMA_TEST_REQUIRE(EQ, train.due.place, left.second, "network " << network);
            RDMA_TEST_REQUIRE(EQ, train.wire->IsEmpty(), (left == Due{0, 0}), "on the link");
        }
    }
}

RdmaTestSuite<RdmaArrivalsOrder> g_arrivalsSuite("rdma-arrivals");

} // namespace
