/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_CONTROL_H
#define RDMA_TEST_CONTROL_H

#include "rdma-test-network.h"

#include "ns3/rdma-congestion-control.h"

#include <string>
#include <vector>

namespace ns3
{

/** Telemetry of a switch, as it is on the wire: see RdmaIntHeader::Hop. */
struct RdmaTestHop
{
    uint64_t time;
    uint64_t tx;
    uint64_t qlen;
};

/**
 * A flow at 100 Gb/s with a base round-trip time of 4000 ns and a window of 50000 B (their
 * product), and its control, which is fed with acknowledgements that no network brought.
 */
class RdmaTestControl
{
  public:
    static constexpr int64_t RTT = 4000;
    static constexpr uint64_t WINDOW = 50000;
    static constexpr uint64_t LINE = 100000000000;

    /** \param typeId of the control \param setup sets its attributes */
    explicit RdmaTestControl(const std::string& typeId, const RdmaTestNetwork::Setup& setup = {})
        : net(RdmaTestPair(),
              [&](RdmaHelper& helper) {
                  helper.SetCongestionControl(typeId);
                  if (setup)
                  {
                      setup(helper);
                  }
              }),
          qp(Start())
    {
    }

    /** Gives an acknowledgement of \p seq to the control when \p sndNxt is the next byte to send.
     */
    void Ack(uint64_t seq, uint64_t sndNxt, RdmaAck ack = {})
    {
        RdmaQueuePairProbe::Set(qp, sndNxt, seq);
        ack.seq = seq;
        qp.GetCongestionControl()->OnAck(qp, ack);
    }

    /** The same with telemetry of \p hops, all of them at the only rate of this network: 100 Gb/s.
     */
    void Ack(uint64_t seq, uint64_t sndNxt, const std::vector<RdmaTestHop>& hops)
    {
        RdmaIntHeader header{};
        for (const RdmaTestHop& hop : hops)
        {
            RdmaIntHeader::Hop& record = header.hops[header.hopCount];
            record.time = hop.time;
            record.tx = hop.tx;
            record.qlen = hop.qlen;
            header.rateIndex[header.hopCount++] = 0;
        }
        RdmaAck ack{};
        ack.telemetry = &header;
        Ack(seq, sndNxt, ack);
    }

    double Rate() const
    {
        return static_cast<double>(qp.GetRate());
    }

    RdmaTestNetwork net;
    RdmaQueuePair& qp;

  private:
    RdmaQueuePair& Start()
    {
        RdmaFlow flow;
        flow.dst = 1;
        flow.bytes = 1000000000;
        flow.window = WINDOW;
        flow.baseRttNs = RTT;
        return net.network->StartFlow(flow);
    }
};

} // namespace ns3

#endif // RDMA_TEST_CONTROL_H
