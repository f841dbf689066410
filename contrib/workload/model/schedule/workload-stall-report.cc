/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-stall-report.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t NO_INDEX = UINT32_MAX;

/** \return whether two peers or tags may mean the same */
bool
Fits(uint32_t a, uint32_t b)
{
    return a == b || a == WORKLOAD_ANY || b == WORKLOAD_ANY;
}

/** \return "5 operations are", "1 operation is" */
std::string
CountOfOperations(size_t count)
{
    return std::to_string(count) + (count == 1 ? " operation is" : " operations are");
}

} // namespace

WorkloadStallReport::WorkloadStallReport(const WorkloadJobs& jobs,
                                         const WorkloadNetwork& network,
                                         const WorkloadRunner& runner)
    : m_jobs(jobs),
      m_network(network),
      m_runner(runner)
{
    for (uint32_t process = 0; process < jobs.GetProcessCount(); ++process)
    {
        m_done.push_back(IsDone(process));
    }
}

std::vector<std::string>
WorkloadStallReport::Explain(size_t max) const
{
    std::vector<std::string> lines;
    for (const std::vector<uint32_t>& circle : FindCircles(max))
    {
        lines.push_back(DescribeCircle(circle));
    }
    size_t described = 0;
    size_t left = 0;
    for (uint32_t process = 0; process < m_done.size(); ++process)
    {
        if (m_done[process])
        {
            continue;
        }
        if (described == max)
        {
            ++left;
            continue;
        }
        ++described;
        lines.push_back(DescribeProcess(process));
    }
    if (left > 0)
    {
        lines.push_back(
            "and " + std::to_string(left) +
            (left == 1 ? " more rank that is not done" : " more ranks that are not done"));
    }
    return lines;
}

