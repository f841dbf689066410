/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/double.h"
#include "ns3/rdma-pint.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <vector>

using namespace ns3;

/*
 * HPCC-PINT (SIGCOMM 2020, section 4.3 and appendix B). Code p stands for base^p / 512, so with
 * base 2 code 9 is a utilisation of 1, 8 of 0.5 and 10 of 2. A step of HPCC with eta = 0.95 and
 * W_AI = 40 Mb/s: R = R_c / (U / 0.95) + 40 Mb/s, at least 1 and at most 100 Gb/s.
 */

namespace
{

constexpr double BASE = 2;

RDMA_TEST(RdmaPintCodes, "codes of utilisations, and back")
{
    const RdmaPint pint(BASE, 1000);
    for (const double draw : {0.0, 0.999})
    {
        NS_TEST_EXPECT_MSG_EQ(pint.Encode(0, draw), 0, "nothing is the least there is");
        NS_TEST_EXPECT_MSG_EQ(pint.Encode(8.0 / 512, draw), 3, "2^3, without chance");
        NS_TEST_EXPECT_MSG_EQ(pint.Encode(7.1 / 512, draw), 3, "rounded up to 8");
        NS_TEST_EXPECT_MSG_EQ(pint.Encode(1e9, draw), 19, "the largest");
    }
    // 5 is a quarter of the way from 4 to 8
    NS_TEST_EXPECT_MSG_EQ(pint.Encode(5.0 / 512, 0.249), 3, "8");
    NS_TEST_EXPECT_MSG_EQ(pint.Encode(5.0 / 512, 0.251), 2, "4");
    NS_TEST_EXPECT_MSG_EQ(pint.Decode(9), 1, "512 / 512");
    NS_TEST_EXPECT_MSG_EQ(pint.Decode(1000), 1024, "2^19 / 512, the largest");

    // log(512^2) / log(1.05) = 255.7 and, for 1.01, 1253.9
    NS_TEST_EXPECT_MSG_EQ(RdmaPint::GetWireBytes(1.05), 1, "256 codes");
    NS_TEST_EXPECT_MSG_EQ(RdmaPint::GetWireBytes(1.01), 2, "more of them");
}

RDMA_TEST(RdmaPintUnbiased, "codes are right on average, and within the error of the base")
{
    const RdmaPint pint(1.05, 1000);
    for (const double use : {0.125, 0.95, 1.5, 40.0}) // whole numbers of 512ths, but for 0.95
    {
        double sum = 0;
        constexpr int DRAWS = 10000;
        for (int i = 0; i < DRAWS; ++i)
        {
            const double read = pint.Decode(pint.Encode(use, (i + 0.5) / DRAWS));
            NS_TEST_EXPECT_MSG_EQ_TOL(read, use, 0.05 * use + 1.0 / 512, use);
            sum += read;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, std::ceil(use * 512) / 512, 1e-5 * use, use);
    }
}

RDMA_TEST(RdmaPintAverage, "what a switch averages, by hand")
{
    // T = 1000 ns, and 8 Gb/s are 1 B/ns
    const RdmaPint pint(BASE, 1000);
    RdmaPintLink link;
    NS_TEST_EXPECT_MSG_EQ(pint.Average(link, 500, 0, 0, 8000000000), 0, "the first frame");
    // 100 B in 100 ns are a tenth of T, and a queue of 50 B for a tenth of T 50 / 1000 * 0.1
    NS_TEST_EXPECT_MSG_EQ_TOL(pint.Average(link, 600, 100, 50, 8000000000),
                              0.105,
                              1e-12,
                              "a tenth of T");
    // half of T: half of the above is left, and 200 B were sent
    NS_TEST_EXPECT_MSG_EQ_TOL(pint.Average(link, 1100, 300, 0, 8000000000),
                              0.2525,
                              1e-12,
                              "half of T");
    // 64 B, at the same time: nothing is forgotten
    NS_TEST_EXPECT_MSG_EQ_TOL(pint.Average(link, 1100, 364, 0, 8000000000),
                              0.3165,
                              1e-12,
                              "at once");
    // 2 T: all is forgotten, 1000 B in 2000 ns are 500 B in T, and a queue of 10 B waited for T
    NS_TEST_EXPECT_MSG_EQ_TOL(pint.Average(link, 3100, 1364, 10, 8000000000),
                              0.51,
                              1e-12,
                              "longer than T");
    NS_TEST_EXPECT_MSG_EQ_TOL(pint.Average(link, 3200, 1364, 10, 16000000000),
                              0.9 * 0.51 + 0.0005,
                              1e-12,
                              "10 B are half as long at twice the rate");
}

/** A flow under HPCC-PINT. */
struct HpccPint : public RdmaTestControl
{
    explicit HpccPint(double probability = 1, uint32_t maxStage = 0)
        : RdmaTestControl("ns3::RdmaHpccPint", [=](RdmaHelper& helper) {
              helper.SetNetworkAttribute("PintLogBase", DoubleValue(BASE));
              helper.SetCongestionControlAttribute("Probability", DoubleValue(probability));
              helper.SetCongestionControlAttribute("MaxStage", UintegerValue(maxStage));
          })
    {
    }

