/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_REPLAY_H
#define WORMHOLE_CLI_WORKLOAD_REPLAY_H

#include "result/files.h"
#include "workload-program.h"

#include "ns3/rdma-topology.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** A workload that decides as it runs what it sends: SimAI's, Chakra's, and what other
 * simulators run above our network. It uses a network alone,
 * and its rank is the host of that number. */
struct WorkloadReplay
{
    virtual ~WorkloadReplay() = default;

    /** \return whether NVSwitches are end points of its flows */
    virtual bool UsesNvSwitches() const = 0;

    /** \return files besides the usual ones that it writes into the output folder */
    virtual std::vector<NamedFile> GetOutputs() const = 0;

    /** \return whether it can be run a second time, to see what it sends */
    virtual bool IsRepeatable() const
    {
        return true;
    }

    /** Moves one of its computations. \param number of the disturbance, 0 for none; see
     * ns3::DrawWorkloadDisturbance */
    virtual void Disturb(uint64_t number) = 0;

    /**
     * \param name of the job
     * \param topology of the network
     * \param transport moves its bytes; must outlive the program
     * \return it, ready to run
     * \throws InputError if the topology does not fit
     */
    virtual std::unique_ptr<WorkloadProgram> MakeProgram(const std::string& name,
                                                         const ns3::RdmaTopology& topology,
                                                         ns3::WorkloadTransport& transport) = 0;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_REPLAY_H
