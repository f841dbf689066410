/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_CONTROL_H
#define RDMA_TEST_CONTROL_H

#include "rdma-test-network.h"

#include "ns3/rdma-congestion-control.h"

#include <string>

namespace ns3
{

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
