/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective_checker.h"

#include "ns3/workload-collective-layout.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace ns3;

namespace
{

using Kind = WorkloadCollectiveKind;

/** The members that contributed to a byte. */
using Contributors = uint32_t;

struct Message
{
    uint32_t rank;
    uint32_t operation;
    std::vector<Contributors> data; //!< only if it was taken at the send
};

class Checker
{
  public:
    Checker(const WorkloadSchedule& schedule,
            const std::vector<uint32_t>& members,
            const WorkloadCollective& collective,
            const WorkloadCollectiveTrace& trace,
            DataTaken taken,
            RunOrder order,
            uint64_t seed)
        : m_schedule(schedule),
          m_members(members),
          m_collective(collective),
          m_taken(taken),
          m_order(order),
          m_random(seed * 2 + 1)
    {
        for (uint32_t index = 0; index < members.size(); ++index)
        {
            m_index[members[index]] = index;
        }
        for (const WorkloadCollectiveTransfer& transfer : trace)
        {
            m_transfers[{transfer.rank, transfer.operation}] = transfer;
            if (transfer.receives)
            {
                m_placed[{transfer.rank, transfer.placed}] = transfer.operation;
            }
        }
        SetInitialData();
    }

    std::string Run()
    {
        for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
        {
            const auto& operations = m_schedule.ranks[rank].operations;
            m_missing.emplace_back();
            for (uint32_t operation = 0; operation < operations.size(); ++operation)
            {
                m_missing.back().push_back(operations[operation].dependencies);
                if (operations[operation].dependencies == 0)
                {
                    m_ready.emplace_back(rank, operation);
                }
            }
        }
        while (m_error.empty() && (!m_ready.empty() || !m_matchable.empty()))
        {
            Step();
        }
        if (m_error.empty() && m_done != m_schedule.CountOperations())
        {
            m_error = std::to_string(m_schedule.CountOperations() - m_done) +
                      " operations never complete";
        }
        return m_error.empty() ? CheckResult() : m_error;
    }

  private:
    using OperationId = std::pair<uint32_t, uint32_t>;    // rank, operation
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>; // from, to, tag
    using Memory = std::vector<Contributors>;             // by byte

    uint64_t Random(uint64_t below)
    {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        return (m_random >> 20) % below;
    }

    WorkloadRange Own(uint32_t index) const
    {
        return CutWorkloadRange({0, m_collective.bytes},
                                index,
                                m_members.size(),
                                m_collective.elementBytes);
    }

    /** What a member has before: its own contribution, where it has one. */
    void SetInitialData()
    {
        for (uint32_t index = 0; index < m_members.size(); ++index)
        {
            const Contributors own = Contributors{1} << index;
            Memory memory(m_collective.bytes, own);
            const WorkloadRange part = Own(index);
            for (uint64_t byte = 0; byte < m_collective.bytes; ++byte)
            {
                const bool outside = byte < part.begin || byte >= part.end;
                if ((m_collective.kind == Kind::ALL_GATHER && outside) ||
                    (m_collective.kind == Kind::BROADCAST && index != m_collective.root))
                {
                    memory[byte] = 0;
                }
            }
            m_memory.push_back(memory);
            m_received.emplace_back(m_members.size(), Memory(m_collective.bytes, 0));
        }
    }

    /** Runs one operation that can run, or matches one message. */
    void Step()
    {
        const bool match =
            !m_matchable.empty() && (m_ready.empty() || (m_order == RunOrder::RECEIVES_FIRST) ||
                                     (m_order == RunOrder::RANDOM && Random(2) == 0) ||
                                     (m_order == RunOrder::LAST_RANK_FIRST && Random(2) == 0));
        if (match)
        {
            const size_t chosen = Random(m_matchable.size());
            const Key key = m_matchable[chosen];
            m_matchable.erase(m_matchable.begin() + static_cast<std::ptrdiff_t>(chosen));
            Match(key);
            return;
        }
        const size_t chosen = Choose();
        const OperationId step = m_ready[chosen];
        m_ready.erase(m_ready.begin() + static_cast<std::ptrdiff_t>(chosen));
        Start(step);
    }

