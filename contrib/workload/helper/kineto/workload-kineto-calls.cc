/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-calls.h"

#include "ns3/input-number.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_KINETO_BYTES = uint64_t{1} << 60;
constexpr uint64_t BARRIER_BYTES = 4; // PyTorch reduces one number

/** \return bytes of an element; 0 for a type that is not known */
uint64_t
ElementBytes(const std::string& dtype)
{
    static const std::map<std::string, uint64_t> BYTES{{"Byte", 1},
                                                       {"Char", 1},
                                                       {"Bool", 1},
                                                       {"Short", 2},
                                                       {"Half", 2},
                                                       {"BFloat16", 2},
                                                       {"UInt16", 2},
                                                       {"Int", 4},
                                                       {"Float", 4},
                                                       {"UInt32", 4},
                                                       {"Long", 8},
                                                       {"Double", 8},
                                                       {"UInt64", 8},
                                                       {"ComplexHalf", 4},
                                                       {"ComplexFloat", 8},
                                                       {"ComplexDouble", 16}};
    if (dtype.compare(0, 6, "Float8") == 0)
    {
        return 1;
    }
    const auto found = BYTES.find(dtype);
    return found == BYTES.end() ? 0 : found->second;
}

/** What a name of PyTorch's stands for. */
enum class KinetoCollective : uint8_t
{
    ALL_REDUCE,
    BARRIER,
    ALL_GATHER,
    REDUCE_SCATTER,
    BROADCAST,
    REDUCE,
    ALL_TO_ALL,
    SEND,
    RECV,
    GATHER,
    SCATTER
};

const std::map<std::string, KinetoCollective>&
Collectives()
{
    static const std::map<std::string, KinetoCollective> NAMES{
        {"allreduce", KinetoCollective::ALL_REDUCE},
        {"all_reduce", KinetoCollective::ALL_REDUCE},
        {"allreduce_coalesced", KinetoCollective::ALL_REDUCE},
        {"barrier", KinetoCollective::BARRIER},
        {"allgather", KinetoCollective::ALL_GATHER},
        {"all_gather", KinetoCollective::ALL_GATHER},
        {"_allgather_base", KinetoCollective::ALL_GATHER},
        {"_all_gather_base", KinetoCollective::ALL_GATHER},
        {"all_gather_into_tensor", KinetoCollective::ALL_GATHER},
        {"allgather_into_tensor_coalesced", KinetoCollective::ALL_GATHER},
        {"all_gather_into_tensor_coalesced", KinetoCollective::ALL_GATHER},
        {"reduce_scatter", KinetoCollective::REDUCE_SCATTER},
        {"_reduce_scatter_base", KinetoCollective::REDUCE_SCATTER},
        {"reduce_scatter_tensor", KinetoCollective::REDUCE_SCATTER},
        {"reduce_scatter_tensor_coalesced", KinetoCollective::REDUCE_SCATTER},
        {"broadcast", KinetoCollective::BROADCAST},
        {"_broadcast_oop", KinetoCollective::BROADCAST},
        {"reduce", KinetoCollective::REDUCE},
        {"_reduce_oop", KinetoCollective::REDUCE},
        {"all_to_all", KinetoCollective::ALL_TO_ALL},
        {"all_to_allv", KinetoCollective::ALL_TO_ALL},
        {"send", KinetoCollective::SEND},
        {"recv", KinetoCollective::RECV},
        {"gather", KinetoCollective::GATHER},
        {"scatter", KinetoCollective::SCATTER}};
    return NAMES;
}

/** Turns one event into calls. */
class CallsOfEvent
{
  public:
    CallsOfEvent(const std::string& file,
                 const WorkloadKinetoEvent& event,
                 const WorkloadKinetoGroup& group,
                 uint32_t communicator,
                 uint32_t own)
        : m_file(file),
          m_event(event),
          m_group(group),
          m_communicator(communicator),
          m_own(own)
    {
    }

    std::vector<WorkloadNcclCall> Make()
    {
        const auto found = Collectives().find(m_event.collective);
        if (found == Collectives().end())
        {
            Fail("Collective name " + ShownText(m_event.collective) +
                 " is none that schedules are made of: trace a part of the program without it");
        }
        AddAll(found->second);
        return std::move(m_calls);
    }

  private:
    using Operation = WorkloadNcclOperation;

    void AddAll(KinetoCollective collective)
    {
        switch (collective)
        {
        case KinetoCollective::BARRIER:
            Add(Operation::ALL_REDUCE, BARRIER_BYTES, 0);
            break;
        case KinetoCollective::ALL_REDUCE:
            Add(Operation::ALL_REDUCE, In(), 0);
            break;
        case KinetoCollective::ALL_GATHER:
            Add(Operation::ALL_GATHER, Out(), 0);
            break;
        case KinetoCollective::REDUCE_SCATTER:
            Add(Operation::REDUCE_SCATTER, In(), 0);
            break;
        case KinetoCollective::BROADCAST:
            Add(Operation::BROADCAST, In(), Root());
            break;
        case KinetoCollective::REDUCE:
            Add(Operation::REDUCE, In(), Root());
            break;
        case KinetoCollective::ALL_TO_ALL:
            AddAllToAll();
            break;
        case KinetoCollective::SEND:
            Add(Operation::SEND, In(), Peer(m_event.destination));
            break;
        case KinetoCollective::RECV:
            Add(Operation::RECV, Out(), Peer(m_event.source));
            break;
        case KinetoCollective::GATHER:
            AddRooted(In(), Operation::SEND, Operation::RECV);
            break;
        case KinetoCollective::SCATTER:
            AddRooted(Out(), Operation::RECV, Operation::SEND);
            break;
        }
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        FailWorkloadKineto(m_file, m_event, message);
    }

