/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

#include <cassert>
#include <utility>

namespace ns3
{

namespace
{

void
CheckLimit(const InputSpec& spec, uint64_t count, const std::string& what, uint64_t max)
{
    if (count > max)
    {
        spec.Fail("would have " + std::to_string(count) + " " + what + ", but at most " +
                  std::to_string(max) + " are possible; choose smaller numbers");
    }
}

} // namespace

RdmaTopologyBuilder::RdmaTopologyBuilder(const InputSpec& spec, const RdmaTopologySize& size)
    : m_size(size)
{
    CheckLimit(spec, size.hosts, "hosts", RDMA_MAX_GENERATED_NODES);
    CheckLimit(spec, size.nvswitches, "NVSwitches", RDMA_MAX_GENERATED_NODES);
    CheckLimit(spec, size.switches, "switches", RDMA_MAX_GENERATED_NODES);
    CheckLimit(spec, size.links, "links", RDMA_MAX_GENERATED_LINKS);
    m_topology.origin = spec.Text();
    m_topology.nodes.reserve(Switch(size.switches));
    m_topology.nodes.insert(m_topology.nodes.end(), size.hosts, RdmaNodeKind::HOST);
    m_topology.nodes.insert(m_topology.nodes.end(), size.nvswitches, RdmaNodeKind::NVSWITCH);
    m_topology.nodes.insert(m_topology.nodes.end(), size.switches, RdmaNodeKind::SWITCH);
    m_topology.links.reserve(size.links);
}

void
RdmaTopologyBuilder::Link(uint64_t a, uint64_t b, const RdmaTier& tier)
{
    assert(a < m_topology.nodes.size() && b < m_topology.nodes.size() && a != b);
    m_topology.links.push_back({uint32_t(a), uint32_t(b), tier.rate, tier.delay, tier.errorRate});
}

RdmaTopology
RdmaTopologyBuilder::Finish()
{
    assert(m_topology.links.size() == m_size.links);
    return std::move(m_topology);
}

RdmaTier
RdmaHostTier(InputSpec& spec, const RdmaTier& defaultValue)
{
    RdmaTier tier;
    tier.rate = DataRate(spec.Rate("rate", defaultValue.rate.GetBitRate()));
    tier.delay = spec.Duration("delay", defaultValue.delay, Seconds(RDMA_MAX_DELAY_S));
    tier.errorRate = spec.Number("error", defaultValue.errorRate, 0, 1);
    return tier;
}

RdmaTier
RdmaNamedTier(InputSpec& spec, const std::string& name, const RdmaTier& defaultValue)
{
    RdmaTier tier = defaultValue;
    tier.rate = DataRate(spec.Rate(name + "-rate", defaultValue.rate.GetBitRate()));
    tier.delay = spec.Duration(name + "-delay", defaultValue.delay, Seconds(RDMA_MAX_DELAY_S));
    return tier;
}

RdmaTier
RdmaNvlinkTier(InputSpec& spec, double errorRate)
{
    return RdmaNamedTier(spec,
                         "nvlink",
                         {DataRate("2880Gbps"), NanoSeconds(RDMA_NVLINK_DELAY_NS), errorRate});
}

uint64_t
RdmaCountKey(InputSpec& spec, const std::string& key, uint64_t defaultValue, uint64_t min)
{
    return spec.Integer(key, defaultValue, min, RDMA_MAX_GENERATED_NODES);
}

std::vector<RdmaTopologyKey>
RdmaHostTierKeys(std::vector<RdmaTopologyKey> more)
{
    std::vector<RdmaTopologyKey> keys{
        {"rate", "100Gbps", "rate of the hosts' links, each direction"},
        {"delay", "1us", "one-way propagation delay of the hosts' links"},
        {"error", "0", "probability that a link loses a frame, each direction"},
    };
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

} // namespace ns3
