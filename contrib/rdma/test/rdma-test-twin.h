/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_TWIN_H
#define RDMA_TEST_TWIN_H

#include "rdma-test-network.h"

#include "ns3/rdma-flow-source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** What a run leaves behind. */
struct RdmaTwinOutcome
{
    std::vector<std::string> told; //!< flows that ended and pauses, with the clock, in order
    std::vector<uint64_t> counters;
    uint64_t logged{0}; //!< of what happened to frames and flows
    uint64_t log{0};    //!< a digest of it, in order
    uint64_t events{0};
    uint64_t windows{0};
    uint64_t threaded{0}; //!< windows that several threads ran
    uint64_t inThem{0};   //!< events in windows
    uint64_t busiest{0};  //!< of them, those of the thread with most
    uint64_t merged{0};   //!< windows, or the ends of some
    uint64_t timeouts{0};
    uint64_t frames{0}; //!< that there is memory for

    bool operator==(const RdmaTwinOutcome& other) const
    {
        return told == other.told && counters == other.counters && events == other.events &&
               logged == other.logged && log == other.log;
    }
};

/** What a run is made of. */
struct RdmaTwinScenario
{
    RdmaTopology topology;
    std::vector<RdmaFlowSpec> flows;
    RdmaTestNetwork::Setup setup;
    bool asksForPauses{true};
    RdmaReactions reactions{RdmaReactions::NONE};
    int64_t failNs{0};   //!< link 0 goes down, and up as long after; 0 for never
    int64_t pauseNs{0};  //!< the simulation is stopped in between
    bool listens{false}; //!< to the frames that arrive somewhere
    bool watches{
        false};       //!< acknowledgements may go by pipes; who would pause ports is told of pauses
    bool logs{false}; //!< looks on at all that happens to frames and flows
    uint32_t reacts{0};  //!< so many flows more are started when others are delivered or end
    size_t spread{2048}; //!< as RdmaEventQueue::SetSpread
};

/** Runs it by RdmaSimulatorImpl. \param windows whether nodes may run one after the other, by so
 * many \p threads */
RdmaTwinOutcome RunRdmaTwin(const RdmaTwinScenario& scenario, bool windows, uint32_t threads = 1);

/** Links of some rates and delays between hosts and switches in no order; flows that start
 * together, or do not. */
RdmaTwinScenario DrawRdmaTwinScenario(uint32_t seed);

} // namespace ns3

#endif // RDMA_TEST_TWIN_H