    /** \return index of the ready operation to run */
    size_t Choose()
    {
        const size_t first = Random(m_ready.size());
        if (m_order == RunOrder::RANDOM)
        {
            return first;
        }
        const auto rating = [&](const OperationId& step) {
            const WorkloadKind kind = m_schedule.ranks[step.first].operations[step.second].kind;
            const bool wanted = kind == (m_order == RunOrder::RECEIVES_FIRST ? WorkloadKind::RECV
                                                                             : WorkloadKind::SEND);
            return m_order == RunOrder::LAST_RANK_FIRST ? step.first : uint32_t{wanted};
        };
        size_t best = first;
        for (size_t i = 0; i < m_ready.size(); ++i)
        {
            best = rating(m_ready[i]) > rating(m_ready[best]) ? i : best;
        }
        return best;
    }

    void Start(OperationId step)
    {
        const WorkloadOperation& operation = m_schedule.ranks[step.first].operations[step.second];
        if (operation.kind == WorkloadKind::CALC)
        {
            Complete(step);
            return;
        }
        const bool sends = operation.kind == WorkloadKind::SEND;
        const Key key = sends ? Key{step.first, operation.peer, operation.tag}
                              : Key{operation.peer, step.first, operation.tag};
        Message message{step.first, step.second, {}};
        if (sends && m_taken == DataTaken::AT_SEND)
        {
            message.data = Data(step);
        }
        auto& same = sends ? m_sent : m_posted;
        if (!same.emplace(key, message).second)
        {
            m_error = "two messages from rank " + std::to_string(std::get<0>(key)) + " to rank " +
                      std::to_string(std::get<1>(key)) + " have tag " +
                      std::to_string(std::get<2>(key));
        }
        if (m_sent.count(key) && m_posted.count(key))
        {
            m_matchable.push_back(key);
        }
        if (sends && m_taken == DataTaken::AT_SEND)
        {
            Complete(step);
        }
    }

    Memory Data(OperationId step) const
    {
        const WorkloadCollectiveTransfer& transfer = m_transfers.at(step);
        const Memory& memory = m_memory[m_index.at(step.first)];
        return {memory.begin() + static_cast<std::ptrdiff_t>(transfer.begin),
                memory.begin() + static_cast<std::ptrdiff_t>(transfer.end)};
    }

    void Match(const Key& key)
    {
        const Message& send = m_sent.at(key);
        const Message& receive = m_posted.at(key);
        const WorkloadCollectiveTransfer& from = m_transfers.at({send.rank, send.operation});
        const WorkloadCollectiveTransfer& to = m_transfers.at({receive.rank, receive.operation});
        if (from.begin != to.begin || from.end != to.end ||
            m_schedule.ranks[send.rank].operations[send.operation].size !=
                m_schedule.ranks[receive.rank].operations[receive.operation].size)
        {
            m_error = "a receive of rank " + std::to_string(receive.rank) +
                      " expects other bytes than it gets";
            return;
        }
        const bool late = m_taken == DataTaken::AT_MATCH;
        m_arrived[{receive.rank, receive.operation}] =
            late ? Data({send.rank, send.operation}) : send.data;
        m_sender[{receive.rank, receive.operation}] = m_index.at(send.rank);
        Complete({receive.rank, receive.operation});
        if (late)
        {
            Complete({send.rank, send.operation});
        }
    }

    void Complete(OperationId step)
    {
        ++m_done;
        const auto placed = m_placed.find(step);
        if (placed != m_placed.end())
        {
            Place({step.first, placed->second});
        }
        const WorkloadRank& rank = m_schedule.ranks[step.first];
        for (const WorkloadWaiter* waiter = rank.BeginWaiters(step.second);
             waiter != rank.EndWaiters(step.second);
             ++waiter)
        {
            if (--m_missing[step.first][waiter->Operation()] == 0)
            {
                m_ready.emplace_back(step.first, waiter->Operation());
            }
        }
    }

