/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KNOWN_STEP_H
#define WORKLOAD_KNOWN_STEP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief How a step of a collective went: messages, or flows, that are under way together. Times
 * since the first of them started, ps.
 */
struct WorkloadKnownStep
{
    /** Steps that differ in the starts of their messages alone and are remembered. */
    static constexpr std::size_t MOST_ALIKE = 8;

    struct Event
    {
        int64_t at;
        uint32_t place; //!< of the message, in an order that steps which are alike have in common
        bool isEnd;     //!< else its delivery
    };

    std::vector<Event> events;   //!< in time order
    std::vector<int64_t> starts; //!< of its messages
    uint64_t hops{0};
    uint64_t uses{0};
    bool isOver{false};
    bool isWrong{false}; //!< disturbed, or as an audit said

    /** \return by how much messages may start at other times than here, ps; negative until it is
     * over */
    int64_t GetTolerance() const;

    /** \return whether messages that start at \p times go as these did, but for such differences */
    bool IsNear(const std::vector<int64_t>& times) const;

    /** \return the longest time by which an event of \p other, a step that is alike, is earlier or
     * later than here, ps */
    int64_t LargestDifference(const WorkloadKnownStep& other) const;
};

} // namespace ns3

#endif // WORKLOAD_KNOWN_STEP_H
