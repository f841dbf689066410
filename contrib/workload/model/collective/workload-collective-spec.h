/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_SPEC_H
#define WORKLOAD_COLLECTIVE_SPEC_H

#include "workload-collective.h"

#include <string>

namespace ns3
{

/** \ingroup workload A collective of all ranks, some times in a row, as a line of text says it. */
struct WorkloadCollectiveSpec
{
    WorkloadCollective collective;
    uint32_t ranks{2};
    uint32_t repeat{1}; ///< times, one after the other
    uint64_t gapNs{0};  ///< computation of each rank before each time but the first
};

/**
 * \ingroup workload
 *
 * Reads `KIND:ranks=N,bytes=SIZE,KEY=VALUE...`; WorkloadCollectiveSpecHelp() lists kinds, keys and
 * defaults.
 * \param spec the specification
 * \throws InputError naming the kind or key, the value and what is accepted
 */
WorkloadCollectiveSpec ParseWorkloadCollectiveSpec(const std::string& spec);

/**
 * \ingroup workload
 *
 * Reads how collectives are carried out that come from elsewhere.
 * \param text `NAME:KEY=VALUE...`; the keys are those of every kind, without ranks, bytes, root,
 * repeat and gap. The name is for messages
 * \param defaults algorithm, protocol and channels of these count if they are not given
 * \return the collective, without kind and bytes
 * \throws InputError naming the key, the value and what is accepted
 */
WorkloadCollective ParseWorkloadCollectiveKeys(const std::string& text,
                                               WorkloadCollective defaults);

/**
 * \ingroup workload
 *
 * Makes the schedule of a specification. All operations have the kind's name as their category, the
 * computation between repeats has "compute".
 * \param spec the specification
 * \return the schedule; the specification is its origin
 * \throws InputError as ParseWorkloadCollectiveSpec() and AddWorkloadCollective()
 */
WorkloadSchedule MakeCollectiveSchedule(const std::string& spec);

/** \ingroup workload \return whether a text names a kind of collective before its colon, so that
 * it is a specification rather than a file */
bool IsWorkloadCollectiveSpec(const std::string& text);

/** \ingroup workload \return all kinds with their keys, units, defaults and examples, as text for a
 * terminal of 100 columns */
std::string WorkloadCollectiveSpecHelp();

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_SPEC_H
