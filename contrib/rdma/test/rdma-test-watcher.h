/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_WATCHER_H
#define RDMA_TEST_WATCHER_H

#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-packet-state.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

/** Lets acknowledgements of all flows go by pipes where ports are paused, of which there are none,
 * and notes what it is told of pauses. It need not be told of what it knows. */
class RdmaTestWatcher final : public RdmaFlowObserver
{
  public:
    using Tell = std::function<void(const std::string&)>;

    RdmaTestWatcher(RdmaNetwork& network, bool watches, Tell tell)
        : m_network(network),
          m_state(network),
          m_watches(watches),
          m_tell(std::move(tell))
    {
        if (watches)
        {
            network.SetFlowObserver(this);
        }
    }

    ~RdmaTestWatcher() override
    {
        if (m_watches)
        {
            m_network.SetFlowObserver(nullptr);
        }
    }

    RdmaTestWatcher(const RdmaTestWatcher&) = delete;
    RdmaTestWatcher& operator=(const RdmaTestWatcher&) = delete;

  private:
    RdmaReactions GetReactions() const override
    {
        return RdmaReactions::NONE;
    }

    bool KnowsPause(const RdmaPort& port, int64_t now) const override
    {
        const auto last = m_last.find(&port);
        // the context of the thread that asks: the network's is that of one
        const int64_t memory = MEMORY_NS * port.GetContext().clock.StepsPerNs();
        return last != m_last.end() && now - last->second <= memory;
    }

    bool FlowStarting(RdmaQueuePair& qp) override
    {
        m_state.Pipe(qp);
        return false;
    }

    void PauseSeen(RdmaPort& port) override
    {
        m_last[&port] = m_network.GetContext().eventQueue->Now();
        m_tell("seen at port " + std::to_string(port.GetPortId()));
    }

    void FlowDelivered(RdmaQueuePair&) override
    {
    }

    void FlowOver(RdmaQueuePair&) override
    {
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

    void BufferTight(RdmaPort&) override
    {
    }

    static constexpr int64_t MEMORY_NS = 700; //!< less than most windows, and more

    RdmaNetwork& m_network;
    RdmaPacketState m_state;
    bool m_watches;
    Tell m_tell;
    std::map<const RdmaPort*, int64_t> m_last; //!< when a pause was seen there
};

} // namespace ns3

#endif // RDMA_TEST_WATCHER_H