    void Add(Operation operation, uint64_t bytes, uint32_t peer)
    {
        m_calls.push_back({bytes, m_communicator, peer, operation});
    }

    uint64_t Bytes(const std::optional<uint64_t>& elements, const char* name) const
    {
        if (!elements)
        {
            Fail(m_event.collective + " has no " + name + WORKLOAD_KINETO_REMEDY);
        }
        const uint64_t each = ElementBytes(m_event.dtype);
        if (each == 0)
        {
            Fail("dtype " + ShownText(m_event.dtype) + " is none that is known" +
                 WORKLOAD_KINETO_REMEDY);
        }
        if (*elements > MOST_KINETO_BYTES / each)
        {
            Fail(std::string(name) + " " + std::to_string(*elements) +
                 " is too much: the trace is damaged; write it again");
        }
        return *elements * each;
    }

    uint64_t In() const
    {
        return Bytes(m_event.inElements, "In msg nelems");
    }

    uint64_t Out() const
    {
        return Bytes(m_event.outElements, "Out msg nelems");
    }

    uint32_t Root() const
    {
        return m_event.rank ? static_cast<uint32_t>(std::min<uint64_t>(*m_event.rank, UINT32_MAX))
                            : 0; // older PyTorch says no root: all that is known is that it has one
    }

    /** \return the place of a rank of the program in the group */
    uint32_t PlaceOf(uint64_t rank) const
    {
        const auto found = std::find(m_group.ranks.begin(), m_group.ranks.end(), rank);
        if (found == m_group.ranks.end())
        {
            Fail("rank " + std::to_string(rank) + " is not known to be in process group " +
                 ShownText(m_group.name) + WORKLOAD_KINETO_REMEDY);
        }
        return static_cast<uint32_t>(found - m_group.ranks.begin());
    }

    uint32_t Peer(const std::optional<uint64_t>& global) const
    {
        if (m_event.rank)
        {
            return Root(); // of the peer, in the group
        }
        if (!global)
        {
            Fail(m_event.collective + " does not say the other rank" + WORKLOAD_KINETO_REMEDY);
        }
        return PlaceOf(*global);
    }

    uint64_t Members() const
    {
        const uint64_t members = m_group.Members();
        if (members == 0 || members > MOST_MEMBERS)
        {
            Fail("process group " + ShownText(m_group.name) + " has " + std::to_string(members) +
                 " ranks" + WORKLOAD_KINETO_REMEDY);
        }
        return members;
    }

    void AddRooted(uint64_t bytes, Operation others, Operation roots)
    {
        const uint32_t root = Root();
        const uint32_t own = PlaceOf(m_own);
        if (own != root)
        {
            Add(others, bytes, root);
            return;
        }
        for (uint32_t member = 0; member < Members(); ++member)
        {
            if (member != own)
            {
                Add(roots, bytes, member);
            }
        }
    }

    void AddAllToAll()
    {
        const auto in = ParseWorkloadKinetoList(m_event.inSplit);
        const auto out = ParseWorkloadKinetoList(m_event.outSplit);
        const bool uneven =
            (in && !in->empty()) || (out && !out->empty()) || m_event.collective == "all_to_allv";
        if (!uneven && (in || m_event.inSplit.empty()) && (out || m_event.outSplit.empty()))
        {
            Add(Operation::ALL_TO_ALL, In(), 0);
            return;
        }
        AddSplit(Operation::SEND, In(), in, "In split size");
        AddSplit(Operation::RECV, Out(), out, "Out split size");
    }

    /** Adds parts in proportion to the lines of the tensor that they have. */
    void AddSplit(Operation operation,
                  uint64_t bytes,
                  const std::optional<std::vector<uint64_t>>& split,
                  const char* name)
    {
        const uint64_t members = Members();
        std::vector<uint64_t> lines = split ? *split : std::vector<uint64_t>();
        if (split && lines.empty())
        {
            lines.assign(members, 1); // evenly
        }
        uint64_t all = 0;
        for (const uint64_t line : lines)
        {
            all += std::min(line, MOST_KINETO_BYTES);
        }
        if (lines.size() != members || all > MOST_KINETO_BYTES || (all == 0 && bytes > 0))
        {
            Fail(std::string(name) + " must have the parts of all " + std::to_string(members) +
                 " ranks: the profiler leaves some out of lists of more than 30; trace a program "
                 "with smaller groups, or one whose parts are even");
        }
        for (uint32_t member = 0; member < members; ++member)
        {
            const double part = static_cast<double>(lines[member]) / static_cast<double>(all);
            const uint64_t line = all == 0 ? 0 : bytes / all;
            const uint64_t exact = all != 0 && bytes % all == 0
                                       ? line * lines[member]
                                       : static_cast<uint64_t>(part * static_cast<double>(bytes));
            if (exact > 0)
            {
                Add(operation, exact, member);
            }
        }
    }

    static constexpr uint64_t MOST_MEMBERS = 1 << 20;

    const std::string& m_file;
    const WorkloadKinetoEvent& m_event;
    const WorkloadKinetoGroup& m_group;
    const uint32_t m_communicator;
    const uint32_t m_own;
    std::vector<WorkloadNcclCall> m_calls;
};

} // namespace

void
AddWorkloadKinetoCalls(const std::string& file,
                       const WorkloadKinetoEvent& event,
                       const WorkloadKinetoGroup& group,
                       uint32_t communicator,
                       uint32_t own,
                       std::vector<WorkloadNcclCall>& calls)
{
    const std::vector<WorkloadNcclCall> made =
        CallsOfEvent(file, event, group, communicator, own).Make();
    calls.insert(calls.end(), made.begin(), made.end());
}

} // namespace ns3
