/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_EVENTS_H
#define WORKLOAD_KINETO_EVENTS_H

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload An event of PyTorch's profiler, as far as it is of interest. */
struct WorkloadKinetoEvent
{
    uint64_t number{0}; ///< in the file, from 1
    std::string phase;  ///< X for what has a duration
    std::string category;
    std::string name;
    uint64_t startNs{0};
    uint64_t durationNs{0};
    uint64_t stream{0};
    uint64_t device{0};
    std::optional<uint64_t> channels; ///< blocks
    std::optional<uint64_t> threads;  ///< of a block
    std::optional<uint64_t> correlation;
    std::optional<uint64_t> external; ///< id that it shares with what caused it

    std::string collective; ///< "Collective name"
    std::string dtype;
    std::string groupName;  ///< "Process Group Name"
    std::string groupRanks; ///< "Process Group Ranks", such as [0, 1]
    std::string inSplit;    ///< "In split size", such as [3, 5]
    std::string outSplit;
    std::optional<uint64_t> inElements;
    std::optional<uint64_t> outElements;
    std::optional<uint64_t> groupSize;
    std::optional<uint64_t> rank;        ///< root or peer, in the group
    std::optional<uint64_t> source;      ///< rank of the program
    std::optional<uint64_t> destination; ///< rank of the program
};

/** \ingroup workload What a trace says before and after its events. */
struct WorkloadKinetoInfo
{
    std::optional<uint64_t> rank;
    std::optional<uint64_t> worldSize;                   ///< ranks of the program
    std::map<std::string, std::vector<uint32_t>> groups; ///< ranks by name
    bool events{false};                                  ///< whether there is a list of them
};

/**
 * \ingroup workload
 *
 * Reads a trace of PyTorch's profiler (Kineto), holding one event at a time.
 * \param in the JSON text
 * \param name stands for the file in messages
 * \param read called for each event
 * \return what else the trace says
 * \throws InputError with the byte where the text is not JSON, or cut off
 */
WorkloadKinetoInfo ReadWorkloadKinetoEvents(
    std::istream& in,
    const std::string& name,
    const std::function<void(const WorkloadKinetoEvent&)>& read);

} // namespace ns3

#endif // WORKLOAD_KINETO_EVENTS_H