std::vector<uint32_t>
WorkloadStallReport::WaitsFor(uint32_t process) const
{
    std::vector<uint32_t> result;
    const std::vector<WorkloadOperation>& operations = m_jobs.GetRank(process).operations;
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        const State state = m_runner.GetState({process, i});
        if (operations[i].kind == WorkloadKind::CALC || operations[i].peer == WORKLOAD_ANY ||
            state == State::WAITING || state == State::COMPLETED)
        {
            continue;
        }
        const uint32_t peer = m_jobs.GetPeer(process, operations[i].peer);
        if (!m_done[peer] && (result.empty() || result.back() != peer))
        {
            result.push_back(peer);
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<std::vector<uint32_t>>
WorkloadStallReport::FindCircles(size_t max) const
{
    struct Visit
    {
        uint32_t process;
        std::vector<uint32_t> peers;
        size_t next;
    };

    enum : char
    {
        NEW,
        ON_PATH,
        LEFT
    };

    std::vector<std::vector<uint32_t>> circles;
    std::vector<char> seen(m_done.size(), NEW);
    std::vector<Visit> path;
    const auto enter = [&](uint32_t process) {
        seen[process] = ON_PATH;
        path.push_back({process, WaitsFor(process), 0});
    };
    for (uint32_t root = 0; root < seen.size(); ++root)
    {
        if (m_done[root] || seen[root] != NEW)
        {
            continue;
        }
        enter(root);
        while (!path.empty())
        {
            Visit& visit = path.back();
            if (visit.next == visit.peers.size())
            {
                seen[visit.process] = LEFT;
                path.pop_back();
                continue;
            }
            const uint32_t peer = visit.peers[visit.next++];
            if (seen[peer] == NEW)
            {
                enter(peer);
            }
            else if (seen[peer] == ON_PATH && circles.size() < max)
            {
                const auto first = std::find_if(path.begin(), path.end(), [peer](const Visit& on) {
                    return on.process == peer;
                });
                circles.emplace_back();
                for (auto on = first; on != path.end(); ++on)
                {
                    circles.back().push_back(on->process);
                }
            }
        }
    }
    return circles;
}

std::string
WorkloadStallReport::DescribeCircle(const std::vector<uint32_t>& circle) const
{
    constexpr size_t SHOWN = 8;
    std::string line = m_jobs.GetProcessName(circle.front());
    for (size_t i = 1; i < std::min(circle.size(), SHOWN); ++i)
    {
        line += (i == 1 ? " waits for " : ", which waits for ") + m_jobs.GetProcessName(circle[i]);
    }
    if (circle.size() > SHOWN)
    {
        line += ", and so on through " + std::to_string(circle.size()) + " ranks";
    }
    return line + (circle.size() == 1 ? " waits for " : ", which waits for ") +
           m_jobs.GetProcessName(circle.front());
}

std::string
WorkloadStallReport::DescribeProcess(uint32_t process) const
{
    const std::vector<WorkloadOperation>& operations = m_jobs.GetRank(process).operations;
    uint32_t issued = NO_INDEX;
    size_t issuedCount = 0;
    size_t waiting = 0;
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        const State state = m_runner.GetState({process, i});
        waiting += state == State::WAITING;
        if (state == State::ISSUED || state == State::STARTED)
        {
            issued = issued == NO_INDEX ? i : issued;
            ++issuedCount;
        }
    }
    std::string line = m_jobs.GetProcessName(process) + ": ";
    if (issuedCount > 0)
    {
        line += DescribeIssued({process, issued});
        if (issuedCount > 1)
        {
            line += ", and so " + CountOfOperations(issuedCount - 1) + " under way";
        }
    }
    if (waiting > 0)
    {
        line += (issuedCount > 0 ? "; " : "") + CountOfOperations(waiting) + " not ready";
        const std::string loop = DescribeLoop(process);
        line += loop.empty() ? "" : ": " + loop;
    }
    return line;
}

std::string
WorkloadStallReport::DescribeIssued(WorkloadStep step) const
{
    std::string text = Name(step) + ": " + m_network.Explain(step);
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    if (operation.kind != WorkloadKind::CALC && operation.peer != WORKLOAD_ANY &&
        !HasCounterpart(step))
    {
        text += ", but " + m_jobs.GetProcessName(m_jobs.GetPeer(step.process, operation.peer)) +
                " has no such " + (operation.kind == WorkloadKind::SEND ? "recv" : "send") +
                " left";
    }
    const WorkloadRank& rank = m_jobs.GetRank(step.process);
    const bool start = m_runner.GetState(step) == State::ISSUED;
    const WorkloadWaiter* end = rank.EndWaiters(step.operation);
    for (const WorkloadWaiter* waiter = rank.BeginWaiters(step.operation); waiter != end; ++waiter)
    {
        if (waiter->OnStart() <= start) // those who wait for a start that has been are not held up
        {
            return text + ", and " + Name({step.process, waiter->Operation()}) + " waits for it";
        }
    }
    return text;
}

std::vector<bool>
WorkloadStallReport::FindStuck(uint32_t process) const
{
    const WorkloadRank& rank = m_jobs.GetRank(process);
    const auto count = static_cast<uint32_t>(rank.operations.size());
    std::vector<uint32_t> missing(count);
    std::vector<uint32_t> free;
    for (uint32_t i = 0; i < count; ++i)
    {
        missing[i] = rank.operations[i].dependencies;
        if (m_runner.GetState({process, i}) != State::WAITING)
        {
            free.push_back(i);
        }
    }
    for (size_t k = 0; k < free.size(); ++k)
    {
        const WorkloadWaiter* end = rank.EndWaiters(free[k]);
        for (const WorkloadWaiter* w = rank.BeginWaiters(free[k]); w != end; ++w)
        {
            if (--missing[w->Operation()] == 0 &&
                m_runner.GetState({process, w->Operation()}) == State::WAITING)
            {
                free.push_back(w->Operation());
            }
        }
    }
    std::vector<bool> stuck(count, true);
    for (const uint32_t i : free)
    {
        stuck[i] = false;
    }
    return stuck;
}

std::string
WorkloadStallReport::DescribeLoop(uint32_t process) const
{
    const std::vector<bool> stuck = FindStuck(process);
    const auto count = static_cast<uint32_t>(stuck.size());
    auto at = static_cast<uint32_t>(std::find(stuck.begin(), stuck.end(), true) - stuck.begin());
    if (at == count)
    {
        return "";
    }
    const WorkloadRank& rank = m_jobs.GetRank(process);
    std::vector<uint32_t> cause(count, NO_INDEX); // one that is stuck too
    for (uint32_t i = 0; i < count; ++i)
    {
        const WorkloadWaiter* end = rank.EndWaiters(i);
        for (const WorkloadWaiter* w = rank.BeginWaiters(i); stuck[i] && w != end; ++w)
        {
            cause[w->Operation()] = i;
        }
    }
    std::vector<bool> visited(count, false);
    while (!visited[at])
    {
        visited[at] = true;
        at = cause[at];
    }
    std::string text = Name({process, at}) + " waits for ";
    if (cause[at] == at)
    {
        return text + "itself";
    }
    constexpr int SHOWN = 4;
    int shown = 0;
    uint32_t next = cause[at];
    for (; next != at && shown < SHOWN; next = cause[next], ++shown)
    {
        text += Name({process, next}) + ", which waits for ";
    }
    return text + (next == at ? Name({process, at}) : "others, and they in the end for the first");
}

std::string
WorkloadStallReport::Name(WorkloadStep step) const
{
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    const std::string number = "operation " + std::to_string(step.operation) + " (";
    if (operation.kind == WorkloadKind::CALC)
    {
        return number + "calc " + std::to_string(operation.size) + ")";
    }
    const std::string peer = operation.peer == WORKLOAD_ANY ? "-1" : std::to_string(operation.peer);
    const std::string tag = operation.tag == WORKLOAD_ANY ? "-1" : std::to_string(operation.tag);
    return number + (operation.kind == WorkloadKind::SEND ? "send " : "recv ") +
           std::to_string(operation.size) + "b " +
           (operation.kind == WorkloadKind::SEND ? "to " : "from ") + peer + " tag " + tag + ")";
}

bool
WorkloadStallReport::HasCounterpart(WorkloadStep step) const
{
    const WorkloadOperation& mine = m_jobs.GetOperation(step);
    const uint32_t me = m_jobs.GetRankNumber(step.process);
    const uint32_t peer = m_jobs.GetPeer(step.process, mine.peer);
    const std::vector<WorkloadOperation>& theirs = m_jobs.GetRank(peer).operations;
    for (uint32_t i = 0; i < theirs.size(); ++i)
    {
        if (theirs[i].kind != WorkloadKind::CALC && theirs[i].kind != mine.kind &&
            Fits(theirs[i].peer, me) && Fits(theirs[i].tag, mine.tag) &&
            m_runner.GetState({peer, i}) != State::COMPLETED)
        {
            return true;
        }
    }
    return false;
}

bool
WorkloadStallReport::IsDone(uint32_t process) const
{
    const auto count = static_cast<uint32_t>(m_jobs.GetRank(process).operations.size());
    for (uint32_t i = 0; i < count; ++i)
    {
        if (m_runner.GetState({process, i}) != State::COMPLETED)
        {
            return false;
        }
    }
    return true;
}

} // namespace ns3
