/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANK_NEWS_H
#define RDMA_RANK_NEWS_H

#include "rdma-rank-bytes.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-queue-pair.h"

#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ns3
{

class RdmaNetwork;

/**
 * \ingroup rdma
 * \brief What ranks tell each other of flows and frames when a part of a window is over.
 *
 * Each rank has an object of every flow under way. The sender's state is right at the sender's
 * rank, the receiver's at the receiver's; of both, all ranks know what was told (notices).
 */
class RdmaRankNews
{
  public:
    /** Earliest first. */
    using Tellings = std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>>;

    /** \param network whose news these are; must outlive them */
    explicit RdmaRankNews(RdmaNetwork& network);
    ~RdmaRankNews();
    RdmaRankNews(const RdmaRankNews&) = delete;
    RdmaRankNews& operator=(const RdmaRankNews&) = delete;

    /** \p qp is made, at each rank. */
    void FlowStarts(RdmaQueuePair& qp);

    /** The nodes of this rank have run: writes what all others need to know of that. */
    void Write(RdmaRankWriter& out);

    /** Reads what another rank wrote: notices become the context's. */
    void Read(RdmaRankReader& in);

    /** All ranks' news are there: forgets flows that are over and have no frames anywhere. */
    void Finish();

    /** Writes \p frames, which leave for another rank by \p port, and gives them back. */
    void WriteFrames(RdmaRankWriter& out, const RdmaPort& port, RdmaFrameFifo& frames);

    /** Reads what WriteFrames wrote. \return the port by which they left */
    RdmaPort& ReadFrames(RdmaRankReader& in, RdmaFrameFifo& frames);

    /** Writes what else is to be known of the nodes of this rank when a run is over: how their
     * flows and ports stand. */
    void WriteState(RdmaRankWriter& out) const;

    /** Reads what another rank's WriteState wrote. */
    void ReadState(RdmaRankReader& in);

    /** Moves the times when somebody may be told of a flow (RdmaContext::tellings), of all ranks,
     * to \p tellings. */
    void TakeTellings(Tellings& tellings);

    /** \return whether RdmaContext::doubtful is not 0 at some rank */
    bool IsDoubtful() const
    {
        return m_all.doubtful > 0;
    }

    /** \return whether some rank knew a flow that could not end within the delay of a link */
    bool HasWitness() const
    {
        return m_all.witnesses > 0;
    }

  private:
    /** What is added up over all ranks. */
    struct Sum
    {
        uint64_t doubtful{0};
        uint64_t witnesses{0};
        uint64_t frames{0};
        RdmaCounters counters;

        Sum& operator+=(const Sum& other);
    };

    /** A notice on its way to other ranks. */
    struct Notice
    {
        int64_t time;
        uint64_t place;
        uint64_t next;
        uint64_t about; //!< number of the flow, or of the port
        RdmaNotice::What what;
        uint32_t queue;
        RdmaFlowState state; //!< of the flow
        uint32_t timeouts;   //!< of the flow
        uint64_t acknowledged;
    };

    /** How a flow under way stands, at its sender. */
    struct FlowState
    {
        uint64_t flow;
        uint64_t acknowledged;
        uint32_t timeouts;
    };

    /** How a port stands. */
    struct PortState
    {
        uint32_t port;
        uint8_t paused;
        uint64_t bufferDrops;
    };

    RdmaQueuePair& FlowOf(uint64_t id) const;
    RdmaPort& PortOf(uint64_t id) const;
    bool FindWitness();
    void WriteNotices(RdmaRankWriter& out) const;
    void TakeNotice(const Notice& notice);

    RdmaNetwork& m_network;
    std::unordered_map<uint64_t, RdmaQueuePair*> m_flows; //!< all there are, by number
    std::unordered_set<uint64_t> m_held;     //!< flows that are over, with frames at some rank
    std::vector<int64_t> m_tellings;         //!< not yet taken
    Sum m_all;                               //!< as of the last news
    Sum m_next;                              //!< what has come of the next ones
    RdmaCounters m_told;                     //!< counters that all ranks know
    const RdmaQueuePair* m_witness{nullptr}; //!< a flow to here that cannot end soon
    uint64_t m_witnessSought{~uint64_t{0}};  //!< flows started when there was none
};

} // namespace ns3

#endif // RDMA_RANK_NEWS_H
