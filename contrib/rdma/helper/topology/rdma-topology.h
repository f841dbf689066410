/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TOPOLOGY_H
#define RDMA_TOPOLOGY_H

#include "ns3/data-rate.h"
#include "ns3/input-units.h"
#include "ns3/nstime.h"
#include "ns3/rdma-timing.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma What a node of a topology is. */
enum class RdmaNodeKind : uint8_t
{
    HOST,    ///< sends and receives; never transit (a GPU in SimAI's files)
    SWITCH,  ///< ECMP, shared buffer, ECN, PFC
    NVSWITCH ///< SimAI: switch inside a server; PFC but no ECN
};

/** \ingroup rdma \brief What SimAI's header has in the place of a type of GPU that is not said. */
constexpr const char* RDMA_NO_GPU_TYPE = "NONE";

constexpr int RDMA_MAX_DELAY_S = 1000; // of a link, seconds

/** \ingroup rdma One full-duplex point-to-point link. */
struct RdmaLinkSpec
{
    uint32_t a{0};       ///< node
    uint32_t b{0};       ///< node
    DataRate rate;       ///< each direction
    Time delay;          ///< one-way propagation delay
    double errorRate{0}; ///< probability in [0, 1] that a frame is lost, per direction
    /** The file's: RdmaTiming::HPCC_NS cuts 0.0003ms to 299 ns. */
    Time::Unit delayUnit{Time::NS};

    /** \return the delay in time steps, as the rule of the clock has it */
    int64_t DelaySteps(const RdmaClock& clock) const;
};

/** \ingroup rdma \return the types of GPU that SimAI knows: "H100" and others */
const std::vector<std::string>& RdmaGpuTypes();

/**
 * \ingroup rdma
 * \brief A topology as plain data: what HPCC's and SimAI's topology files hold.
 *
 * Node ids are 0 to nodes.size() - 1. Interfaces are numbered at each node in the order of its
 * links here.
 */
struct RdmaTopology
{
    std::vector<RdmaNodeKind> nodes;
    std::vector<RdmaLinkSpec> links;
    uint32_t gpusPerServer{0}; ///< 0 unless the topology says (SimAI's header)
    std::string gpuType;       ///< one of RdmaGpuTypes(); empty unless the topology says
    std::string origin;        ///< file name, or the generator's specification
    /** Line of a number after the last link, which may be one that the count forgets; 0 if there is
     * none. */
    uint64_t surplusLine{0};

    /** \return how many nodes are of the kind */
    uint32_t Count(RdmaNodeKind kind) const;
};

/**
 * Reads a topology in HPCC's format (3 numbers in the first line) or SimAI's (6 fields).
 * \param file path
 * \return the topology
 * \throws InputError with file, line, value and remedy
 */
RdmaTopology ReadRdmaTopology(const std::string& file);

/** As ReadRdmaTopology(file), from a stream; \p name stands for the file in messages. */
RdmaTopology ReadRdmaTopology(std::istream& in, const std::string& name);

/**
 * Writes SimAI's format if the topology has NVSwitches, GPUs per server or a type of GPU, HPCC's
 * otherwise, so that reading it again gives the same.
 */
void WriteRdmaTopology(std::ostream& out, const RdmaTopology& topology);

} // namespace ns3

#endif // RDMA_TOPOLOGY_H
