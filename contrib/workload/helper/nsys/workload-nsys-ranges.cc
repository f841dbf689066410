/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nsys-ranges.h"

#include "workload-nsys-payload.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

const char* const EVENTS = "NVTX_EVENTS";
constexpr uint64_t PUSH_POP_RANGE = 59; // ENUM_NSYS_EVENT_TYPE: NvtxPushPopRange

/** What a range of NCCL is. */
enum class RangeKind : uint8_t
{
    CALL,
    GROUP_START,
    GROUP_END,
    INIT,
    UNSUPPORTED
};

/** A range. */
struct NsysRange
{
    uint64_t thread;
    uint64_t startNs;
    uint64_t endNs;
    RangeKind kind;
    WorkloadNcclCall call;
};

/** What a name stands for. */
struct NamedRange
{
    RangeKind kind;
    WorkloadNcclOperation operation;
};

const NamedRange*
FindNamedRange(const std::string& name)
{
    using Operation = WorkloadNcclOperation;
    constexpr Operation NONE = Operation::ALL_REDUCE;
    static const std::map<std::string, NamedRange> RANGES{
        {"ncclAllReduce", {RangeKind::CALL, Operation::ALL_REDUCE}},
        {"ncclAllGather", {RangeKind::CALL, Operation::ALL_GATHER}},
        {"ncclReduceScatter", {RangeKind::CALL, Operation::REDUCE_SCATTER}},
        {"ncclBroadcast", {RangeKind::CALL, Operation::BROADCAST}},
        {"ncclBcast", {RangeKind::CALL, Operation::BROADCAST}},
        {"ncclReduce", {RangeKind::CALL, Operation::REDUCE}},
        {"ncclAlltoAll", {RangeKind::CALL, Operation::ALL_TO_ALL}},
        {"ncclSend", {RangeKind::CALL, Operation::SEND}},
        {"ncclRecv", {RangeKind::CALL, Operation::RECV}},
        {"ncclGroupStart", {RangeKind::GROUP_START, NONE}},
        {"ncclGroupEnd", {RangeKind::GROUP_END, NONE}},
        {"ncclCommInitRank", {RangeKind::INIT, NONE}},
        {"ncclCommInitRankConfig", {RangeKind::INIT, NONE}},
        {"ncclCommInitRankScalable", {RangeKind::INIT, NONE}},
        {"ncclCommSplit", {RangeKind::INIT, NONE}},
        {"ncclCommShrink", {RangeKind::INIT, NONE}},
        {"ncclGather", {RangeKind::UNSUPPORTED, NONE}},
        {"ncclScatter", {RangeKind::UNSUPPORTED, NONE}},
        {"ncclAllGatherV", {RangeKind::UNSUPPORTED, NONE}},
        {"ncclPutSignal", {RangeKind::UNSUPPORTED, NONE}},
        {"ncclSignal", {RangeKind::UNSUPPORTED, NONE}},
        {"ncclWaitSignal", {RangeKind::UNSUPPORTED, NONE}}};
    const auto found = RANGES.find(name);
    return found == RANGES.end() ? nullptr : &found->second;
}

/** Reads the events of NVTX one by one. */
class RangeReader
{
  public:
    RangeReader(const WorkloadNsysDatabase& database,
                const WorkloadNsysStrings& strings,
                WorkloadNsysIds& ids)
        : m_strings(strings),
          m_ids(ids),
          m_payloads(database)
    {
    }

    void Read(const WorkloadNsysRow& row)
    {
        if (row.Integer(TYPE) != PUSH_POP_RANGE)
        {
            return;
        }
        std::string name = row.Bytes(TEXT);
        if (name.empty() && !row.IsNull(TEXT_ID))
        {
            const auto found = m_strings.find(row.Integer(TEXT_ID));
            name = found == m_strings.end() ? "" : found->second;
        }
        const NamedRange* named = FindNamedRange(name);
        if (named)
        {
            Add(row, name, *named);
        }
    }

    /** \return the ranges, by thread and time */
    std::vector<NsysRange> TakeRanges()
    {
        std::sort(m_ranges.begin(), m_ranges.end(), [](const NsysRange& a, const NsysRange& b) {
            return std::tie(a.thread, a.startNs) < std::tie(b.thread, b.startNs);
        });
        return std::move(m_ranges);
    }

    std::vector<WorkloadNsysInit> inits;

    static const std::vector<WorkloadNsysColumn>& Columns()
    {
        static const std::vector<WorkloadNsysColumn> COLUMNS{{"start"},
                                                             {"end"},
                                                             {"eventType"},
                                                             {"text"},
                                                             {"textId", true},
                                                             {"globalTid"},
                                                             {"binaryData", true}};
        return COLUMNS;
    }

  private:
    static constexpr size_t START = 0;
    static constexpr size_t END = 1;
    static constexpr size_t TYPE = 2;
    static constexpr size_t TEXT = 3;
    static constexpr size_t TEXT_ID = 4;
    static constexpr size_t THREAD = 5;
    static constexpr size_t PAYLOAD = 6;

