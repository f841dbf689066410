/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-collective.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wormhole
{

using ns3::WorkloadMpiCall;

namespace
{

/** \return what of a call must be the same for all members */
std::string
SharedText(const ns3::WorkloadMpiRecord& record)
{
    uint64_t bytes = record.bytes;
    bool rooted = false;
    switch (record.call)
    {
    case WorkloadMpiCall::Gatherv:
    case WorkloadMpiCall::Scatterv:
    case WorkloadMpiCall::Igatherv:
    case WorkloadMpiCall::Iscatterv:
        bytes = 0; // of each member's own block
        rooted = true;
        break;
    case WorkloadMpiCall::Bcast:
    case WorkloadMpiCall::Reduce:
    case WorkloadMpiCall::Gather:
    case WorkloadMpiCall::Scatter:
    case WorkloadMpiCall::Ibcast:
    case WorkloadMpiCall::Ireduce:
    case WorkloadMpiCall::Igather:
    case WorkloadMpiCall::Iscatter:
        rooted = true;
        break;
    case WorkloadMpiCall::Allgatherv:
    case WorkloadMpiCall::Reduce_scatter:
    case WorkloadMpiCall::Iallgatherv:
    case WorkloadMpiCall::Ireduce_scatter:
        bytes = std::accumulate(record.receives.begin(), record.receives.end(), uint64_t{0});
        break;
    default:
        break;
    }
    return std::string("MPI_") + ns3::WorkloadMpiCallName(record.call) +
           (bytes > 0 ? " of " + std::to_string(bytes) + " bytes" : "") +
           (rooted ? " with root " + std::to_string(record.peer) : "");
}

} // namespace

void
LiveCollectivesBegun::Add(uint64_t context,
                          uint32_t rank,
                          size_t members,
                          const ns3::WorkloadMpiRecord& record)
{
    const std::string call = SharedText(record);
    const auto begun = m_begun.try_emplace(context, Begun{rank, call, members}).first;
    if (begun->second.call != call)
    {
        throw ns3::InputError(
            "collective " + std::to_string(context & UINT32_MAX) + " of the communicator is " +
            call + " here, but " + begun->second.call + " at rank " +
            std::to_string(begun->second.rank) + "; all members must call the same");
    }
    if (--begun->second.left == 0)
    {
        m_begun.erase(begun);
    }
}

LiveCollective::LiveCollective(LiveMessages& messages,
                               uint64_t context,
                               std::vector<uint32_t> members,
                               uint32_t rank)
    : WorkloadMpiPart(static_cast<uint32_t>(members.size()), rank),
      m_messages(messages),
      m_context(context),
      m_members(std::move(members))
{
}

void
LiveCollective::Send(uint32_t to, uint64_t bytes)
{
    m_steps.back().push_back({true, m_members[to], bytes});
}

void
LiveCollective::Receive(uint32_t from, uint64_t bytes)
{
    m_steps.back().push_back({false, m_members[from], bytes});
}

void
LiveCollective::Next()
{
    if (!m_steps.back().empty())
    {
        m_steps.emplace_back();
    }
}

void
LiveCollective::Begin(int64_t ps, LiveMessages::Action over)
{
    m_ps = ps;
    m_over = std::move(over);
    RunStep();
}

void
LiveCollective::RunStep()
{
    const std::vector<Item> items = std::move(m_steps[m_step++]);
    if (items.empty()) // the last one
    {
        m_over(m_ps);
        return;
    }
    m_left = items.size();
    const int64_t ps = m_ps; // items that are over at once may change it
    const uint32_t own = m_members[GetRank()];
    const auto over = [self = shared_from_this()](int64_t at) { self->ItemOver(at); };
    for (const Item& item : items)
    {
        if (item.send)
        {
            m_messages.Send({{m_context, own, item.peer, 0}, item.bytes, 0},
                            LiveSending::STANDARD,
                            ps,
                            over);
        }
        else
        {
            m_messages.Receive({m_context, item.peer, own, 0},
                               ps,
                               [over](const LiveSent&, int64_t at) { over(at); });
        }
    }
}

void
LiveCollective::ItemOver(int64_t ps)
{
    m_ps = std::max(m_ps, ps);
    if (--m_left == 0)
    {
        RunStep();
    }
}

} // namespace wormhole
