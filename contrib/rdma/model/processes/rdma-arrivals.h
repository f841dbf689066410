/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ARRIVALS_H
#define RDMA_ARRIVALS_H

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma A frame that arrives at a process in a window. */
struct RdmaArrival
{
    uint64_t place;   ///< in the order of scheduling, final
    int64_t time;     ///< time steps
    RdmaFrame* frame; ///< null behind the last
    RdmaPort* to;     ///< that it comes in by

    /** \return what arrivals and events are ordered by */
    RdmaEventEntry::Key GetKey() const
    {
        return RdmaEventEntry::MakeKey(time, place);
    }
};

/** \ingroup rdma Frames on a link, of which some arrive in a window. */
struct RdmaArrivingTrain
{
    RdmaEvent* event;    ///< arrival of the first
    RdmaFrameFifo* wire; ///< not empty before
    RdmaPort* to;        ///< where they come in
    RdmaDue due;         ///< of the first that is still in \c wire
    bool toHost;         ///< that is at a host

    const RdmaQueuePair* qp{nullptr}; ///< what was last fetched
};

/**
 * \ingroup rdma
 * \brief All frames that arrive at a process in a window, in order.
 *
 * They have been on their links since before the window (RdmaProcesses), so they are known when it
 * begins: sorted at once, by buckets of time, they need no place in a queue one after the other,
 * and what they will touch can be fetched ahead.
 */
class RdmaArrivals
{
  public:
    using Key = RdmaEventEntry::Key;
    using Train = RdmaArrivingTrain;

    /** Forgets all. */
    void Clear()
    {
        m_trains.clear();
        m_arrivals.clear();
    }

    void Add(const Train& train)
    {
        m_trains.push_back(train);
    }

    /**
     * Takes out of all trains what arrives before the end.
     * \param queue that knows places
     * \param begin of the window, time steps; nothing arrives before
     * \param end time and place
     */
    void Take(const RdmaEventQueue& queue, int64_t begin, Key end);

    /** \return the trains, each with when the first frame is due that stays */
    const std::vector<Train>& GetTrains() const
    {
        return m_trains;
    }

    /** Before \p arrival, of those from GetFirst on, happens: lets memory be fetched that the ones
     * behind it will touch. */
    void FetchBehind(const RdmaArrival* arrival)
    {
        RdmaFetch(arrival[1].frame, 1);
        const RdmaFrame* const later = arrival[AHEAD].frame;
        if (m_toHosts && later && later->kind != RdmaFrameKind::DATA && later->qp != m_fetched)
        {
            m_fetched = later->qp; // mostly of many frames in a row, if few flows send from there
            FetchFlow(arrival[AHEAD]);
        }
    }

    /** \return the first of what was taken, in order; AHEAD behind the last have no frame, and are
     * due at the end */
    const RdmaArrival* GetFirst() const
    {
        return m_arrivals.data();
    }

  private:
    static constexpr size_t AHEAD = 2; //!< arrivals before that the flow of one is fetched

    static void FetchFlow(const RdmaArrival& arrival);
    bool TakeFirst(Train& train, const RdmaEventQueue& queue, Key end);
    void SortByBuckets(int64_t begin, int64_t end);

    std::vector<Train> m_trains;
    bool m_toHosts{false};                   //!< all trains come to hosts
    const RdmaQueuePair* m_fetched{nullptr}; //!< by FetchBehind, last
    std::vector<uint32_t> m_under;           //!< trains of which some may still be taken
    std::vector<RdmaArrival> m_arrivals;
    std::vector<RdmaArrival> m_sorted; //!< scratch
    std::vector<uint32_t> m_buckets;   //!< scratch
};

} // namespace ns3

#endif // RDMA_ARRIVALS_H