    void Add(const WorkloadNsysRow& row, const std::string& name, const NamedRange& named)
    {
        if (named.kind == RangeKind::UNSUPPORTED)
        {
            row.Fail(name + " is a call that schedules are not made of: trace a part of the "
                            "program without it");
        }
        NsysRange range{row.Integer(THREAD),
                        row.Integer(START),
                        row.Integer(END, INT64_MAX, INT64_MAX), // cut off by the end of the trace
                        named.kind,
                        {}};
        if (named.kind == RangeKind::CALL)
        {
            range.call.operation = named.operation;
            SetCall(row, name, range.call);
        }
        if (named.kind == RangeKind::INIT)
        {
            AddInit(row, range.thread);
            return;
        }
        m_ranges.push_back(range);
    }

    void SetCall(const WorkloadNsysRow& row, const std::string& name, WorkloadNcclCall& call)
    {
        using Operation = WorkloadNcclOperation;
        const std::string payload = row.Bytes(PAYLOAD);
        if (payload.empty())
        {
            row.Fail(name + " has no binaryData, which says communicator and size: export the "
                            "report with nsys export --type sqlite --include-blobs true");
        }
        WorkloadNsysFields fields = m_payloads.Read(row, payload);
        const bool peer = call.operation == Operation::SEND || call.operation == Operation::RECV;
        const bool root =
            call.operation == Operation::BROADCAST || call.operation == Operation::REDUCE;
        const auto end = fields[peer ? WorkloadNsysField::PEER : WorkloadNsysField::ROOT];
        const auto communicator = fields[WorkloadNsysField::COMMUNICATOR];
        const auto bytes = fields[WorkloadNsysField::BYTES];
        if (!communicator || !bytes || ((peer || root) && !end))
        {
            row.Fail(name + " does not say its communicator, size" +
                     (peer   ? " and peer"
                      : root ? " and root"
                             : "") +
                     ": trace the program with NCCL 2.25 or newer");
        }
        if (*bytes > MOST_BYTES)
        {
            row.Fail(name + " of " + std::to_string(*bytes) +
                     " bytes: the export is damaged; export the report again");
        }
        call.bytes = *bytes;
        call.communicator =
            m_ids.emplace(*communicator, static_cast<uint32_t>(m_ids.size())).first->second;
        call.peer = peer || root ? static_cast<uint32_t>(*end) : 0;
    }

    void AddInit(const WorkloadNsysRow& row, uint64_t thread)
    {
        const std::string payload = row.Bytes(PAYLOAD);
        if (payload.empty())
        {
            return;
        }
        WorkloadNsysFields fields = m_payloads.Read(row, payload);
        const auto communicator = fields[WorkloadNsysField::COMMUNICATOR];
        const auto rank = fields[WorkloadNsysField::RANK];
        const auto ranks = fields[WorkloadNsysField::RANKS];
        const auto device = fields[WorkloadNsysField::DEVICE];
        if (communicator && rank && ranks && *rank < *ranks) // else of no use
        {
            inits.push_back({*communicator,
                             static_cast<uint32_t>(*rank),
                             static_cast<uint32_t>(*ranks),
                             WorkloadNsysProcessOf(thread),
                             static_cast<uint32_t>(device.value_or(0))});
        }
    }

    static constexpr uint64_t MOST_BYTES = uint64_t{1} << 40; // 2^20 ranks have at most 2^60

    const WorkloadNsysStrings& m_strings;
    WorkloadNsysIds& m_ids;
    WorkloadNsysPayloads m_payloads;
    std::vector<NsysRange> m_ranges;
};

} // namespace

WorkloadNsysRanges
ReadWorkloadNsysRanges(const WorkloadNsysDatabase& database,
                       const WorkloadNsysStrings& strings,
                       WorkloadNsysIds& ids)
{
    WorkloadNsysRanges made;
    if (!database.Has(EVENTS))
    {
        return made;
    }
    RangeReader reader(database, strings, ids);
    database.Read(EVENTS, RangeReader::Columns(), [&](const WorkloadNsysRow& row) {
        reader.Read(row);
    });
    uint64_t thread = UINT64_MAX;
    uint32_t depth = 0;
    std::vector<WorkloadNcclCall> group;
    for (const NsysRange& range : reader.TakeRanges())
    {
        if (range.thread != thread)
        {
            thread = range.thread;
            depth = 0;
            group.clear();
        }
        if (range.kind == RangeKind::GROUP_START)
        {
            ++depth;
            continue;
        }
        if (range.kind == RangeKind::CALL)
        {
            group.push_back(range.call);
        }
        else
        {
            depth -= depth > 0 ? 1 : 0; // the trace may begin within a group
        }
        if (depth == 0 && !group.empty())
        {
            made.batches.push_back({thread, range.startNs, range.endNs, std::move(group)});
            group.clear();
        }
    }
    made.inits = std::move(reader.inits);
    return made;
}

} // namespace ns3
