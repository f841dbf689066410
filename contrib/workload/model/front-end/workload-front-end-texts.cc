/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a front end says of its ranks, for people.

#include "workload-front-end.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return "1 send", "2 sends" */
std::string
CountText(size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace

std::string
WorkloadFrontEnd::RankText(uint32_t rank)
{
    return "rank " + std::to_string(rank);
}

std::string
WorkloadFrontEnd::TagText(const WorkloadMatchChannel& channel) const
{
    return ", " + (m_options.describeTag ? m_options.describeTag(channel.tag)
                                         : "tag " + std::to_string(channel.tag));
}

std::string
WorkloadFrontEnd::DescribeOwner(const WorkloadPost::Owner& owner) const
{
    const auto send = m_sends.find(owner.item);
    return RankText(owner.rank) +
           (send == m_sends.end()
                ? ""
                : " to " + RankText(send->second.channel.dst) + TagText(send->second.channel)) +
           ": ";
}

std::vector<std::string>
WorkloadFrontEnd::ExplainStall(size_t max) const
{
    std::vector<std::vector<WorkloadByteMatcher::Waiting>> receives(GetRankCount());
    std::vector<std::vector<uint32_t>> sends(GetRankCount());
    for (const WorkloadByteMatcher::Waiting& waiting : m_matcher.ListWaiting())
    {
        receives[waiting.channel.dst].push_back(waiting);
    }
    for (const auto& [item, send] : m_sends)
    {
        sends[send.channel.src].push_back(item);
    }
    for (std::vector<uint32_t>& ofRank : sends)
    {
        std::sort(ofRank.begin(), ofRank.end()); // in the order of the calls
    }
    std::vector<std::string> lines;
    if (!m_post.GetLoss().empty() && max > 0)
    {
        lines.push_back(m_post.GetLoss());
    }
    for (uint32_t rank = 0; rank < GetRankCount(); ++rank)
    {
        if (!m_finished[rank])
        {
            lines.push_back(ExplainRank(rank, receives[rank], sends[rank]));
        }
    }
    for (const WorkloadByteMatcher::Surplus& surplus : m_matcher.ListSurplus())
    {
        lines.push_back(RankText(surplus.channel.dst) + " does not ask for " +
                        std::to_string(surplus.bytes) + " bytes that have come from " +
                        RankText(surplus.channel.src) + TagText(surplus.channel));
    }
    if (lines.size() > max)
    {
        const size_t more = lines.size() - max + 1;
        lines.resize(max);
        lines.back() = "and " + std::to_string(more) + " lines more like these";
    }
    return lines;
}

std::string
WorkloadFrontEnd::ExplainRank(uint32_t rank,
                              const std::vector<WorkloadByteMatcher::Waiting>& receives,
                              const std::vector<uint32_t>& sends) const
{
    std::string text = RankText(rank);
    if (receives.empty() && sends.empty())
    {
        return text + " has not finished, but neither sends nor receives anything";
    }
    if (!receives.empty())
    {
        const WorkloadByteMatcher::Waiting& first = receives.front();
        text += " waits for " + std::to_string(first.bytes) + " bytes from " +
                RankText(first.channel.src) + TagText(first.channel) + ", of which " +
                std::to_string(first.come) + " have come" +
                (m_finished[first.channel.src] ? "; that rank has finished" : "");
        text += receives.size() > 1 ? "; and for " + CountText(receives.size() - 1, "more receive")
                                    : "";
    }
    if (!sends.empty())
    {
        const Pending& first = m_sends.at(sends.front());
        text += (receives.empty() ? " sends " : "; it sends ") + std::to_string(first.bytes) +
                " bytes to " + RankText(first.channel.dst) + TagText(first.channel) + ": " +
                (first.delivered  ? "delivered, and not acknowledged"
                 : first.repeated ? "as one before"
                                  : m_post.Explain(first.message));
        text += sends.size() > 1 ? "; and " + CountText(sends.size() - 1, "more send") : "";
    }
    return text;
}

} // namespace ns3
