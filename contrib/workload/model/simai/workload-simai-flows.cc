/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-flows.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t NO_FLOW = UINT32_MAX;
constexpr uint32_t NVLS_CHUNKS = 4;

/** Collects flows with their parents. */
class FlowSetBuilder
{
  public:
    FlowSetBuilder(uint32_t members, uint32_t switches)
    {
        m_set.members = members;
        m_set.switches = switches;
        m_set.parentBegin.push_back(0);
    }

    WorkloadSimAiFlowSet& Set()
    {
        return m_set;
    }

    /** \return its number */
    uint32_t Add(const WorkloadSimAiFlow& flow, const std::vector<uint32_t>& parents)
    {
        m_set.flows.push_back(flow);
        m_set.parents.insert(m_set.parents.end(), parents.begin(), parents.end());
        m_set.parentBegin.push_back(uint32_t(m_set.parents.size()));
        return uint32_t(m_set.flows.size() - 1);
    }

    WorkloadSimAiFlowSet Finish()
    {
        IndexChildren();
        IndexEnds();
        return std::move(m_set);
    }

  private:
    void IndexChildren()
    {
        const size_t count = m_set.flows.size();
        m_set.childBegin.assign(count + 1, 0);
        for (uint32_t parent : m_set.parents)
        {
            ++m_set.childBegin[parent + 1];
        }
        for (size_t i = 0; i < count; ++i)
        {
            m_set.childBegin[i + 1] += m_set.childBegin[i];
        }
        std::vector<uint32_t> next(m_set.childBegin.begin(), m_set.childBegin.end() - 1);
        m_set.children.resize(m_set.parents.size());
        m_set.sentNext.assign(count, NO_FLOW);
        for (uint32_t flow = 0; flow < count; ++flow)
        {
            for (uint32_t i = m_set.parentBegin[flow]; i < m_set.parentBegin[flow + 1]; ++i)
            {
                m_set.children[next[m_set.parents[i]]++] = flow;
            }
            if (m_set.flows[flow].afterSent != NO_FLOW)
            {
                m_set.sentNext[m_set.flows[flow].afterSent] = flow;
            }
        }
    }

    void IndexEnds()
    {
        const uint32_t ends = m_set.members + m_set.switches;
        m_set.receives.assign(ends, 0);
        m_set.srcBegin.assign(ends + 1, 0);
        for (const WorkloadSimAiFlow& flow : m_set.flows)
        {
            ++m_set.receives[flow.dst];
            ++m_set.srcBegin[flow.src + 1];
        }
        for (uint32_t i = 0; i < ends; ++i)
        {
            m_set.srcBegin[i + 1] += m_set.srcBegin[i];
        }
        std::vector<uint32_t> next(m_set.srcBegin.begin(), m_set.srcBegin.end() - 1);
        m_set.bySrc.resize(m_set.flows.size());
        for (uint32_t flow = 0; flow < m_set.flows.size(); ++flow)
        {
            m_set.bySrc[next[m_set.flows[flow].src]++] = flow;
        }
    }

    WorkloadSimAiFlowSet m_set;
};

/** Where a member stands in one ring. */
struct RingPlace
{
    uint32_t previous{0};
    uint32_t next{0};
    uint32_t entry{0};       ///< first of its server
    uint32_t beforeEntry{0}; ///< entry of the server before
    bool leaves{false};      ///< last of its server
};

/** One ring: servers in order, each rotated by \p channel, so that it is left at local rank
 * channel - 1 and the next is entered at local rank channel. */
std::vector<RingPlace>
MakeRing(const WorkloadSimAiShape& shape, uint32_t channel)
{
    std::vector<uint32_t> order;
    std::vector<RingPlace> ring(shape.Count());
    const auto first = [&](const std::vector<uint32_t>& local) {
        return local[channel % local.size()];
    };
    for (size_t server = 0; server < shape.servers.size(); ++server)
    {
        const std::vector<uint32_t>& local = shape.servers[server];
        const std::vector<uint32_t>& before =
            shape.servers[(server + shape.servers.size() - 1) % shape.servers.size()];
        for (size_t i = 0; i < local.size(); ++i)
        {
            const uint32_t member = local[(channel + i) % local.size()];
            ring[member].entry = first(local);
            ring[member].beforeEntry = first(before);
            ring[member].leaves = i + 1 == local.size();
            order.push_back(member);
        }
    }
    for (size_t i = 0; i < order.size(); ++i)
    {
        const uint32_t to = order[(i + 1) % order.size()];
        ring[order[i]].next = to;
        ring[to].previous = order[i];
    }
    return ring;
}

/** Adds the flows of one ring. A member posts the receive of a step with its own flow of that step;
 * that of a message to be relayed with the relay of the step before. */
