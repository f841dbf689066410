/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-text-reader.h"

#include "workload-goal-limits.h"

#include "ns3/input-error.h"

namespace ns3
{

WorkloadGoalTextReader::WorkloadGoalTextReader(std::istream& in,
                                               const std::string& name,
                                               WorkloadGoalNotes* notes)
    : m_in(in, name),
      m_notes(notes)
{
    ReadHead();
}

void
WorkloadGoalTextReader::ReadHead()
{
    while (m_ranks == 0 || !m_inRank)
    {
        if (!m_in.SeekStatement())
        {
            m_in.Fail(m_ranks ? "there is no rank: add \"rank 0 {\" ... \"}\""
                              : "num_ranks is missing: begin the file with \"num_ranks N\"");
        }
        const WorkloadGoalScanner::Word word = m_in.TakeWord();
        m_in.SkipBlanks();
        if (word.Is("num_ranks"))
        {
            ReadRankCount();
        }
        else if (word.Is("rank"))
        {
            ReadRankHead();
            if (m_ranks == 0) // it may follow in the block, at the latest
            {
                ReadBlock();
                m_rankRead = true;
            }
        }
        else
        {
            m_in.Return(word);
            m_in.FailHere("num_ranks or rank");
        }
    }
}

void
WorkloadGoalTextReader::ReadRankCount()
{
    if (m_ranks)
    {
        m_in.Fail("num_ranks stands here a second time; keep one");
    }
    m_ranks = static_cast<uint32_t>(m_in.TakeNumber("num_ranks", WORKLOAD_GOAL_MOST_RANKS));
    if (m_ranks == 0)
    {
        m_in.Fail("num_ranks is 0; there must be at least 1");
    }
    m_in.EndStatement();
    if (m_highestPeerLine)
    {
        CheckPeer(m_highestPeer, m_highestPeerLine);
    }
}

void
WorkloadGoalTextReader::ReadRankHead()
{
    const uint64_t rank = m_in.TakeNumber("rank", UINT64_MAX);
    if (m_ranks && rank >= m_ranks)
    {
        m_in.Fail("rank " + std::to_string(rank) + ", but num_ranks is " + std::to_string(m_ranks));
    }
    if (rank != m_rank)
    {
        m_in.Fail(
            "rank " + std::to_string(rank) + ", but rank " + std::to_string(m_rank) +
            " must come here: each rank stands once, in ascending order from 0; an idle one is "
            "\"rank " +
            std::to_string(m_rank) + " {\" and \"}\"");
    }
    if (!m_in.Take("{"))
    {
        m_in.FailHere("{ on the line of the rank");
    }
    m_rankLine = m_in.GetLine();
    m_inRank = true;
}

bool
WorkloadGoalTextReader::Next(WorkloadRank& rank)
{
    if (m_done)
    {
        return false;
    }
    if (!m_inRank)
    {
        if (!m_in.SeekStatement())
        {
            if (m_rank < m_ranks)
            {
                m_in.Fail("the text ends after rank " + std::to_string(m_rank - 1) +
                          ", but num_ranks is " + std::to_string(m_ranks));
            }
            m_done = true;
            return false;
        }
        if (m_rank == m_ranks)
        {
            m_in.Fail(m_in.Here() + " follows the last rank; remove it, or correct num_ranks");
        }
        const WorkloadGoalScanner::Word word = m_in.TakeWord();
        if (!word.Is("rank"))
        {
            m_in.Return(word);
            m_in.FailHere("rank; operations stand inside a rank's braces");
        }
        m_in.SkipBlanks();
        ReadRankHead();
    }
    if (!m_rankRead)
    {
        ReadBlock();
    }
    m_rankRead = m_inRank = false;
    ++m_rank;
    rank.operations.assign(m_operations.begin(), m_operations.end());
    SetWorkloadDependencies(rank, m_dependencies);
    if (m_notes)
    {
        m_notes->lines.push_back(m_operationLines);
    }
    return true;
}

void
WorkloadGoalTextReader::ReadBlock()
{
    m_labels.Clear();
    m_operations.clear();
    m_dependencies.clear();
    m_operationLines.clear();
    while (m_in.SeekStatement())
    {
        if (m_in.Take("}"))
        {
            if (m_ranks == 0)
            {
                m_in.Fail("num_ranks is missing: begin the file with \"num_ranks N\"");
            }
            return;
        }
        ReadStatement();
    }
    throw InputError(m_in.GetName(),
                     m_rankLine,
                     "the text ends inside rank " + std::to_string(m_rank) +
                         ", which begins here; add the closing }");
}

void
WorkloadGoalTextReader::Note(Oddity& oddity, const std::string& what)
{
    if (oddity.count++ == 0)
    {
        oddity.line = m_in.GetLine();
        oddity.what = what;
    }
}

void
WorkloadGoalTextReader::Warn(const Oddity& oddity,
                             const std::string& explanation,
                             std::vector<std::string>& warnings) const
{
    if (oddity.count > 0)
    {
        const uint64_t others = oddity.count - 1;
        warnings.push_back(
            m_in.GetName() + ":" + std::to_string(oddity.line) + ": " + oddity.what + explanation +
            (others == 0 ? "" : "; so " + std::to_string(others) + " more in this file"));
    }
}

std::vector<std::string>
WorkloadGoalTextReader::GetWarnings() const
{
    std::vector<std::string> warnings;
    Warn(
        m_wideTags,
        ", modulo 2^32, as LogGOPSim's converter makes it; messages whose tags become the same may "
        "match each other's receives",
        warnings);
    Warn(m_doubleLabels, " stands twice in its rank, and the first one is meant", warnings);
    return warnings;
}

} // namespace ns3
