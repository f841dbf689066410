/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_MESSAGES_H
#define WORMHOLE_CLI_LIVE_MESSAGES_H

#include "ns3/workload-front-end.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace wormhole
{

/** What a message of MPI, or a receive, names. */
struct LiveEnvelope
{
    static constexpr uint32_t ANY = UINT32_MAX; ///< source or tag of a receive

    uint64_t context{0}; ///< communicator, or a collective of one
    uint32_t src{0};     ///< rank of the program
    uint32_t dst{0};     ///< rank of the program
    uint32_t tag{0};
};

/** A message that is sent. */
struct LiveSent
{
    LiveEnvelope envelope;
    uint64_t bytes{0};
    uint64_t number{0}; ///< among those from its source to its destination
};

/** When the sender of a message may go on. */
enum class LiveSending
{
    STANDARD,    ///< at once if the message is short, else when it is received
    SYNCHRONOUS, ///< when it is received
    BUFFERED     ///< at once
};

/** What became of messages that were sent for a time which the network had passed. */
struct LiveLateness
{
    uint64_t skippedBack{0};   ///< as if they had been sent in time
    uint64_t simulatedLate{0}; ///< sent at once, and told of by so much earlier
};

/**
 * Messages of MPI on a network. Their data move at once; they meet receives by the rules of MPI
 * (3.1, 3.5): messages from one source are matched in the order in which they were sent, a message
 * by the receive that was posted first, and a receive by the message that came first. A message is
 * there to be matched when its last byte is, or that of a later one from its source.
 *
 * Whoever sends or receives may be behind the network's time. Where the network can go back, such a
 * message is on it from its own time on. Elsewhere it is sent at once, and all that follows from it
 * is told for as much earlier: as if the network were now as it was then. Times are of those who
 * send and receive, ps, and never after the network's.
 */
class LiveMessages
{
  public:
    using Action = std::function<void(int64_t ps)>; //!< told when it is over
    using Received = std::function<void(const LiveSent&, int64_t ps)>;

    /**
     * \param network that the bytes cross; must outlive this
     * \param eagerBytes most that a short message has
     * \param unexpected told of the destination of a message that comes before its receive
     */
    LiveMessages(ns3::WorkloadFrontEnd& network,
                 uint64_t eagerBytes,
                 std::function<void(uint32_t dst)> unexpected);

    /** Sends a message at \p ps. \param over called when the sender may go on, perhaps at once */
    void Send(const LiveSent& message, LiveSending sending, int64_t ps, const Action& over);

    /** Posts a receive at \p ps. \param over called once it is complete, perhaps at once
     * \return its number, for Cancel() */
    uint64_t Receive(const LiveEnvelope& envelope, int64_t ps, Received over);

    /** Takes a receive back. \return whether no message had met it */
    bool Cancel(uint64_t receive);

    /** \return the message that a receive would get, if one has come */
    std::optional<uint64_t> Probe(const LiveEnvelope& envelope) const;

    /** \return a message that Probe() found */
    const LiveSent& Get(uint64_t message) const
    {
        return m_messages.at(message).sent;
    }

    /** \return when a message that Probe() found was there */
    int64_t GetArrivalPs(uint64_t message) const
    {
        return m_messages.at(message).atPs;
    }

    /** Keeps a message that Probe() found for ReceiveTaken(). */
    void Take(uint64_t message);

    /** Receives a message that was taken. \param over as of Receive() */
    void ReceiveTaken(uint64_t message, int64_t ps, Received over);

    /** \return whether bytes are on the network */
    bool IsUnderWay() const
    {
        return m_underWay > 0;
    }

    const LiveLateness& GetLateness() const
    {
        return m_lateness;
    }

  private:
    struct Message
    {
        LiveSent sent;
        Action over;       //!< empty once the sender was told
        Received received; //!< empty until a receive has met it
        bool arrived{false};
        bool back{false}; //!< the network went back for it
        int64_t lagPs{0}; //!< it did not, so that it comes so much too late
        int64_t atPs{0};  //!< when it is there, and met
    };

    struct Posted
    {
        uint64_t number;
        LiveEnvelope envelope;
        int64_t ps;
        Received over;
    };

    /** What waits at a destination in a context. */
    struct Meeting
    {
        std::list<Posted> posted;
        std::list<std::pair<uint64_t, LiveEnvelope>> unexpected;   //!< with their numbers
        std::unordered_map<uint32_t, std::deque<uint64_t>> coming; //!< by source, as sent

        bool IsEmpty() const
        {
            return posted.empty() && unexpected.empty() && coming.empty();
        }
    };

    using Place = std::pair<uint64_t, uint32_t>; //!< context and destination

    void Start(uint64_t message, int64_t ps);
    void Arrived(uint64_t message);
    bool Meet(Meeting& meeting, uint64_t message);
    void CompleteIfThere(uint64_t message);
    void Tidy(const Place& place);

    ns3::WorkloadFrontEnd& m_network;
    const uint64_t m_eagerBytes;
    const std::function<void(uint32_t)> m_unexpected;
    std::unordered_map<uint64_t, Message> m_messages;
    std::map<Place, Meeting> m_meetings;
    std::unordered_map<uint64_t, Place> m_receives; //!< posted, by number
    uint64_t m_lastMessage{0};
    uint64_t m_lastReceive{0};
    uint64_t m_underWay{0}; //!< messages that have not arrived
    LiveLateness m_lateness;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_MESSAGES_H