    /** An acknowledgement of \p seq brings \p code when \p next is the next byte to send. */
    void AckCode(uint64_t seq, uint64_t next, uint16_t code)
    {
        RdmaIntHeader header{};
        header.hopCount = RdmaIntHeader::NO_RECORDS;
        header.code = code;
        RdmaAck ack{};
        ack.telemetry = &header;
        Ack(seq, next, ack);
    }
};

RDMA_TEST(RdmaHpccPintSteps, "rates by hand")
{
    HpccPint flow;
    flow.AckCode(1000, 50000, 10);
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 100e9, "the first one begins the round");
    flow.AckCode(2000, 51000, 10);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 47.54e9, 1, "100 * 0.95 / 2 + 0.04");
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(), 23770, "50000 * 0.4754");
    flow.AckCode(3000, 52000, 9);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 95.04e9, 1, "in the round, from 100 Gb/s again");
    flow.AckCode(51000, 60000, 11);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 23.79e9, 1, "100 * 0.95 / 4 + 0.04, the new reference");
    flow.AckCode(52000, 61000, 8);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 45.241e9, 1, "23.79 * 1.9 + 0.04");
    flow.AckCode(53000, 62000, 0);
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 100e9, "no more than the NIC's");
    flow.AckCode(54000, 63000, 19);
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 1e9, "no less than MinRate");
}

RDMA_TEST(RdmaHpccPintStages, "additive increases below the target")
{
    HpccPint flow(1, 1);
    flow.AckCode(1000, 50000, 10);
    flow.AckCode(51000, 60000, 10);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 47.54e9, 1, "beyond the target at once");
    flow.AckCode(61000, 70000, 8);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 47.58e9, 1, "below it, 40 Mb/s first");
    flow.AckCode(71000, 80000, 8);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), 90.442e9, 2, "47.58 * 1.9 + 0.04");
}

RDMA_TEST(RdmaHpccPintProbability, "only a share of acknowledgements is taken")
{
    for (const double probability : {0.0, 0.25, 1.0})
    {
        UseSimulator("ns3::DefaultSimulatorImpl");
        HpccPint flow(probability);
        constexpr uint32_t ACKS = 4000;
        uint32_t taken = 0;
        for (uint32_t i = 0; i < ACKS; ++i)
        {
            const double before = flow.Rate();
            flow.AckCode(1000, 50000, i % 2 ? 10 : 11);
            taken += flow.Rate() != before;
        }
        // One that is taken changes the rate if the last one taken was of the other code: odd steps
        // of a geometric series, 1 / (2 - p). Five standard deviations are 5 * sqrt(n * s * (1-s)).
        const double share = probability / (2 - probability);
        NS_TEST_EXPECT_MSG_EQ_TOL(taken,
                                  share * ACKS,
                                  5 * std::sqrt(ACKS * share * (1 - share)) + 2,
                                  probability);
    }
}

/** Codes that frames of one flow have when they leave the switch of a star. */
std::vector<uint16_t>
CodesBehindSwitch(double base, uint32_t frames)
{
    RdmaTestNetwork net(RdmaTestStar(2), [base](RdmaHelper& helper) {
        helper.SetNetworkAttribute("PintLogBase", DoubleValue(base));
        helper.SetNetworkAttribute("Timing", StringValue("exact"));
        helper.SetCongestionControl("ns3::RdmaHpccPint");
    });
    std::vector<uint16_t> codes;
    RdmaTestListen(net.Port(2, 1).dequeueTrace, [&](const RdmaFrame& frame, uint32_t) {
        codes.push_back(frame.intHeader.code);
    });
    net.Flow(0, 1, 1000 * frames);
    net.Run();
    return codes;
}

RDMA_TEST(RdmaHpccPintSwitch, "codes that a switch writes, by hand")
{
    // Frames of 1048 B and a code of 2 B come every 84 ns (1050 * 0.08) and leave at once. T is the
    // largest round trip: 4 links of 1000 ns, and 1000 B sent twice (80 ns each): 4160 ns.
    const std::vector<uint16_t> codes = CodesBehindSwitch(1.0002, 100);
    RDMA_TEST_REQUIRE(EQ, codes.size(), 100, "all frames");
    const RdmaPint pint(1.0002, 4160);
    double use = 0;
    for (const uint16_t code : codes)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(pint.Decode(code),
                                  std::max(std::ceil(use * 512), 1.0) / 512,
                                  0.0002 * use,
                                  "U * 512, rounded up");
        use = use * (1 - 84.0 / 4160) + 84.0 / 4160;
    }
    NS_TEST_EXPECT_MSG_GT(use, 0.85, "1 - (1 - 84 / 4160)^100");
}

RdmaTestSuite<RdmaPintCodes,
              RdmaPintUnbiased,
              RdmaPintAverage,
              RdmaHpccPintSteps,
              RdmaHpccPintStages,
              RdmaHpccPintProbability,
              RdmaHpccPintSwitch>
    g_rdmaHpccPintSuite("rdma-hpcc-pint");

} // namespace
