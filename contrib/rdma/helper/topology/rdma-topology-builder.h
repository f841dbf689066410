/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TOPOLOGY_BUILDER_H
#define RDMA_TOPOLOGY_BUILDER_H

#include "rdma-topology.h"

#include "ns3/input-spec.h"

#include <string>
#include <vector>

namespace ns3
{

// What a generated topology may have at most, so that a typo costs a message and not the memory.
constexpr uint64_t RDMA_MAX_GENERATED_NODES = uint64_t(1) << 20; // hosts; also NVSwitches, switches
constexpr uint64_t RDMA_MAX_GENERATED_LINKS = uint64_t(1) << 22;

constexpr int64_t RDMA_NVLINK_DELAY_NS = 25; // of a link to an NVSwitch, as in SimAI's generator

/** \ingroup rdma What the links of one tier have in common. */
struct RdmaTier
{
    DataRate rate;
    Time delay;
    double errorRate{0}; ///< probability in [0, 1]
};

/** \ingroup rdma How many nodes of each kind and how many links a topology has. */
struct RdmaTopologySize
{
    uint64_t hosts{0};
    uint64_t nvswitches{0};
    uint64_t switches{0};
    uint64_t links{0};
};

/**
 * \ingroup rdma
 * \brief Collects the links of a generated topology.
 *
 * Nodes are numbered hosts first, then NVSwitches, then switches, each from 0 in its own kind here.
 */
class RdmaTopologyBuilder
{
  public:
    /**
     * \param spec rejects what is too large
     * \param size exact
     * \throws InputError if the size is beyond the limits above
     */
    RdmaTopologyBuilder(const InputSpec& spec, const RdmaTopologySize& size);

    /** \return the node id of a switch; \p index from 0 */
    uint64_t Switch(uint64_t index) const
    {
        return m_size.hosts + m_size.nvswitches + index;
    }

    /** \return the node id of an NVSwitch; \p index from 0 */
    uint64_t Nvswitch(uint64_t index) const
    {
        return m_size.hosts + index;
    }

    /** Adds a link between two node ids. */
    void Link(uint64_t a, uint64_t b, const RdmaTier& tier);

    /** \return the topology; call it once, when all links that the size announced are there */
    RdmaTopology Finish();

  private:
    RdmaTopologySize m_size;
    RdmaTopology m_topology;
};

/** \ingroup rdma \return the links of the hosts: keys rate, delay and error; \p defaultValue holds
 * for those not given, 100 Gb/s and 1 us unless a kind of topology has its own */
RdmaTier RdmaHostTier(InputSpec& spec,
                      const RdmaTier& defaultValue = {DataRate("100Gbps"), MicroSeconds(1)});

/**
 * \ingroup rdma
 * \param spec the keys are \p name -rate and \p name -delay
 * \param name "uplink"
 * \param defaultValue what holds for keys not given; the error rate always comes from here
 * \return the links of another tier
 */
RdmaTier RdmaNamedTier(InputSpec& spec, const std::string& name, const RdmaTier& defaultValue);

/** \ingroup rdma \return the links to NVSwitches: keys nvlink-rate and nvlink-delay, 2880 Gb/s and
 * 25 ns if not given, as in SimAI's generator */
RdmaTier RdmaNvlinkTier(InputSpec& spec, double errorRate);

/** \ingroup rdma \return a whole number from \p min to the most nodes that can be generated */
uint64_t RdmaCountKey(InputSpec& spec,
                      const std::string& key,
                      uint64_t defaultValue,
                      uint64_t min = 1);

/** \ingroup rdma One key of a kind, for the help. */
struct RdmaTopologyKey
{
    std::string name;
    std::string defaultValue; ///< what holds if it is not given
    std::string meaning;
};

/** \ingroup rdma One kind of topology that can be generated. */
struct RdmaTopologyKind
{
    std::string name;
    std::string summary;
    std::vector<RdmaTopologyKey> keys;
    std::string example;
    RdmaTopology (*make)(InputSpec& spec); ///< asks for all keys and calls InputSpec::Finish
};

/** \ingroup rdma \return rate, delay and error, as in RdmaHostTier, then \p more */
std::vector<RdmaTopologyKey> RdmaHostTierKeys(std::vector<RdmaTopologyKey> more);

/** \ingroup rdma \return star, dumbbell, line and ring */
std::vector<RdmaTopologyKind> RdmaBasicTopologies();

/** \ingroup rdma \return leaf-spine */
RdmaTopologyKind RdmaLeafSpineTopology();

/** \ingroup rdma \return fat-tree */
RdmaTopologyKind RdmaFatTreeTopology();

/** \ingroup rdma \return torus and full-mesh */
std::vector<RdmaTopologyKind> RdmaGridTopologies();

/** \ingroup rdma \return dragonfly */
RdmaTopologyKind RdmaDragonflyTopology();

/** \ingroup rdma \return rail-optimized, and nvl72, which has other defaults */
std::vector<RdmaTopologyKind> RdmaRailOptimizedTopologies();

/** \ingroup rdma \return spectrum-x, alibaba-hpn, dcn+ and simai, as SimAI makes them */
std::vector<RdmaTopologyKind> RdmaSimaiTopologies();

} // namespace ns3

#endif // RDMA_TOPOLOGY_BUILDER_H
