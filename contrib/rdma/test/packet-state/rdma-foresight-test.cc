/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flows that are carried on without packets come to what packets come to.

#include "rdma-test-case.h"
#include "rdma-test-part.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace ns3;

namespace
{

constexpr int64_t MS = 1000000; //!< ns

/** Senders of a star, under DCQCN, that share the link of one receiver: 100 Gb/s. */
class ForeseenIncast
{
  public:
    /** \param bytes of the flow of each sender */
    explicit ForeseenIncast(const std::vector<uint64_t>& bytes, uint64_t window = 0)
        : net(RdmaTestStar(static_cast<uint32_t>(bytes.size()) + 1),
              [](RdmaHelper& rdma) { rdma.SetCongestionControl("ns3::RdmaDcqcn"); }),
          part(*net.network)
    {
        const auto senders = static_cast<uint32_t>(bytes.size());
        for (uint32_t i = 0; i < senders; ++i)
        {
            net.Flow(i, senders, bytes[i], window);
        }
    }

    ForeseenIncast(uint32_t senders, uint64_t bytes, uint64_t window = 0)
        : ForeseenIncast(std::vector<uint64_t>(senders, bytes), window)
    {
    }

    /** As soon as all is calm, from \p ns on, looks \p most ns ahead, and goes on without packets
     * for as long as that says. \param ends whether a flow may end meanwhile \param draws whether
     * frames may be marked */
    void Skip(int64_t ns, int64_t most, bool ends, bool draws = true)
    {
        net.At(ns, [this, ns, most, ends, draws] {
            foresight = part.Foresee(most, draws);
            if (!foresight)
            {
                Skip(ns + MS / 2, most, ends, draws);
                return;
            }
            const int64_t steps = net.network->GetContext().clock.StepsPerNs();
            span = foresight->GetSpan() / steps;
            until = ns + span;
            net.At(until, [this, ends] { part.Realise(*foresight, span, ends); });
        });
    }

    /** \return ends by flow, ns */
    std::vector<int64_t> Finish()
    {
        net.Run();
        std::vector<int64_t> fcts(net.ends.size());
        for (const RdmaTestEnd& end : net.ends)
        {
            fcts[end.id] = end.fct;
        }
        return fcts;
    }

    RdmaTestNetwork net;
    RdmaTestPart part;
    std::unique_ptr<RdmaForesight> foresight;
    int64_t span{0};  //!< ns
    int64_t until{0}; //!< ns
};

/** \return the mean of \p a less that of \p b, relative */
double
BiasOf(const std::vector<int64_t>& a, const std::vector<int64_t>& b)
{
    double sum = 0;
    double others = 0;
    for (size_t i = 0; i < a.size(); ++i)
    {
        sum += static_cast<double>(a[i]);
        others += static_cast<double>(b[i]);
    }
    return sum / others - 1;
}

RDMA_TEST(RdmaForesightPart, "a part of the time without packets")
{
    for (const uint32_t senders : {2, 4})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        ForeseenIncast packets(senders, 40000000);
        const std::vector<int64_t> expected = packets.Finish();
        const uint64_t hops = packets.net.Counters().packetHops;
        UseSimulator("ns3::RdmaSimulatorImpl");
        ForeseenIncast c(senders, 40000000);
        c.Skip(2 * MS, 2 * MS, false);
        const std::vector<int64_t> found = c.Finish();
        RDMA_TEST_REQUIRE(EQ, found.size(), senders, "all end");
        // Draws of frames are others after that, so that single shares are.
        NS_TEST_EXPECT_MSG_LT(std::abs(BiasOf(found, expected)), 0.01, senders << " senders");
        for (size_t i = 0; i < senders; ++i)
        {
            const double error =
                static_cast<double>(found[i] - expected[i]) / static_cast<double>(expected[i]);
            NS_TEST_EXPECT_MSG_LT(std::abs(error), 0.05, senders << " senders, flow " << i);
        }
        // 2 ms at 100 Gb/s are 23,855 frames of 1,048 bytes, over two links each.
        NS_TEST_EXPECT_MSG_EQ(c.span, 2 * MS, senders << " senders");
        NS_TEST_EXPECT_MSG_GT(hops, c.net.Counters().packetHops + 2 * 20000, senders << " senders");
        NS_TEST_EXPECT_MSG_EQ(c.net.network->GetContext().frames.GetOut(), 0, "nothing is left");
    }
}

