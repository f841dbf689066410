/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_NETWORK_H
#define RDMA_TEST_NETWORK_H

#include "ns3/rdma-helper.h"
#include "ns3/rdma-network.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** How a flow ended; times in ns. */
struct RdmaTestEnd
{
    uint64_t id;
    int64_t start;
    int64_t fct;
    int64_t delivered; ///< since the start; negative if never
    uint64_t resent;   ///< bytes
    RdmaFlowState state;

    bool operator==(const RdmaTestEnd& other) const;
};

/** A network with HPCC's timing and the ends of its flows. */
class RdmaTestNetwork
{
  public:
    using Setup = std::function<void(RdmaHelper&)>;

    /** \param setup changes what is built */
    explicit RdmaTestNetwork(const RdmaTopology& topology, const Setup& setup = {});

    /** Starts a flow now. */
    RdmaQueuePair& Flow(uint32_t src,
                        uint32_t dst,
                        uint64_t bytes,
                        uint64_t window = 0,
                        uint8_t priority = 3);

    /** Lets \p what happen at \p ns. */
    void At(int64_t ns, std::function<void()> what);

    /** Runs on for \p ns. */
    void Run(int64_t ns = 1000000000);

    /** \return the present, ns */
    int64_t Now() const;

    /** \return the port at \p node of its link number \p index */
    RdmaPort& Port(uint32_t node, uint32_t index = 0) const;

    const RdmaCounters& Counters() const
    {
        return network->GetContext().counters;
    }

    Ptr<RdmaNetwork> network;
    std::vector<RdmaTestEnd> ends; ///< in the order in which they came
};

/** Loses the frames with certain numbers (from 0) on their way from a port, and no others. */
class RdmaTestLoss
{
  public:
    RdmaTestLoss(RdmaPort& from, std::set<uint64_t> lost);
    RdmaTestLoss(const RdmaTestLoss&) = delete;
    RdmaTestLoss& operator=(const RdmaTestLoss&) = delete;

    /** \return frames that have arrived or been lost */
    uint64_t GetCount() const
    {
        return m_count;
    }

  private:
    void Prepare();
    void Count(const RdmaFrame& frame);
    void CountDrop(const RdmaFrame& frame, RdmaDropReason reason);

    RdmaPort& m_from;
    std::set<uint64_t> m_lost;
    uint64_t m_count{0};
};

/** \return two hosts and one link, 100 Gb/s and 1 us */
RdmaTopology RdmaTestPair();

/** \return \p hosts hosts (0 ...) on one switch (the last node), 100 Gb/s and 1 us */
RdmaTopology RdmaTestStar(uint32_t hosts);

/** \return a link as in the above */
RdmaLinkSpec RdmaTestLink(uint32_t a, uint32_t b);

/** \return host 0 - switch 2 - switch 3 - host 1 */
RdmaTopology RdmaTestChain();

/** Calls \p sink whenever \p trace fires. */
template <bool LATE, typename... Args, typename Sink>
void
RdmaTestListen(RdmaTraceSource<LATE, Args...>& trace, Sink sink)
{
    trace.ConnectWithoutContext(Callback<void, Args...>(std::function<void(Args...)>(sink)));
}

/** Sends a PFC frame out of \p from: a pause of \p queue, or a resume. */
void RdmaTestSendPfc(RdmaPort& from, uint32_t queue, bool pause);

/** Lets tests put a queue pair into any state. */
struct RdmaQueuePairProbe
{
    /** Sets what has been sent and acknowledged (bytes). */
    static void Set(RdmaQueuePair& qp, uint64_t sndNxt, uint64_t sndUna)
    {
        qp.m_sndNxt = sndNxt;
        qp.m_sndUna = sndUna;
    }

    /** Sets the window that holds (bytes; 0 for no limit). */
    static void SetWindow(RdmaQueuePair& qp, uint64_t window)
    {
        qp.m_effectiveWindow = window;
    }

    static bool IsScheduled(const RdmaQueuePair& qp)
    {
        return qp.m_scheduled;
    }
};

} // namespace ns3

#endif // RDMA_TEST_NETWORK_H
