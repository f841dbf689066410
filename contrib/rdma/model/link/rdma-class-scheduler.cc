/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-class-scheduler.h"

#include "rdma-port.h"

#include "ns3/abort.h"
#include "ns3/input-number.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaClassScheduler);

TypeId
RdmaClassScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaClassScheduler")
            .SetParent<RdmaEgressScheduler>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaClassScheduler>()
            .AddAttribute(
                "Classes",
                "Weights of classes, 1 to 1000, or strict for one that goes before all weighted "
                "ones, such as 2:4,5:strict; classes that are not named have the weight 1.",
                StringValue(""),
                MakeStringAccessor(&RdmaClassScheduler::SetClasses,
                                   &RdmaClassScheduler::GetClasses),
                MakeStringChecker());
    return tid;
}

void
RdmaClassScheduler::SetClasses(const std::string& text)
{
    m_text = text;
    m_strict = 0;
    m_weight.fill(1);
    std::istringstream in(text);
    for (std::string entry; std::getline(in, entry, ',');)
    {
        const size_t colon = std::min(entry.find(':'), entry.size());
        const std::string value = entry.substr(std::min(colon + 1, entry.size()));
        uint64_t queue = 0;
        uint64_t weight = 1;
        const bool strict = value == "strict";
        NS_ABORT_MSG_IF(
            !ParseInteger(entry.substr(0, colon), queue) || queue < 1 ||
                queue >= RdmaEgressQueues::COUNT ||
                (!strict && (!ParseInteger(value, weight) || weight < 1 || weight > MAX_WEIGHT)),
            "RdmaClassScheduler::Classes: \""
                << ShownText(entry)
                << "\" must be a class from 1 to 7, a colon, and a weight from 1 to " << MAX_WEIGHT
                << " or strict");
        m_strict |= strict ? 1U << queue : 0;
        m_weight[queue] = static_cast<int64_t>(weight);
    }
}

std::string
RdmaClassScheduler::GetClasses() const
{
    return m_text;
}

Ptr<RdmaEgressScheduler>
RdmaClassScheduler::Fork() const
{
    return CopyObject<RdmaClassScheduler>(this);
}

uint32_t
RdmaClassScheduler::DoChoose(const RdmaPort& port, uint32_t ready)
{
    if (const uint32_t strict = ready & m_strict)
    {
        return 31 - static_cast<uint32_t>(__builtin_clz(strict));
    }
    if (ready >> m_turn & 1 && m_left[m_turn] > 0)
    {
        return m_turn;
    }
    m_left[m_turn] = std::min<int64_t>(m_left[m_turn], 0);
    const uint32_t later = ready & ~((2U << m_turn) - 1);
    m_turn = static_cast<uint32_t>(__builtin_ctz(later ? later : ready));
    // more than any frame, so that nothing is owed after it
    m_left[m_turn] += m_weight[m_turn] * port.GetContext().largestFrame;
    return m_turn;
}

void
RdmaClassScheduler::OnSent(uint32_t queue, uint32_t bytes)
{
    if (!(m_strict >> queue & 1))
    {
        m_left[queue] -= bytes;
    }
}

} // namespace ns3
