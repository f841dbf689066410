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
          qp(Start()),
          twin(Start())
    {
    }

    /** Gives an acknowledgement of \p seq to the control when \p sndNxt is the next byte to send.
     */
    void Ack(uint64_t seq, uint64_t sndNxt, RdmaAck ack = {})
    {
        Give(qp, seq, sndNxt, ack);
        if (m_both)
        {
            RdmaAck later = ack;
            later.nowNs += m_shift;
            RdmaIntHeader header;
            if (ack.telemetry)
            {
                header = *ack.telemetry;
                for (uint32_t i = 0; i < header.hopCount; ++i)
                {
                    header.hops[i].time = header.hops[i].time + static_cast<uint64_t>(m_shift);
                }
                later.telemetry = &header;
            }
            Give(twin, seq, sndNxt, later);
        }
    }

    /**
     * Saves the control's state at \p nowNs and loads it into another flow's \p shift ns later;
     * from now on both get the same acknowledgements, the other one later by that.
     * \return whether both were possible
     */
    bool Copy(int64_t nowNs, int64_t shift)
    {
        std::vector<uint8_t> state;
        m_both = true;
        m_shift = shift;
        twin.SetWindow(qp.GetWindow());
        twin.SetRate(qp.GetRate());
        return qp.GetCongestionControl()->SaveState(state, nowNs) &&
               twin.GetCongestionControl()->LoadState(state, nowNs + shift) &&
               !twin.GetCongestionControl()->LoadState({}, nowNs); // a state that does not fit
    }

    /** \return whether the other flow goes on as this one does */
    bool IsSame() const
    {
        return qp.GetRate() == twin.GetRate() && qp.GetWindow() == twin.GetWindow() &&
               qp.GetEffectiveWindow() == twin.GetEffectiveWindow();
    }

    RdmaTestNetwork net;
    RdmaQueuePair& qp;
    RdmaQueuePair& twin;

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

    static void Give(RdmaQueuePair& qp, uint64_t seq, uint64_t sndNxt, RdmaAck ack)
    {
        RdmaQueuePairProbe::Set(qp, sndNxt, seq);
        ack.seq = seq;
        qp.GetCongestionControl()->OnAck(qp, ack);
    }

    bool m_both{false};
    int64_t m_shift{0};
};

} // namespace ns3

#endif // RDMA_TEST_CONTROL_H