    /** Puts what a receive got where it belongs. */
    void Place(OperationId receive)
    {
        const WorkloadCollectiveTransfer& transfer = m_transfers.at(receive);
        const Memory& data = m_arrived.at(receive);
        const uint32_t index = m_index.at(receive.first);
        const bool between =
            m_collective.kind == Kind::ALL_TO_ALL || m_collective.kind == Kind::SEND_RECV;
        Memory& memory = between ? m_received[index][m_sender.at(receive)] : m_memory[index];
        for (uint64_t i = 0; i < data.size(); ++i)
        {
            Contributors& byte = memory[transfer.begin + i];
            if (between && byte != 0)
            {
                m_error = "a byte is delivered twice";
            }
            if (transfer.reduces && (byte & data[i]) != 0)
            {
                m_error = "rank " + std::to_string(receive.first) + " adds a contribution twice";
            }
            byte = transfer.reduces ? byte | data[i] : data[i];
        }
    }

    /** \return who must have contributed to a byte of a member's result; 0 if anything will do */
    Contributors Expected(uint32_t index, uint64_t byte) const
    {
        const auto all = static_cast<Contributors>((uint64_t{1} << m_members.size()) - 1);
        const WorkloadRange part = Own(index);
        switch (m_collective.kind)
        {
        case Kind::ALL_REDUCE:
            return all;
        case Kind::REDUCE_SCATTER:
            return byte >= part.begin && byte < part.end ? all : 0;
        case Kind::REDUCE:
            return index == m_collective.root ? all : 0;
        case Kind::BROADCAST:
            return Contributors{1} << m_collective.root;
        default: { // all-gather
            uint32_t owner = 0;
            while (byte >= Own(owner).end)
            {
                ++owner;
            }
            return Contributors{1} << owner;
        }
        }
    }

    static std::string Where(uint64_t byte, uint32_t index)
    {
        return "byte " + std::to_string(byte) + " of member " + std::to_string(index);
    }

    std::string CheckResult() const
    {
        const auto count = static_cast<uint32_t>(m_members.size());
        for (uint32_t index = 0; index < count; ++index)
        {
            for (uint64_t byte = 0; byte < m_collective.bytes; ++byte)
            {
                if (m_collective.kind == Kind::ALL_TO_ALL || m_collective.kind == Kind::SEND_RECV)
                {
                    for (uint32_t from = 0; from < count; ++from)
                    {
                        const WorkloadRange part = Own(index);
                        const bool due =
                            m_collective.kind == Kind::ALL_TO_ALL
                                ? from != index && byte >= part.begin && byte < part.end
                                : count > 1 && (from + 1) % count == index;
                        if (m_received[index][from][byte] != (due ? 1U << from : 0))
                        {
                            return Where(byte, index) + " from member " + std::to_string(from) +
                                   " is wrong";
                        }
                    }
                    continue;
                }
                const Contributors expected = Expected(index, byte);
                if (expected != 0 && m_memory[index][byte] != expected)
                {
                    return Where(byte, index) + " has contributors " +
                           std::to_string(m_memory[index][byte]) + ", expected " +
                           std::to_string(expected);
                }
            }
        }
        return "";
    }

    const WorkloadSchedule& m_schedule;
    const std::vector<uint32_t>& m_members;
    const WorkloadCollective& m_collective;
    DataTaken m_taken;
    RunOrder m_order;
    uint64_t m_random;
    std::map<uint32_t, uint32_t> m_index; //!< of ranks
    std::map<OperationId, WorkloadCollectiveTransfer> m_transfers;
    std::map<OperationId, uint32_t>
        m_placed;                 //!< receive that is in place when an operation completes
    std::vector<Memory> m_memory; //!< by member
    std::vector<std::vector<Memory>> m_received;  //!< by member and sender, if point to point
    std::vector<std::vector<uint32_t>> m_missing; //!< dependencies
    std::vector<OperationId> m_ready;
    std::map<Key, Message> m_sent; //!< kept, so that no other one has their key
    std::map<Key, Message> m_posted;
    std::vector<Key> m_matchable;
    std::map<OperationId, Memory> m_arrived;
    std::map<OperationId, uint32_t> m_sender; //!< member that a receive got its message from
    uint64_t m_done{0};
    std::string m_error;
};

} // namespace

std::string
CheckDelivery(const WorkloadSchedule& schedule,
              const std::vector<uint32_t>& members,
              const WorkloadCollective& collective,
              const WorkloadCollectiveTrace& trace,
              DataTaken taken,
              RunOrder order,
              uint64_t seed)
{
    return Checker(schedule, members, collective, trace, taken, order, seed).Run();
}
