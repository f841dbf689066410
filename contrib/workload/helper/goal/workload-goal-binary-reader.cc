/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-binary-reader.h"

#include "workload-goal-binary-format.h"
#include "workload-goal-limits.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Most that is read at once: a size that a damaged file claims is not believed before the bytes
 * are there. */
constexpr uint64_t BLOCK = 1 << 20;

const char* const REMEDY = "; make the file again from its text";

} // namespace

WorkloadGoalBinaryReader::WorkloadGoalBinaryReader(std::istream& in, const std::string& name)
    : m_in(in),
      m_name(name)
{
    ReadHead();
    ReadJumpTable();
}

void
WorkloadGoalBinaryReader::Fail(const std::string& message) const
{
    throw InputError(m_name, 0, message + REMEDY);
}

void
WorkloadGoalBinaryReader::FailAt(uint32_t operation, const std::string& message) const
{
    Fail("rank " + std::to_string(m_rank) + ", operation " + std::to_string(operation) + ": " +
         message);
}

template <typename T>
T
WorkloadGoalBinaryReader::Load(uint64_t at) const
{
    return LoadWorkloadGoal<T>(m_block.data() + at);
}

void
WorkloadGoalBinaryReader::Read(uint64_t bytes, const std::string& what)
{
    uint64_t filled = 0;
    m_block.resize(std::min(bytes, std::max<uint64_t>(BLOCK, m_block.capacity())));
    while (filled < bytes)
    {
        if (filled == m_block.size())
        {
            m_block.resize(std::min(bytes, 2 * filled));
        }
        m_in.read(reinterpret_cast<char*>(m_block.data() + filled),
                  static_cast<std::streamsize>(m_block.size() - filled));
        filled += static_cast<uint64_t>(m_in.gcount());
        if (m_in.bad())
        {
            throw InputError(m_name, 0, "cannot be read further; is it a file?");
        }
        if (filled < m_block.size())
        {
            Fail("ends at byte " + std::to_string(m_offset + filled) + ", inside " + what +
                 ", which ends at byte " + std::to_string(m_offset + bytes) +
                 ": the file is cut off");
        }
    }
    m_offset += bytes;
}

void
WorkloadGoalBinaryReader::ReadHead()
{
    Read(WORKLOAD_GOAL_BASE + WORKLOAD_GOAL_HEAD, "the head");
    const auto magic = Load<uint64_t>(0);
    if (magic == WORKLOAD_GOAL_MAGIC_CONSUMED)
    {
        Fail("LogGOPSim --save-mem has used this file up: it counted the dependencies in it down");
    }
    if (magic != WORKLOAD_GOAL_MAGIC)
    {
        Fail("begins with " + std::to_string(magic) + ", not " +
             std::to_string(WORKLOAD_GOAL_MAGIC) + ": it is no binary GOAL file");
    }
    m_ranks = Load<uint32_t>(8);
    m_cpu = m_block[12];
    m_nic = m_block[13];
    if (m_ranks == 0 || m_ranks > WORKLOAD_GOAL_MOST_RANKS)
    {
        Fail("announces " + std::to_string(m_ranks) + " ranks; 1 to " +
             std::to_string(WORKLOAD_GOAL_MOST_RANKS) + " are possible");
    }
    if (m_cpu > WORKLOAD_GOAL_MOST_CPU || m_nic > WORKLOAD_GOAL_MOST_NIC)
    {
        Fail("announces cpu " + std::to_string(m_cpu) + " and nic " + std::to_string(m_nic) +
             "; at most 254 are possible");
    }
}

void
WorkloadGoalBinaryReader::ReadJumpTable()
{
    constexpr uint32_t AT_ONCE = BLOCK / WORKLOAD_GOAL_JUMP;
    uint64_t end = WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * m_ranks;
    for (uint32_t first = 0; first < m_ranks;)
    {
        const uint32_t count = std::min(AT_ONCE, m_ranks - first);
        Read(WORKLOAD_GOAL_JUMP * count, "the jump table");
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto start = Load<uint64_t>(WORKLOAD_GOAL_JUMP * i);
            const auto next = Load<uint64_t>(WORKLOAD_GOAL_JUMP * i + 8);
            if (start != end || next < start || next - start < WORKLOAD_GOAL_RANK_HEAD ||
                next > INT64_MAX)
            {
                Fail("rank " + std::to_string(first + i) + " is said to reach from " +
                     std::to_string(start) + " to " + std::to_string(next) +
                     " (after the magic), but must begin at " + std::to_string(end) +
                     " and hold at least " + std::to_string(WORKLOAD_GOAL_RANK_HEAD) + " bytes");
            }
            m_ends.push_back(next);
            end = next;
        }
        first += count;
    }
}

bool
WorkloadGoalBinaryReader::Next(WorkloadRank& rank)
{
    if (m_rank == m_ranks)
    {
        CheckEnd();
        return false;
    }
    const uint64_t bytes = m_ends[m_rank] + WORKLOAD_GOAL_BASE - m_offset;
    Read(bytes, "rank " + std::to_string(m_rank));
    const auto count = Load<uint32_t>(0);
    const auto roots = Load<uint32_t>(4);
    const uint64_t records = WORKLOAD_GOAL_RANK_HEAD + 4 * static_cast<uint64_t>(roots);
    const uint64_t lists = records + WORKLOAD_GOAL_NODE * count;
    if (count > WorkloadWaiter::MAX_OPERATIONS || roots > count || lists > bytes ||
        (bytes - lists) % 4 != 0 || (bytes - lists) / 4 > UINT32_MAX)
    {
        Fail("rank " + std::to_string(m_rank) + " is said to have " + std::to_string(count) +
             " operations, " + std::to_string(roots) +
             " of them without dependencies, which does not fit its " + std::to_string(bytes) +
             " bytes");
    }
    rank.waiters.resize((bytes - lists) / 4);
    ReadOperations(records, count, rank);
    ReadWaiters(lists, count, rank);
    CheckDependencies(rank);
    CheckRoots(roots, rank);
    ++m_rank;
    return true;
}