void
AddRing(FlowSetBuilder& builder, const std::vector<RingPlace>& ring, uint32_t channel, bool pxn)
{
    std::vector<uint32_t> last(ring.size(),
                               NO_FLOW); // flow that left each member in the step before
    std::vector<uint32_t> now(ring.size());
    std::vector<uint32_t> own(ring.size()); // of this step, not relayed
    std::vector<uint32_t> parents;
    std::vector<WorkloadSimAiFlow>& flows = builder.Set().flows;
    for (uint32_t step = 0; step < builder.Set().steps; ++step)
    {
        for (uint32_t member = 0; member < ring.size(); ++member)
        {
            const RingPlace& place = ring[member];
            WorkloadSimAiFlow flow;
            flow.src = member;
            flow.dst = place.next;
            flow.channel = channel;
            flow.step = step;
            flow.previous =
                pxn && place.entry == member && !place.leaves ? place.beforeEntry : place.previous;
            parents.clear();
            if (step > 0)
            {
                parents.push_back(last[place.previous]);
            }
            if (pxn && place.leaves && place.entry != member)
            {
                flow.dst = place.entry;
                flow.postedBy = last[member];
                own[member] = builder.Add(flow, parents);
                parents.assign(1, own[member]);
                flow.src = place.entry;
                flow.dst = place.next;
                flow.previous = member;
                flow.relayed = true;
                now[member] = builder.Add(flow, parents);
                continue;
            }
            own[member] = now[member] = builder.Add(flow, parents);
        }
        for (uint32_t flow : now)
        {
            flows[flow].postedBy = own[flows[flow].dst];
        }
        last.swap(now);
    }
}

WorkloadSimAiFlowSet
MakeRings(WorkloadSimAiKind kind, bool pxn, const WorkloadSimAiShape& shape)
{
    const uint32_t members = shape.Count();
    FlowSetBuilder builder(members, 0);
    builder.Set().channels = shape.Channels();
    builder.Set().steps = (members - 1) * (kind == WorkloadSimAiKind::ALL_REDUCE ? 2 : 1);
    for (uint32_t channel = 0; channel < shape.Channels(); ++channel)
    {
        AddRing(builder, MakeRing(shape, channel), channel, pxn && shape.servers.size() > 1);
    }
    return builder.Finish();
}

WorkloadSimAiFlowSet
MakeAllToAll(const WorkloadSimAiShape& shape)
{
    const uint32_t members = shape.Count();
    FlowSetBuilder builder(members, 0);
    for (uint32_t src = 0; src < members; ++src)
    {
        for (uint32_t dst = 0; dst < members; ++dst)
        {
            if (dst != src)
            {
                WorkloadSimAiFlow flow;
                flow.src = src;
                flow.dst = dst;
                flow.previous = dst;
                flow.postedBy = dst * (members - 1); // its first, which posts all
                builder.Add(flow, {});
            }
        }
    }
    return builder.Finish();
}

/** Every member sends each quarter to the NVSwitch, which sends it to all when it has it from all.
 * A member sends one quarter at a time, and posts the receive of a quarter with it. An NVSwitch
 * posts the receives of a quarter as it sends the one before. */
WorkloadSimAiFlowSet
MakeNvls(const WorkloadSimAiShape& shape)
{
    const uint32_t members = shape.Count();
    FlowSetBuilder builder(members, shape.switches);
    builder.Set().steps = NVLS_CHUNKS;
    builder.Set().pieces = uint64_t(NVLS_CHUNKS) * shape.switches;
    std::vector<uint32_t> before(uint64_t(members) * shape.switches, NO_FLOW);
    std::vector<uint32_t> down(shape.switches, NO_FLOW); // first of the quarter before
    for (uint32_t chunk = 0; chunk < NVLS_CHUNKS; ++chunk)
    {
        for (uint32_t index = 0; index < shape.switches; ++index)
        {
            std::vector<uint32_t> parents;
            WorkloadSimAiFlow flow;
            flow.step = chunk;
            flow.dst = flow.previous = members + index;
            for (flow.src = 0; flow.src < members; ++flow.src)
            {
                uint32_t& mine = before[uint64_t(flow.src) * shape.switches + index];
                flow.afterSent = mine;
                flow.postedBy = down[index];
                mine = builder.Add(flow, {});
                parents.push_back(mine);
            }
            flow.src = members + index;
            flow.afterSent = NO_FLOW;
            down[index] = uint32_t(builder.Set().flows.size());
            for (flow.dst = 0; flow.dst < members; ++flow.dst)
            {
                flow.previous = flow.dst;
                flow.postedBy = parents[flow.dst];
                builder.Add(flow, parents);
            }
        }
    }
    return builder.Finish();
}

} // namespace

WorkloadSimAiFlowSet
MakeWorkloadSimAiFlows(WorkloadSimAiKind kind,
                       WorkloadSimAiAlgorithm algorithm,
                       bool pxn,
                       const WorkloadSimAiShape& shape)
{
    if (kind == WorkloadSimAiKind::ALL_TO_ALL)
    {
        return MakeAllToAll(shape);
    }
    return algorithm == WorkloadSimAiAlgorithm::NVLS ? MakeNvls(shape)
                                                     : MakeRings(kind, pxn, shape);
}

uint64_t
WorkloadSimAiFlowBytes(const WorkloadSimAiFlowSet& set, uint64_t bytes)
{
    const uint64_t part =
        set.switches > 0 ? bytes / set.pieces : bytes / set.members / set.channels;
    return std::max<uint64_t>(part, 1);
}

uint64_t
WorkloadSimAiFloatBytes(uint64_t bytes)
{
    const float rounded = float(bytes);
    return rounded >= 18446744073709551616.0F ? UINT64_MAX : uint64_t(rounded);
}

} // namespace ns3
