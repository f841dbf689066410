/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_TRANSFERS_H
#define HARNESS_TRANSFERS_H

#include "ns3/rdma-topology.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace harness
{

/** Draws numbers: splitmix64, the same everywhere. */
class Draw
{
  public:
    explicit Draw(uint64_t seed)
        : m_state(seed)
    {
    }

    /** \return from 0 to \p n - 1 */
    uint64_t Below(uint64_t n)
    {
        uint64_t z = m_state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return (z ^ z >> 31) % n;
    }

  private:
    uint64_t m_state;
};

/** Notes what a transport says; times in ps, by id. */
struct TransferLog : public ns3::WorkloadTransport::Client
{
    explicit TransferLog(ns3::WorkloadTransport& t)
        : transport(t)
    {
        transport.SetClient(*this);
    }

    void Delivered(uint64_t id) override
    {
        delivered[id] = transport.Now();
        order.push_back(id);
        if (onDelivered)
        {
            onDelivered(id);
        }
    }

    void Acknowledged(uint64_t id) override
    {
        acknowledged[id] = transport.Now();
        if (onAcknowledged)
        {
            onAcknowledged(id);
        }
    }

    void Due(uint64_t timer) override
    {
        timers.push_back(timer);
        if (onTimer)
        {
            onTimer(timer);
        }
    }

    void Failed(uint64_t id, const std::string& reason) override
    {
        failed[id] = reason;
    }

    ns3::WorkloadTransport& transport;
    std::map<uint64_t, int64_t> delivered;
    std::map<uint64_t, int64_t> acknowledged;
    std::map<uint64_t, std::string> failed;
    std::vector<uint64_t> order; ///< ids in the order of delivery
    std::vector<uint64_t> timers;
    std::function<void(uint64_t)> onDelivered;
    std::function<void(uint64_t)> onAcknowledged;
    std::function<void(uint64_t)> onTimer;
};

/** \return hosts 0 to n - 1 at switch n, links of a rate (bit/s) and delay (ns) */
inline ns3::RdmaTopology
Star(uint32_t n, uint64_t rate, uint64_t delayNs)
{
    ns3::RdmaTopology topology;
    topology.nodes.assign(n, ns3::RdmaNodeKind::HOST);
    topology.nodes.push_back(ns3::RdmaNodeKind::SWITCH);
    for (uint32_t host = 0; host < n; ++host)
    {
        topology.links.push_back({host, n, ns3::DataRate(rate), ns3::NanoSeconds(delayNs)});
    }
    topology.origin = "star";
    return topology;
}

/** \return servers of GPUs at an NVSwitch each, GPU g of every server at rail switch g */
inline ns3::RdmaTopology
Servers(uint32_t servers, uint32_t gpus, uint64_t nvRate, uint64_t rate)
{
    ns3::RdmaTopology topology;
    const uint32_t hosts = servers * gpus;
    topology.nodes.assign(hosts, ns3::RdmaNodeKind::HOST);
    topology.nodes.insert(topology.nodes.end(), servers, ns3::RdmaNodeKind::NVSWITCH);
    topology.nodes.insert(topology.nodes.end(), gpus, ns3::RdmaNodeKind::SWITCH);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        topology.links.push_back(
            {host, hosts + host / gpus, ns3::DataRate(nvRate), ns3::NanoSeconds(25)});
        topology.links.push_back(
            {host, hosts + servers + host % gpus, ns3::DataRate(rate), ns3::NanoSeconds(500)});
    }
    topology.gpusPerServer = gpus;
    topology.origin = "servers";
    return topology;
}

} // namespace harness

#endif // HARNESS_TRANSFERS_H
