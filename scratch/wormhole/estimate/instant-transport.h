/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_INSTANT_TRANSPORT_H
#define WORMHOLE_CLI_INSTANT_TRANSPORT_H

#include "ns3/workload-endpoints.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace wormhole
{

/** A network that takes no time: what a workload sends on it can be counted before it is
 * simulated. Only computation takes its time. */
class InstantTransport final : public ns3::WorkloadTransport
{
  public:
    /**
     * \param ends end points
     * \param started told of every transfer
     */
    InstantTransport(const ns3::WorkloadEndpoints& ends,
                     std::function<void(const ns3::WorkloadTransfer&)> started)
        : WorkloadTransport(ends.hosts, ends.nodes.size()),
          m_started(std::move(started))
    {
    }

    void Start(const ns3::WorkloadTransfer& transfer, uint64_t id) override
    {
        m_started(transfer);
        m_moved.push_back(id);
    }

    void Schedule(int64_t delayPs, uint64_t timer) override
    {
        m_timers.emplace(std::make_pair(m_now + delayPs, m_scheduled++), timer);
    }

    int64_t Now() const override
    {
        return m_now;
    }

    void Run() override;

    void Stop() override
    {
        m_stopped = true;
    }

    uint64_t GetEventCount() const override
    {
        return m_scheduled;
    }

    std::string Explain(uint64_t) const override
    {
        return "";
    }

  private:
    std::function<void(const ns3::WorkloadTransfer&)> m_started;
    std::deque<uint64_t> m_moved; //!< transfers that are there, and are to be told of
    std::map<std::pair<int64_t, uint64_t>, uint64_t> m_timers; //!< by time, ps, and number
    uint64_t m_scheduled{0};
    int64_t m_now{0}; //!< ps
    bool m_stopped{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_INSTANT_TRANSPORT_H
