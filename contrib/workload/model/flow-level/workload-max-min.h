/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MAX_MIN_H
#define WORKLOAD_MAX_MIN_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload What the data of flows and their acknowledgements may take of a link, in any
 * unit of rates: least + each * flows, most at most. */
struct WorkloadLinkCapacity
{
    double least{0}; ///< whatever the number of flows, above 0
    double each{0};  ///< more for each flow whose data cross the link
    double most{0};  ///< however many there are, \c least at least
};

/** \ingroup workload What the acknowledgements of a flow take of a link that they cross. */
struct WorkloadAckShare
{
    uint32_t link{0};
    double share{0}; ///< of the flow's rate
};

/**
 * \ingroup workload
 * \brief Max-min fair rates of flows on links, kept up as flows come and go.
 *
 * Acknowledgements take bandwidth from the data of others, but nothing holds them back: no flow has
 * its bottleneck where only its acknowledgements pass. While a link is filled, those of flows that
 * have no rate yet count as if they rose with the rates of the link's own, so that flows that start
 * together get exact rates at once. If a flow turns out faster, or changes later, links are filled
 * once more, unless the difference is below ACK_TOLERANCE. Without acknowledgements rates are
 * exact.
 *
 * An allocation is max-min fair if and only if every flow has a bottleneck: a link that is full and
 * on which no flow is faster (Bertsekas and Gallager, Data Networks, section 6.5.2). Solve() fills
 * progressively those flows only whose bottleneck a change touched, with the rates of all others as
 * given, then looks for flows that are left without a bottleneck and takes them in as well; after a
 * few rounds it takes in whatever is connected. So what it costs is that of the flows on the links
 * that change, and at most that of the connected component: O(n log n) for n crossings of links.
 */
class WorkloadMaxMin
{
  public:
    /** \param capacities of each link, above 0, any unit */
    explicit WorkloadMaxMin(const std::vector<double>& capacities);

    /** \param capacities of each link */
    explicit WorkloadMaxMin(const std::vector<WorkloadLinkCapacity>& capacities);

    /**
     * Adds a flow; its rate is 0 until Solve().
     * \param links that it crosses, at least one, each once
     * \param acks what its acknowledgements take of the links on their way, each once
     * \return its number; numbers of removed flows are used again
     */
    uint32_t Add(const std::vector<uint32_t>& links,
                 const std::vector<WorkloadAckShare>& acks = {});

    /** Removes a flow. */
    void Remove(uint32_t flow);

    /** \return whether flows came or went since Solve() */
    bool IsDirty() const
    {
        return !m_dirty.empty();
    }

    /** Works the rates out. \return the flows whose rates changed, those added included */
    const std::vector<uint32_t>& Solve();

    /** \return the rate that the last Solve() found, in the unit of the capacities */
    double GetRate(uint32_t flow) const
    {
        return m_flows[flow].rate;
    }

    /** \return the link that holds the flow back, as the last Solve() found */
    uint32_t GetBottleneck(uint32_t flow) const
    {
        return m_flows[flow].bottleneck;
    }

    /** \return flows filled by all calls of Solve(), rounds counted: a measure of its work */
    uint64_t GetWork() const
    {
        return m_work;
    }

    /** Of a link: what acknowledgements take may differ by that from what was counted with when the
     * link was last filled. */
    static constexpr double ACK_TOLERANCE = 2e-2;

    /** Once there are acknowledgements, rates that differ by less are as good as equal, and what is
     * left of a link below that share of a flow's rate is left. */
    static constexpr double RATE_TOLERANCE = 1e-2;

  private:
    static constexpr uint32_t NONE = UINT32_MAX;

    /** A place in a link's list, seen from the flow. */
    struct Hop
    {
        uint32_t link;
        uint32_t index;
    };

    /** A crossing, seen from the link. */
    struct Crossing
    {
        uint32_t flow;
        uint32_t hop;
    };

    struct Flow
    {
        std::vector<Hop> hops;
        std::vector<WorkloadAckShare> acks;
        double rate{0};
        double before{0};          //!< rate before this Solve(); only if chosen
        uint32_t bottleneck{NONE}; //!< link
        uint32_t chosen{0};        //!< the Solve() that last took it in
        bool filled{false};        //!< whether this round has found its rate
    };

    struct Link
    {
        WorkloadLinkCapacity capacity;
        std::vector<Crossing> crossings;
        double acks{0};     //!< of all flows: what their acknowledgements take
        double rising{0};   //!< shares of the acknowledgements of chosen flows that are not filled
        double reserve{0};  //!< for acknowledgements that are faster than the link's own flows
        double room{0};     //!< of the data of all flows when it was last filled
        uint32_t ackers{0}; //!< flows whose acknowledgements cross it
        double left{0};     //!< of the capacity, to chosen flows that are not filled
        double load{0};     //!< of all flows
        double fastest{0};  //!< rate of the fastest flow
        uint32_t count{0};  //!< chosen flows that are not filled
        uint32_t active{0}; //!< the Solve() that last looked at it
        uint32_t held{0};   //!< flows whose bottleneck it is
        uint32_t full{0};   //!< the round that filled it
        bool dirty{false};  //!< whether its flows changed since Solve()
        bool kept{false};   //!< this round: whether some whom it holds back keep their rates
        bool doubtful{false}; //!< whether its acknowledgements may have changed since it was filled

        /** \return what data and acknowledgements may take */
        double GetCapacity() const
        {
            return std::min(capacity.least + capacity.each * static_cast<double>(crossings.size()),
                            capacity.most);
        }

        /** \return what is left for data; never nothing, however many acknowledgements there are */
        double GetRoom() const
        {
            constexpr double LEAST = 0.01;
            return std::max(GetCapacity() - acks - reserve, GetCapacity() * LEAST);
        }

        /** \return by how much its load rises with the rate of those that are not filled */
        double GetClaims() const
        {
            return static_cast<double>(count) + (kept ? 0 : rising);
        }
    };

    using Share = std::pair<double, uint32_t>; //!< of each flow on a link; the link

    void MarkDirty(uint32_t link);
    void Doubt(uint32_t link);
    void SetBottleneck(Flow& flow, uint32_t link);
    void ChooseHeld(uint32_t link);
    void Choose(uint32_t flow);
    void Activate(uint32_t link);
    void ChooseComponent();
    void Fill();
    void SiftDown();
    void FillAt(uint32_t link, double share);
    bool ChooseUnfair();
    bool ChooseMisjudged(bool filled);

    std::vector<Link> m_links;
    std::vector<Flow> m_flows;
    std::vector<uint32_t> m_free;     //!< numbers to use again
    std::vector<uint32_t> m_dirty;    //!< links whose flows changed
    std::vector<uint32_t> m_doubtful; //!< links
    std::vector<uint32_t> m_added;    //!< flows, removed ones perhaps included
    std::vector<uint32_t> m_chosen;   //!< flows to be filled in this Solve()
    std::vector<uint32_t> m_active;   //!< links to be looked at in this Solve()
    std::vector<Share> m_heap;
    double m_tolerance;  //!< what two rates that are equal may differ by
    uint32_t m_solve{0}; //!< counts
    uint32_t m_round{0}; //!< counts
    uint64_t m_work{0};
};

} // namespace ns3

#endif // WORKLOAD_MAX_MIN_H
