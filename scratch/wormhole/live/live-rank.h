/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_RANK_H
#define WORMHOLE_CLI_LIVE_RANK_H

#include "live-message.h"
#include "live-messages.h"

#include "ns3/workload-mpi-communicators.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wormhole
{

constexpr int64_t LIVE_PS_PER_NS = 1000;

/** A communicator, as one of its members knows it. */
struct LiveCommunicator
{
    const ns3::WorkloadMpiGroup* group{nullptr};
    uint32_t rank{0};        ///< of the member in it
    uint32_t collectives{0}; ///< that the member has begun on it

    /** \return the context of messages between two */
    uint64_t GetContext() const
    {
        return uint64_t(group->number) << 32;
    }

    /** \return the context of the next collective */
    uint64_t TakeContext()
    {
        return GetContext() | ++collectives;
    }
};

/** A request of a rank that has not asked about its end yet. */
struct LiveRequest
{
    bool over{false};
    wormhole_live_end end{WORMHOLE_LIVE_DONE};
    LiveSent got;        ///< of a receive
    uint64_t receive{0}; ///< number of a receive, for Cancel(); else 0
    int64_t overPs{0};   ///< when it was over
    bool awaited{false}; ///< by a wait, and not over
    bool sends{false};
    std::optional<LiveEnvelope> envelope; ///< of a message that it sends or receives; for people
};

/** What the simulation knows of a rank. */
struct LiveRank
{
    enum class State
    {
        RUNS,     ///< its own code, so that time must not go on
        COMPUTES, ///< until a time that is known
        WAITS,    ///< for an answer
        FINISHED
    };

    State state{State::RUNS};
    std::optional<LiveReader> turn; ///< messages up to the next one that is answered
    LiveMessage message;            ///< that it computes before, or waits in
    int64_t sincePs{0};             ///< its own time of that: when it began to wait
    int64_t clockPs{0};             ///< its own time: of the answer, and what it has computed since
    uint64_t calls{0};              ///< messages that it has sent to the simulation
    std::unordered_map<uint32_t, LiveCommunicator> communicators;
    std::unordered_map<uint32_t, LiveRequest> requests;
    std::unordered_map<uint32_t, uint64_t> sent;  ///< messages by destination
    std::unordered_map<uint32_t, uint64_t> taken; ///< messages of probes, by their number here
    uint32_t lastTaken{0};
    size_t awaited{0};   ///< requests of the wait that are not over
    bool anyOver{false}; ///< of the wait
    std::map<const ns3::WorkloadMpiGroup*, uint32_t> again; ///< how often one was made

    /** \return the communicator of a number \throws InputError if there is none */
    LiveCommunicator& Find(uint32_t comm);

    /** \return the rank of the program that a member is \throws InputError if it is none */
    uint32_t MemberOf(const LiveCommunicator& comm, uint32_t member) const;

    /** Adds a communicator. \param own the rank's number \throws InputError for members that are
     * impossible */
    void AddCommunicator(const ns3::WorkloadMpiRecord& record,
                         uint32_t own,
                         ns3::WorkloadMpiCommunicators& all);

    /** \return a request that is new \throws InputError if there is one of this number */
    LiveRequest& AddRequest(uint32_t number);

    /** Begins a wait. \throws InputError for requests that are none */
    void BeginWait(const LiveMessage& wait);

    /** \return whether what the wait asks for is over */
    bool IsOver(const LiveMessage& wait) const;

    /** \return what the rank waits for, for people: the message of the first request that is not
     * over, and how many others there are; empty if it waits for none */
    std::string ExplainWait() const;

    /** A request is over. */
    void End(LiveRequest& request);

    /** \return when a wait ends that IsOver(), or looks now */
    int64_t EndPs(const LiveMessage& wait) const;

    /** Writes which of a wait's requests are over, and forgets these. */
    void PutOver(const LiveMessage& wait, LiveAnswer& answer);
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_RANK_H
