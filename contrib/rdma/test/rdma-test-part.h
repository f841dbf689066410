/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_PART_H
#define RDMA_TEST_PART_H

#include "rdma-test-network.h"

#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-foresight.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/rdma-port.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What becomes of all flows of a network, and what can be done to them. */
class RdmaTestPart : public RdmaFlowObserver
{
  public:
    /** \param piped whether acknowledgements go by pipes where ports are paused, and only the ports
     * of data belong to the part */
    explicit RdmaTestPart(RdmaNetwork& network, bool piped = false)
        : m_network(network),
          m_state(network),
          m_piped(piped)
    {
        network.SetFlowObserver(this);
    }

    ~RdmaTestPart() override
    {
        m_network.SetFlowObserver(nullptr);
    }

    RdmaTestPart(const RdmaTestPart&) = delete;
    RdmaTestPart& operator=(const RdmaTestPart&) = delete;

    /** \return whether flows are under way and none has just begun, or waits for its last
     * acknowledgement, which is not simulated exactly */
    bool IsInTheMiddle() const
    {
        return !m_flows.empty() && m_delivered == 0 &&
               std::all_of(m_flows.begin(), m_flows.end(), [](const RdmaQueuePair* qp) {
                   return RdmaQueuePairProbe::IsScheduled(*qp);
               });
    }

    void Pause()
    {
        m_state.Pause(m_flows, GetPorts());
    }

    void Resume(int64_t shift)
    {
        m_state.Resume(m_flows, GetPorts(), shift);
    }

    /** Pauses all flows, and counts what passes besides from now on. */
    void Stop()
    {
        Pause();
        for (RdmaPort* port : GetPorts())
        {
            port->StartMeanPassing();
        }
    }

    /** All that has been stopped since \p fromNs happens after all, until now, \p untilNs. */
    void CatchUp(int64_t fromNs, int64_t untilNs)
    {
        const RdmaPacketState::Flows flows = m_flows; // some may end
        const int64_t steps = m_network.GetContext().clock.StepsPerNs();
        m_state.CatchUp(flows, GetPorts(), fromNs * steps, untilNs * steps, 0);
    }

    /** Takes all away and puts it back; only while paused. \return false if it cannot be saved */
    bool Renew()
    {
        std::vector<std::pair<RdmaQueuePair*, std::string>> flows;
        std::vector<std::pair<RdmaPort*, std::string>> ports;
        for (RdmaQueuePair* qp : m_flows)
        {
            const auto text = m_state.Save(*qp);
            if (!text)
            {
                return false;
            }
            flows.emplace_back(qp, *text);
        }
        for (RdmaPort* port : GetPorts())
        {
            const auto text = m_state.Save(*port);
            if (!text)
            {
                return false;
            }
            ports.emplace_back(port, *text);
        }
        m_state.Evict(m_flows, GetPorts());
        std::vector<std::pair<RdmaQueuePair*, const std::string*>> flowTexts;
        for (const auto& [qp, text] : flows)
        {
            flowTexts.emplace_back(qp, &text);
        }
        std::vector<std::pair<RdmaPort*, const std::string*>> portTexts;
        for (const auto& [port, text] : ports)
        {
            portTexts.emplace_back(port, &text);
        }
        m_state.Restore(flowTexts, portTexts, m_network.GetContext().eventQueue->Now());
        return true;
    }

    /** \return what is saved of \p qp */
    std::optional<std::string> Save(const RdmaQueuePair& qp) const
    {
        return m_state.Save(qp);
    }

    void Credit(RdmaQueuePair& qp, uint64_t bytes)
    {
        m_state.Credit(qp, bytes);
    }

    /** From now on, acknowledgements of all flows go by pipes, for the ports that they cross, and
     * data do not, belong to others that are paused. */
    void Pipe()
    {
        for (RdmaQueuePair* qp : m_flows)
        {
            m_state.Pipe(*qp);
        }
        m_piped = false;
        std::vector<RdmaPort*> all = GetPorts();
        m_piped = true;
        const std::vector<RdmaPort*> own = GetPorts();
        std::copy_if(all.begin(), all.end(), std::back_inserter(m_others), [&own](RdmaPort* port) {
            return std::find(own.begin(), own.end(), port) == own.end();
        });
        m_state.Pause({}, m_others);
    }

    /** From now on, acknowledgements of all flows go in frames. */
    void Unpipe()
    {
        for (RdmaQueuePair* qp : m_flows)
        {
            RdmaPacketState::Unpipe(*qp);
        }
        m_state.Release(std::exchange(m_others, {}));
    }

