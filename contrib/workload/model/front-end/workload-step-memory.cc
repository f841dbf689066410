/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-step-memory.h"

#include "ns3/workload-known-step.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/** Messages of all steps that are remembered: 80 MB. */
constexpr uint64_t MOST_KEPT = 1000000;

} // namespace

WorkloadStepMemory::WorkloadStepMemory(WorkloadRepeater& repeater, int64_t latencyPs, Calls calls)
    : m_repeater(repeater),
      m_latencyPs(latencyPs),
      m_calls(std::move(calls))
{
}

WorkloadStepMemory::~WorkloadStepMemory() = default;

void
WorkloadStepMemory::Waits(uint32_t message, const WorkloadTransfer& transfer, int64_t delayPs)
{
    m_waiting[message] = {message, transfer, m_calls.now() + delayPs};
}

void
WorkloadStepMemory::WillAct(int64_t delayPs)
{
    m_acts.push(m_calls.now() + delayPs);
}

bool
WorkloadStepMemory::Repeats(uint32_t message)
{
    if (m_underWay == 0 && m_left == 0)
    {
        Begin();
    }
    ++m_underWay;
    m_waiting.erase(message);
    if (m_places.count(message))
    {
        return m_isRepeated;
    }
    if (m_step)
    {
        m_step->isWrong = true; // a further message
    }
    return false;
}

/** Nothing is under way, and the first message is about to start. */
void
WorkloadStepMemory::Begin()
{
    m_since = m_calls.now();
    m_messages.clear();
    m_places.clear();
    for (const auto& [number, message] : m_waiting)
    {
        m_messages.push_back(message);
    }
    // by pair, and then in the order in which they start
    std::sort(m_messages.begin(), m_messages.end(), [](const Message& a, const Message& b) {
        const auto order = [](const Message& m) {
            return std::make_tuple(m.transfer.src, m.transfer.dst, m.startPs, m.number);
        };
        return order(a) < order(b);
    });
    m_left = m_messages.size();
    m_troubles = m_repeater.CountTroubles();
    m_isRepeated = false;
    m_isExact = true;
    m_audited.reset();
    m_step = std::make_shared<WorkloadKnownStep>();
    Key key;
    key.reserve(3 * m_messages.size());
    for (const Message& message : m_messages)
    {
        const WorkloadTransfer& transfer = message.transfer;
        m_places[message.number] = static_cast<uint32_t>(m_places.size());
        key.insert(key.end(), {transfer.src, transfer.dst, transfer.bytes});
        m_step->starts.push_back(message.startPs - m_since);
        m_step->isWrong = m_step->isWrong || !IsSure(transfer);
        m_isExact = m_isExact && m_repeater.IsShort(transfer);
    }
    if (m_step->isWrong)
    {
        m_isExact = false;
        return;
    }
    std::vector<std::shared_ptr<WorkloadKnownStep>>& alike = m_steps[key];
    const auto near = std::find_if(alike.begin(), alike.end(), [this](const auto& step) {
        return step->IsNear(m_step->starts);
    });
    if (near != alike.end())
    {
        Repeat(*near);
    }
    else if (alike.size() < WorkloadKnownStep::MOST_ALIKE && m_kept < MOST_KEPT)
    {
        m_kept += m_messages.size();
        alike.push_back(m_step);
    }
}

/** A step like this one is known. */
void
WorkloadStepMemory::Repeat(const std::shared_ptr<WorkloadKnownStep>& known)
{
    if (known->isWrong || !IsQuietUntil(m_since + known->events.back().at - m_latencyPs))
    {
        return;
    }
    if (m_repeater.BeginsAudit(known->hops, known->uses++))
    {
        m_audited = known;
        return;
    }
    m_step = known;
    m_isRepeated = true;
    // what happens at once is one event
    const std::vector<WorkloadKnownStep::Event>& events = known->events;
    for (uint32_t from = 0, to = 0; from < events.size(); from = to)
    {
        while (to < events.size() && events[to].at == events[from].at)
        {
            ++to;
        }
        m_calls.schedule(events[from].at, [this, from, to] { Happen(from, to); });
    }
}

