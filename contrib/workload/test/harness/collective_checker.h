/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_TEST_COLLECTIVE_CHECKER_H
#define WORMHOLE_TEST_COLLECTIVE_CHECKER_H

#include "ns3/workload-collective.h"

#include <cstdint>
#include <string>
#include <vector>

/** When a message's bytes are taken from the sender's memory, and what completes a send. */
enum class DataTaken
{
    AT_SEND, ///< when the send starts; it completes at once (eager)
    AT_MATCH ///< when the receive is there too, as late as can be; then both complete (rendezvous)
};

/** In which order operations that could all run do run. */
enum class RunOrder
{
    RANDOM,
    SENDS_FIRST, ///< sends as early, receives as late as their dependencies allow
    RECEIVES_FIRST,
    LAST_RANK_FIRST ///< one rank runs as far as it can before another one does anything
};

/**
 * Runs the schedule of one collective on memory instead of a network: a byte of a member's vector
 * is the set of members that it was summed up from. Messages match by sender, receiver and tag;
 * those of one such key are put in a random order, so that a schedule that needs the network to
 * keep the order fails. Up to 32 members.
 * \return what is wrong: an operation that never runs, a contribution added twice, a result that
 * lacks one; empty if the collective delivers
 */
std::string CheckDelivery(const ns3::WorkloadSchedule& schedule,
                          const std::vector<uint32_t>& members,
                          const ns3::WorkloadCollective& collective,
                          const ns3::WorkloadCollectiveTrace& trace,
                          DataTaken taken,
                          RunOrder order,
                          uint64_t seed);

#endif // WORMHOLE_TEST_COLLECTIVE_CHECKER_H
