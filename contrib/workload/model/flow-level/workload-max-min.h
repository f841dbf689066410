/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MAX_MIN_H
#define WORKLOAD_MAX_MIN_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Max-min fair rates of flows on links, kept up as flows come and go.
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

    /**
     * Adds a flow; its rate is 0 until Solve().
     * \param links that it crosses, at least one, each once
     * \return its number; numbers of removed flows are used again
     */
    uint32_t Add(const std::vector<uint32_t>& links);

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

    /** \return flows filled by all calls of Solve(), rounds counted: a measure of its work */
    uint64_t GetWork() const
    {
        return m_work;
    }

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
        double rate{0};
        double before{0};          //!< rate before this Solve(); only if chosen
        uint32_t bottleneck{NONE}; //!< link
        uint32_t chosen{0};        //!< the Solve() that last took it in
        bool filled{false};        //!< whether this round has found its rate
    };

    struct Link
    {
        double capacity;
        std::vector<Crossing> crossings;
        double left{0};     //!< of the capacity, to chosen flows that are not filled
        double load{0};     //!< of all flows
        double fastest{0};  //!< rate of the fastest flow
        uint32_t count{0};  //!< chosen flows that are not filled
        uint32_t active{0}; //!< the Solve() that last looked at it
        uint32_t held{0};   //!< flows whose bottleneck it is
        bool dirty{false};  //!< whether its flows changed since Solve()
    };

    using Share = std::pair<double, uint32_t>; //!< of each flow on a link; the link

    void MarkDirty(uint32_t link);
    void SetBottleneck(Flow& flow, uint32_t link);
    void ChooseHeld(uint32_t link);
    void Choose(uint32_t flow);
    void Activate(uint32_t link);
    void ChooseComponent();
    void Fill();
    void FillAt(uint32_t link, double share);
    bool ChooseUnfair();

    std::vector<Link> m_links;
    std::vector<Flow> m_flows;
    std::vector<uint32_t> m_free;   //!< numbers to use again
    std::vector<uint32_t> m_dirty;  //!< links whose flows changed
    std::vector<uint32_t> m_added;  //!< flows, removed ones perhaps included
    std::vector<uint32_t> m_chosen; //!< flows to be filled in this Solve()
    std::vector<uint32_t> m_active; //!< links to be looked at in this Solve()
    std::vector<Share> m_heap;
    uint32_t m_solve{0}; //!< counts
    uint64_t m_work{0};
};

} // namespace ns3

#endif // WORKLOAD_MAX_MIN_H