/** The front end is told of events of the step, which is repeated. */
void
WorkloadStepMemory::Happen(uint32_t from, uint32_t to)
{
    const std::shared_ptr<const WorkloadKnownStep> step = m_step; // until all of these are told
    for (uint32_t i = from; i < to; ++i)
    {
        const WorkloadKnownStep::Event& event = step->events[i];
        const uint32_t number = m_messages[event.place].number;
        if (event.isEnd)
        {
            m_calls.acknowledged(number);
        }
        else
        {
            m_calls.delivered(number);
        }
    }
}

/** \return whether the front end does nothing by itself before \p timePs */
bool
WorkloadStepMemory::IsQuietUntil(int64_t timePs)
{
    while (!m_acts.empty() && m_acts.top() < m_since)
    {
        m_acts.pop(); // was done
    }
    return m_acts.empty() || m_acts.top() >= timePs;
}

/** \return whether all transfers between the two hosts go one way, without losses */
bool
WorkloadStepMemory::IsSure(const WorkloadTransfer& transfer)
{
    const auto [known, isNew] = m_sure.try_emplace({transfer.src, transfer.dst});
    if (isNew)
    {
        std::vector<WorkloadHop> hops;
        known->second =
            transfer.src != transfer.dst && m_repeater.FindHops(transfer.src, transfer.dst, hops);
    }
    return known->second;
}

void
WorkloadStepMemory::Delivered(uint32_t message)
{
    Happens(message, false);
}

void
WorkloadStepMemory::Acknowledged(uint32_t message)
{
    --m_underWay;
    Happens(message, true);
}

void
WorkloadStepMemory::Happens(uint32_t message, bool isEnd)
{
    const auto place = m_places.find(message);
    if (place == m_places.end())
    {
        return;
    }
    if (!m_isRepeated)
    {
        m_step->events.push_back({m_calls.now() - m_since, place->second, isEnd});
        m_step->hops += isEnd ? m_repeater.CountHops(m_messages[place->second].transfer) : 0;
    }
    m_left -= isEnd ? 1 : 0;
    if (m_left == 0)
    {
        End();
    }
}

void
WorkloadStepMemory::End()
{
    WorkloadRepeats& statistics = m_repeater.GetStatistics();
    m_places.clear();
    if (m_isRepeated)
    {
        ++statistics.steps;
        Emit();
        return;
    }
    WorkloadKnownStep& step = *m_step;
    step.isOver = true;
    step.isWrong = step.isWrong || m_repeater.CountTroubles() != m_troubles ||
                   step.events.back().at - step.events.front().at >= m_latencyPs;
    if (m_audited)
    {
        m_audited->isWrong =
            !m_repeater.IsRight(m_audited->LargestDifference(step), step.events.back().at);
        return;
    }
    ++(step.isWrong ? statistics.disturbed : statistics.recorded);
}

/** Records the messages of the step, which is repeated, that have ended. */
void
WorkloadStepMemory::Emit()
{
    std::vector<int64_t> delivered(m_messages.size());
    std::vector<uint32_t> order(m_messages.size());
    for (uint32_t place = 0; place < order.size(); ++place)
    {
        order[place] = place;
    }
    std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
        return std::make_pair(m_messages[a].startPs, m_messages[a].number) <
               std::make_pair(m_messages[b].startPs, m_messages[b].number);
    });
    std::vector<uint32_t> turns(m_messages.size());
    for (uint32_t turn = 0; turn < order.size(); ++turn)
    {
        turns[order[turn]] = turn;
    }
    std::vector<WorkloadRepeatedTransfer> transfers;
    transfers.reserve(m_messages.size());
    for (const WorkloadKnownStep::Event& event : m_step->events)
    {
        const int64_t at = m_since + event.at;
        if (at > m_calls.now())
        {
            break;
        }
        const Message& message = m_messages[event.place];
        if (event.isEnd)
        {
            transfers.push_back({message.transfer,
                                 turns[event.place],
                                 message.startPs,
                                 delivered[event.place],
                                 at});
        }
        delivered[event.place] = at;
    }
    m_repeater.Repeat(transfers);
}

void
WorkloadStepMemory::Stop()
{
    if (m_isRepeated && m_left > 0)
    {
        Emit();
    }
}

} // namespace ns3