void
WorkloadGoalBinaryReader::ReadOperations(uint64_t at, uint32_t count, WorkloadRank& rank)
{
    rank.operations.resize(count);
    rank.firstWaiter.resize(count + static_cast<size_t>(1));
    uint64_t waiters = 0;
    for (uint32_t i = 0; i < count; ++i, at += WORKLOAD_GOAL_NODE)
    {
        WorkloadOperation& operation = rank.operations[i];
        operation = {Load<uint64_t>(at + 9),
                     Load<uint32_t>(at + 5),
                     Load<uint32_t>(at + 17),
                     Load<uint32_t>(at),
                     static_cast<WorkloadKind>(m_block[at + 4]),
                     m_block[at + 21],
                     m_block[at + 22]};
        const std::string fault = WorkloadGoalFault(operation, m_ranks);
        if (!fault.empty())
        {
            FailAt(i, fault);
        }
        if (operation.cpu > m_cpu || operation.nic > m_nic)
        {
            FailAt(i,
                   "uses cpu " + std::to_string(operation.cpu) + " and nic " +
                       std::to_string(operation.nic) + ", but the file announces " +
                       std::to_string(m_cpu) + " and " + std::to_string(m_nic) + " at most");
        }
        m_cpuSeen = std::max(m_cpuSeen, operation.cpu);
        m_nicSeen = std::max(m_nicSeen, operation.nic);

        const auto onCompletion = Load<uint32_t>(at + 23);
        const auto onStart = Load<uint32_t>(at + 31);
        const uint64_t starts = waiters + onCompletion;
        rank.firstWaiter[i] = static_cast<uint32_t>(waiters);
        if (Load<uint32_t>(at + 27) != waiters || Load<uint32_t>(at + 35) != starts ||
            starts + onStart > rank.waiters.size())
        {
            FailAt(i,
                   "its lists of waiting operations do not follow those of the one before, or "
                   "reach beyond the rank");
        }
        waiters = starts + onStart;
    }
    rank.firstWaiter[count] = static_cast<uint32_t>(waiters);
    if (waiters != rank.waiters.size())
    {
        Fail("rank " + std::to_string(m_rank) + " holds " + std::to_string(rank.waiters.size()) +
             " dependencies, but its operations name " + std::to_string(waiters));
    }
}

void
WorkloadGoalBinaryReader::ReadWaiters(uint64_t at, uint32_t count, WorkloadRank& rank)
{
    const uint64_t records = at - WORKLOAD_GOAL_NODE * count;
    uint32_t waiter = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto starts = Load<uint32_t>(records + WORKLOAD_GOAL_NODE * i + 35);
        for (; waiter < rank.firstWaiter[i + 1]; ++waiter, at += 4)
        {
            const auto operation = Load<uint32_t>(at);
            if (operation >= count)
            {
                FailAt(i,
                       "operation " + std::to_string(operation) + " waits for it, but there are " +
                           std::to_string(count));
            }
            rank.waiters[waiter] = WorkloadWaiter(operation, waiter >= starts);
        }
    }
}

void
WorkloadGoalBinaryReader::CheckDependencies(const WorkloadRank& rank) const
{
    std::vector<uint32_t> counts(rank.operations.size());
    for (const WorkloadWaiter waiter : rank.waiters)
    {
        ++counts[waiter.Operation()];
    }
    for (uint32_t i = 0; i < counts.size(); ++i)
    {
        if (counts[i] != rank.operations[i].dependencies)
        {
            FailAt(i,
                   "is said to wait for " + std::to_string(rank.operations[i].dependencies) +
                       " operations, but " + std::to_string(counts[i]) +
                       " name it (a run of LogGOPSim --save-mem that did not end leaves such a "
                       "file)");
        }
    }
}

void
WorkloadGoalBinaryReader::CheckRoots(uint32_t count, const WorkloadRank& rank) const
{
    uint32_t root = 0;
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        if (rank.operations[i].dependencies == 0)
        {
            if (root == count || Load<uint32_t>(WORKLOAD_GOAL_RANK_HEAD + 4UL * root) != i)
            {
                FailAt(i,
                       "waits for nothing, but is not where it should be in the list of those "
                       "that do not");
            }
            ++root;
        }
    }
    if (root != count)
    {
        Fail("rank " + std::to_string(m_rank) + " is said to have " + std::to_string(count) +
             " operations without dependencies, but has " + std::to_string(root));
    }
}

void
WorkloadGoalBinaryReader::CheckEnd()
{
    if (m_in.peek() != std::istream::traits_type::eof())
    {
        Fail("goes on after byte " + std::to_string(m_offset) + ", where the last rank ends");
    }
    if (m_cpuSeen != m_cpu || m_nicSeen != m_nic)
    {
        Fail("announces cpu " + std::to_string(m_cpu) + " and nic " + std::to_string(m_nic) +
             " as the highest, but they are " + std::to_string(m_cpuSeen) + " and " +
             std::to_string(m_nicSeen));
    }
}

} // namespace ns3