    /** Assumes that all flows send at \p rate (bit/s, with headers); only while paused. */
    void AssumeRate(double rate)
    {
        for (RdmaQueuePair* qp : m_flows)
        {
            m_state.AssumeRate(*qp, rate);
        }
    }

    /** Pauses all flows, if it is known what they come to without packets. \param ns for so long
     * at most \param draws as RdmaPacketState::Foresee \return what; null if it is not */
    std::unique_ptr<RdmaForesight> Foresee(int64_t ns, bool draws = true)
    {
        const int64_t steps = m_network.GetContext().clock.StepsPerNs();
        const auto unloaded = [](const RdmaPort&) { return 0.0; };
        auto foresight = m_state.Foresee(m_flows, GetPorts(), unloaded, ns * steps, draws);
        if (foresight)
        {
            Pause();
        }
        return foresight;
    }

    /** All flows have come to that in \p ns, and go on; if \p ends, without those that are
     * complete. */
    void Realise(RdmaForesight& foresight, int64_t ns, bool ends)
    {
        const std::vector<RdmaPort*> ports = GetPorts();
        m_state.Realise(foresight,
                        m_flows,
                        ports,
                        ns * m_network.GetContext().clock.StepsPerNs(),
                        ends);
        for (RdmaQueuePair* qp : RdmaPacketState::Flows(m_flows))
        {
            if (RdmaPacketState::GetDelivered(*qp) == RdmaPacketState::GetSize(*qp))
            {
                m_flows.erase(std::find(m_flows.begin(), m_flows.end(), qp));
                m_state.Complete(*qp, {});
                ++m_delivered;
            }
        }
        m_state.Resume(m_flows, ports, 0);
    }

    /** All flows deliver the rest of their bytes now; only while paused. */
    void Complete()
    {
        const std::vector<RdmaPort*> ports = GetPorts();
        for (RdmaQueuePair* qp : m_flows)
        {
            m_state.Credit(*qp, RdmaPacketState::GetSize(*qp) - RdmaPacketState::GetDelivered(*qp));
        }
        m_state.Evict(m_flows, ports);
        for (RdmaQueuePair* qp : std::exchange(m_flows, {}))
        {
            m_state.Complete(*qp, RdmaPacketState::SaveEnd(*qp));
            ++m_delivered;
        }
        m_state.Release(ports);
    }

    /** \return ports at which a pause, or what follows from one, was seen */
    const std::set<const RdmaPort*>& GetPausesSeen() const
    {
        return m_pausesSeen;
    }

    // RdmaFlowObserver
    bool FlowStarting(RdmaQueuePair& qp) override
    {
        m_flows.push_back(&qp);
        if (m_piped)
        {
            m_state.Pipe(qp);
        }
        return true;
    }

    void FlowDelivered(RdmaQueuePair& qp) override
    {
        m_flows.erase(std::find(m_flows.begin(), m_flows.end(), &qp));
        m_state.Delivered(qp);
        ++m_delivered;
    }

    void FlowOver(RdmaQueuePair& qp) override
    {
        m_state.Forget(qp);
        --m_delivered;
    }

    void LinkChanging(RdmaPort&, RdmaPort&) override
    {
    }

    void FlowRerouted(RdmaQueuePair&) override
    {
    }

    void PortTouched(RdmaPort&) override
    {
    }

    void PauseSeen(RdmaPort& port) override
    {
        m_pausesSeen.insert(&port);
    }

    void BufferTight(RdmaPort&) override
    {
    }

  private:
    std::vector<RdmaPort*> GetPorts() const
    {
        std::vector<RdmaPort*> ports;
        for (const RdmaQueuePair* qp : m_flows)
        {
            ports.insert(ports.end(), qp->GetDataRoute().begin(), qp->GetDataRoute().end());
            if (!m_piped)
            {
                ports.insert(ports.end(), qp->GetAckRoute().begin(), qp->GetAckRoute().end());
            }
        }
        std::sort(ports.begin(), ports.end(), [](const RdmaPort* a, const RdmaPort* b) {
            return a->GetPortId() < b->GetPortId();
        });
        ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
        return ports;
    }

    RdmaNetwork& m_network;
    RdmaPacketState m_state;
    bool m_piped;
    std::set<const RdmaPort*> m_pausesSeen;
    std::vector<RdmaQueuePair*> m_flows;
    std::vector<RdmaPort*> m_others; //!< of parts that are paused
    int m_delivered{0};
};

} // namespace ns3

#endif // RDMA_TEST_PART_H
