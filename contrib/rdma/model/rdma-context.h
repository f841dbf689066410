/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CONTEXT_H
#define RDMA_CONTEXT_H

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame-pool.h"
#include "ns3/rdma-timers.h"
#include "ns3/rdma-timing.h"
#include "ns3/rdma-trace.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace ns3
{

class RdmaFlowObserver;
class RdmaPint;
class RdmaPort;
class RdmaQueuePair;

/** \ingroup rdma Takes records of what happened at nodes, in order (RdmaInOrder). */
class RdmaRecordTaker
{
  public:
    virtual ~RdmaRecordTaker() = default;

    /** Something happened, at the time that the clock says. \param record its bytes, not aligned */
    virtual void Take(const std::byte* record) = 0;
};

/** \ingroup rdma What somebody is to be told, once the window is over (RdmaProcesses). */
struct RdmaNotice
{
    enum class What : uint8_t
    {
        DELIVERED, ///< a flow: the receiver has all bytes
        ENDED,     ///< a flow
        PAUSED,    ///< a port, by a frame that came
        RESUMED,   ///< the same
        TOUCHED,   ///< a port that is frozen (RdmaFlowObserver::PortTouched)
        UNEVEN,    ///< a port: a pause or a resume was sent, or an ordinary packet comes
        TIGHT,     ///< the buffer behind a port (RdmaFlowObserver::BufferTight)
        REPLIED,   ///< an acknowledgement of a flow left, which pauses may hold up
        RECORD     ///< what a trace's sink has seen
    };

    int64_t time;                    ///< time steps
    uint64_t place;                  ///< of the event that it is about
    What what;                       ///< happened
    RdmaQueuePair* qp;               ///< null for what is not of a flow
    RdmaPort* port;                  ///< null for what is not of a port
    uint32_t queue;                  ///< of a pause that came
    RdmaRecordTaker* taker{nullptr}; ///< of a record
    size_t record{0};                ///< its first byte among RdmaContext::records
    uint64_t next{0}; ///< of a flow, if there are ranks: the first of NEXT places for what those
                      ///< schedule who are told; 0 otherwise

    static constexpr uint64_t NEXT = 4;
};

/** \ingroup rdma What happened in a window to a frame of a flow, away from its sender. */
struct RdmaFrameNews
{
    enum class What : uint8_t
    {
        SENT,
        GONE,      ///< it left the network
        DATA_LOST, ///< a data frame
        REPLY_LOST ///< another one
    };

    RdmaQueuePair* qp;
    What what;
    uint64_t end{0}; ///< of the data that is lost, bytes
};

/** \ingroup rdma Fires when any port of a network has received a PFC frame: the port, the queue,
 * and whether it is a pause. */
using RdmaPfcTrace = RdmaLateTrace<const RdmaPort&, uint32_t, bool>;

/** \ingroup rdma Sizes of headers, in bytes: HPCC's public simulator unless set otherwise. */
struct RdmaWireFormat
{
    uint32_t l2Bytes{14};      ///< link layer: 14 in HPCC and SimAI, 2 in ASTRA-sim
    uint32_t sequenceBytes{4}; ///< sequence number of a data frame: 4, in SimAI 8
    uint32_t pintBytes{1};     ///< code of PINT

    static constexpr uint32_t IP_BYTES = 20;
    static constexpr uint32_t UDP_BYTES = 8;
    static constexpr uint32_t GROUP_BYTES = 2; ///< priority group field
    static constexpr uint32_t ACK_FIELDS = 12; ///< ports, flags, group, sequence number
    static constexpr uint32_t MIN_ACK_BYTES =
        60; ///< acknowledgements are padded as if l2Bytes were 14
    static constexpr uint32_t PADDED_L2_BYTES = 14;
    static constexpr uint32_t PFC_FIELDS = 9;
    static constexpr uint32_t CNP_FIELDS = 8;

    /** Bytes of a CREDIT frame: InfiniBand's flow control packet with its delimiters, which is as
     * long as an ordered set of Ethernet. */
    static constexpr uint32_t CREDIT = 8;

    /** \return header bytes of a data frame with \p telemetry bytes of telemetry */
    uint32_t DataHeader(uint32_t telemetry) const
    {
        return l2Bytes + IP_BYTES + UDP_BYTES + sequenceBytes + GROUP_BYTES + telemetry;
    }

    /** \return bytes of an ACK or NACK with \p telemetry bytes of telemetry */
    uint32_t Ack(uint32_t telemetry) const
    {
        const uint32_t fields = ACK_FIELDS + telemetry;
        const uint32_t unpadded = PADDED_L2_BYTES + IP_BYTES + fields;
        return l2Bytes + IP_BYTES + fields +
               (unpadded < MIN_ACK_BYTES ? MIN_ACK_BYTES - unpadded : 0);
    }

    uint32_t Pfc() const
    {
        return l2Bytes + IP_BYTES + PFC_FIELDS;
    }

    uint32_t Cnp() const
    {
        return std::max(l2Bytes + IP_BYTES + UDP_BYTES + CNP_FIELDS, MIN_ACK_BYTES);
    }
};

/** \ingroup rdma What has happened in a network so far. */
struct RdmaCounters
{
    uint64_t packetHops{0};    ///< data frames that crossed a link (their transmissions)
    uint64_t ackHops{0};       ///< ACK and NACK frames that crossed a link
    uint64_t bufferDrops{0};   ///< frames a switch had no room for
    uint64_t linkErrors{0};    ///< frames lost by a link's error rate
    uint64_t linkDownDrops{0}; ///< frames lost because a link went down
    uint64_t routeDrops{0};    ///< frames that no route leads on
    uint64_t marks{0};         ///< frames marked congestion experienced
    uint64_t draws{0};         ///< data frames drawn for that, where controls heed it
    uint64_t pauses{0};        ///< PFC pause frames received
    uint64_t resumes{0};       ///< PFC resume frames received
    uint64_t nacks{0};         ///< NACKs received by senders
    uint64_t timeouts{0};      ///< retransmission time-outs
    uint64_t creditUpdates{0}; ///< CREDIT frames received
    uint64_t creditStops{0};   ///< a class of a link ran out of credits

    /** \return crossings of links by frames of flows */
    uint64_t GetHops() const
    {
        return packetHops + ackHops;
    }

    RdmaCounters& operator+=(const RdmaCounters& other)
    {
        for (uint64_t RdmaCounters::*counter : ListAll())
        {
            this->*counter += other.*counter;
        }
        return *this;
    }

    RdmaCounters operator-(const RdmaCounters& other) const
    {
        RdmaCounters difference;
        for (uint64_t RdmaCounters::*counter : ListAll())
        {
            difference.*counter = this->*counter - other.*counter;
        }
        return difference;
    }

  private:
    static constexpr std::array<uint64_t RdmaCounters::*, 14> ListAll()
    {
        return {&RdmaCounters::packetHops,
                &RdmaCounters::ackHops,
                &RdmaCounters::bufferDrops,
                &RdmaCounters::linkErrors,
                &RdmaCounters::linkDownDrops,
                &RdmaCounters::routeDrops,
                &RdmaCounters::marks,
                &RdmaCounters::draws,
                &RdmaCounters::pauses,
                &RdmaCounters::resumes,
                &RdmaCounters::nacks,
                &RdmaCounters::timeouts,
                &RdmaCounters::creditUpdates,
                &RdmaCounters::creditStops};
    }
};

/**
 * \ingroup rdma
 * \brief What all nodes and ports of a network share. Owned by RdmaNetwork; it outlives them.
 *
 * While several threads run the network (RdmaProcesses), those of each thread share a context of
 * its own: a copy, but for what is counted there, which the network's adopts.
 */
struct RdmaContext
{
    RdmaContext() = default;

    /** The context of a thread of its own. \param network the network's */
    explicit RdmaContext(RdmaContext& network)
        : eventQueue(network.eventQueue),
          observer(network.observer),
          pfcTrace(network.pfcTrace),
          frames(network.frames),
          clock(network.clock),
          wire(network.wire),
          rates(network.rates),
          seed(network.seed),
          routeVersion(network.routeVersion),
          intMultiplier(network.intMultiplier),
          pint(network.pint),
          anyLoses(network.anyLoses),
          balances(network.balances),
          entropy(network.entropy),
          credits(network.credits),
          classes(network.classes),
          special(network.special),
          window(network.window),
          largestFrame(network.largestFrame),
          ranks(network.ranks)
    {
    }

    /** Appends \p added, which is empty then, to \p list. */
    template <typename T>
    static void Take(std::vector<T>& list, std::vector<T>& added)
    {
        list.insert(list.end(), added.begin(), added.end());
        added.clear();
    }

    /** Takes over what \p thread, the context of one, has counted. */
    void Adopt(RdmaContext& thread)
    {
        counters += thread.counters;
        thread.counters = {};
        frames.Adopt(thread.frames);
        doubtful += thread.doubtful;
        thread.doubtful = 0;
        closing += thread.closing;
        thread.closing = 0;
        apart += thread.apart;
        thread.apart = 0;
        besides += thread.besides;
        thread.besides = 0;
        held += thread.held;
        thread.held = 0;
        Take(tellings, thread.tellings);
        Take(carriers, thread.carriers);
        Take(passed, thread.passed);
    }

    /** Takes over what is to be told of the window that \p thread, the context of one, has run. */
    void TakeNews(RdmaContext& thread)
    {
        for (RdmaNotice& notice : thread.notices)
        {
            notice.record += records.size();
        }
        Take(notices, thread.notices);
        Take(records, thread.records);
        Take(frameNews, thread.frameNews);
    }

    /** \return frames that are in the network, those at other ranks included */
    uint64_t CountFrames() const
    {
        return ranks ? framesOfRanks : frames.GetOut();
    }

    RdmaEventQueue* eventQueue{nullptr};
    RdmaFlowObserver* observer{nullptr};   ///< may be null
    const RdmaPfcTrace* pfcTrace{nullptr}; ///< of the network
    RdmaTimers timers;
    RdmaFramePool frames;
    RdmaClock clock;
    RdmaWireFormat wire;
    RdmaCounters counters;
    std::vector<RdmaNotice> notices;      ///< of this window
    std::vector<RdmaFrameNews> frameNews; ///< of this window
    std::vector<std::byte> records;       ///< of this window's notices
    std::vector<uint64_t> rates; ///< distinct link rates, bit/s; telemetry refers to them by index
    uint64_t seed{1};            ///< of all random draws
    uint32_t routeVersion{0};    ///< counts changes of the routing
    uint32_t intMultiplier{1};   ///< coarsens telemetry's units of bytes
    const RdmaPint* pint{nullptr}; ///< what frames bring codes by; null if none does
    bool anyLoses{false};          ///< a link may lose frames at random, or might at some time
    bool balances{false};          ///< a switch chooses ports for data frames other than by ECMP
    bool entropy{false};           ///< by a value that their sender chose (RdmaEntropy)
    bool credits{false};           ///< links have credits instead of PFC (RdmaCredits)
    bool classes{false};           ///< some classes have weights or controls of their own
    bool special{false};           ///< any of the three: what frames ask for by one question
    uint32_t doubtful{0}; ///< flows under way whose receiver replies to what comes twice, unless
                          ///< they are over: it must know at once
    uint32_t closing{0};  ///< flows under way of which somebody may be told in any window: short
                          ///< links join one of their hosts to another node
    uint32_t apart{0};    ///< flows of which windows cannot run: whoever replies asks for buffers
                          ///< of others (RdmaPacketState::Pipe)
    uint32_t besides{0};  ///< what does not go on by frames and events of nodes alone
                          ///< (RdmaPacketState): ports and flows that are paused, flows whose pipe
                          ///< holds frames, ports where frames pass besides
    int64_t window{0};    ///< length of a window (RdmaProcesses), time steps; 0: there are none
    std::vector<RdmaPort*> carriers; ///< ports whose background goes on to others
    std::vector<RdmaPort*> passed;   ///< ports where frames have passed in this window
    std::vector<int64_t> tellings;   ///< when somebody may be told of another flow: what its end
                                     ///< hangs on is on the last link; time steps
    bool foreign{false};             ///< ordinary packets of ns-3 were sent
    bool late{false};          ///< a part of the network is in the past (RdmaPacketState::CatchUp)
    bool mayOverflow{false};   ///< a switch does not pause its senders; known from Start on
    bool holdsUp{false};       ///< a pause may hold acknowledgements up in this window
    uint32_t largestFrame{0};  ///< that a host may send, bytes on the wire; known from Start on
    bool ranks{false};         ///< other processes run a part of the network (RdmaRanks)
    uint32_t held{0};          ///< ports that are paused, and PFC frames under way
    uint64_t framesOfRanks{0}; ///< that were out at all of them when they last told each other

    /** \p reason, one of those that \p count (#apart, #besides) counts, holds from now on, or,
     * unless \p holds, no more. */
    static void Count(uint32_t& count, bool& reason, bool holds)
    {
        count += uint32_t{holds} - uint32_t{reason};
        reason = holds;
    }

    /** Takes note, if there are windows, that somebody may be told of a flow at \p time. */
    void ExpectTelling(int64_t time)
    {
        if (window)
        {
            tellings.push_back(time);
        }
    }

    /** Takes note, if a process runs, of \p what is to be told when its window is over. \return
     * whether it does; else the caller tells at once */
    bool Postpone(RdmaNotice::What what, RdmaQueuePair* qp, RdmaPort* port, uint32_t queue = 0)
    {
        if (!eventQueue->IsInWindow())
        {
            return false;
        }
        notices.push_back({eventQueue->Now(), eventQueue->Place(), what, qp, port, queue});
        if (ranks && qp)
        {
            notices.back().next = eventQueue->ReserveSequence();
            for (uint64_t i = 1; i < RdmaNotice::NEXT; ++i)
            {
                eventQueue->ReserveSequence();
            }
        }
        return true;
    }

    /** Keeps the \p size bytes of \p record, if a process runs, until \p taker is told of them when
     * the window is over. \return whether it does; else the caller tells at once */
    bool Postpone(RdmaRecordTaker& taker, const void* record, size_t size)
    {
        if (!Postpone(RdmaNotice::What::RECORD, nullptr, nullptr))
        {
            return false;
        }
        notices.back().taker = &taker;
        notices.back().record = records.size();
        const auto* const bytes = static_cast<const std::byte*>(record);
        records.insert(records.end(), bytes, bytes + size);
        return true;
    }

    /** Tells \p qp what happened to a frame of it: at once, or when the window is over. */
    void TellFrame(const RdmaFrameNews& news);

    /** \return the current time in whole nanoseconds, for telemetry and time stamps on the wire */
    int64_t NowNs() const
    {
        return clock.WholeNs(eventQueue->Now());
    }
};

} // namespace ns3

#endif // RDMA_CONTEXT_H