RDMA_TEST(RdmaForesightEnd, "a flow ends without packets")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast packets(2, 20000000);
    const std::vector<int64_t> expected = packets.Finish();
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast c(2, 20000000);
    c.Skip(2 * MS, 1000 * MS, true);
    const std::vector<int64_t> found = c.Finish();
    RDMA_TEST_REQUIRE(EQ, found.size(), 2, "both end");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(c.foresight->GetStop()),
                          static_cast<int>(RdmaFluid::Stop::COMPLETED),
                          "one completes");
    const int64_t first = *std::min_element(expected.begin(), expected.end());
    NS_TEST_EXPECT_MSG_LT(std::abs(static_cast<double>(c.until - first)),
                          0.02 * static_cast<double>(first),
                          "when it does");
    NS_TEST_EXPECT_MSG_LT(std::abs(BiasOf(found, expected)), 0.01, "ends");
}

RDMA_TEST(RdmaForesightUndrawn, "up to where frames could be marked")
{
    // The second one ends after 1.1 ms; the first one's rate rises from then on, by timers alone.
    // Times are whole nanoseconds, so frames follow each other sooner than rates say.
    constexpr uint64_t LONG = 60000000;
    const std::vector<uint64_t> sizes{LONG, 5000000};
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast packets(sizes);
    const int64_t expected = packets.Finish().front();
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast c(sizes);
    c.Skip(2 * MS, 1000 * MS, true, false);
    const int64_t found = c.Finish().front();
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(c.foresight->GetStop()),
                          static_cast<int>(RdmaFluid::Stop::COMPLETED),
                          "nothing else happens");
    NS_TEST_EXPECT_MSG_LT(std::abs(static_cast<double>(found - expected)),
                          2e-3 * static_cast<double>(expected),
                          "its end");
    // While two share the link, for 10 ms, frames are marked sooner or later.
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast two(2, LONG);
    two.Skip(2 * MS, 1000 * MS, true, false);
    two.Finish();
    NS_TEST_EXPECT_MSG_LT(two.span, 2 * MS, "up to the next mark");
}

RDMA_TEST(RdmaForesightRefused, "what is not for a fluid")
{
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast c(2, 20000000);
    c.net.At(10000, [&] {
        NS_TEST_EXPECT_MSG_EQ(c.part.Foresee(MS).get(), nullptr, "the first cuts halve rates");
    });
    c.net.Run();
    UseSimulator("ns3::RdmaSimulatorImpl");
    ForeseenIncast limited(2, 20000000, 200000);
    limited.net.At(2 * MS, [&] {
        NS_TEST_EXPECT_MSG_EQ(limited.part.Foresee(MS).get(), nullptr, "windows limit them");
    });
    limited.net.Run();
    // Three flows, 81 MB at 100 Gb/s, so 6 ms: of two senders, one of which shares its NIC, and of
    // three.
    for (const uint32_t senders : {2, 3})
    {
        UseSimulator("ns3::RdmaSimulatorImpl");
        ForeseenIncast c3(senders, 27000000);
        if (senders == 2)
        {
            c3.net.Flow(0, senders, 27000000);
        }
        int foreseen = 0;
        for (int64_t ns = MS / 2; ns < 5 * MS; ns += MS / 2)
        {
            c3.net.At(ns, [&] {
                if (foreseen == 0 && c3.part.Foresee(MS))
                {
                    ++foreseen;
                    c3.part.Resume(0);
                }
            });
        }
        c3.net.Run();
        NS_TEST_EXPECT_MSG_EQ(foreseen, (senders == 2 ? 0 : 1), senders << " senders");
    }
}

RdmaTestSuite<RdmaForesightPart, RdmaForesightEnd, RdmaForesightUndrawn, RdmaForesightRefused>
    g_rdmaForesightSuite("rdma-foresight");

} // namespace
