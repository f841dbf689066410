/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Statements of GOAL text, inside a rank.
 */

#include "workload-goal-limits.h"
#include "workload-goal-text-reader.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

namespace ns3
{

void
WorkloadGoalTextReader::ReadStatement()
{
    const WorkloadGoalScanner::Word word = m_in.TakeWord();
    if (word.length == 0)
    {
        m_in.FailHere("a label, send, recv, calc or }");
    }
    m_in.SkipBlanks();
    if (m_in.Take(":"))
    {
        AddLabel(word);
        ReadOperation();
    }
    else if (word.Is("num_ranks"))
    {
        ReadRankCount();
    }
    else if (word.Is("rank"))
    {
        m_in.Fail("rank inside rank " + std::to_string(m_rank) + ", which begins in line " +
                  std::to_string(m_rankLine) + "; close that one with } first");
    }
    else if (!ReadDependency(word))
    {
        m_in.Return(word);
        ReadOperation();
    }
}

void
WorkloadGoalTextReader::AddLabel(const WorkloadGoalScanner::Word& label)
{
    for (const char* keyword : {"send", "recv", "calc", "rank", "num_ranks"})
    {
        if (label.Is(keyword))
        {
            m_in.Fail("label \"" + std::string(keyword) +
                      "\" is a word of the language; name it "
                      "otherwise");
        }
    }
    if (m_labels.Add(label.text, label.length, static_cast<uint32_t>(m_operations.size())))
    {
        return;
    }
    Note(m_doubleLabels, "label \"" + ShownText(label.Text()) + "\"");
    if (m_notes && m_notes->duplicateCount++ < WorkloadGoalNotes::MAX_DUPLICATES)
    {
        m_notes->duplicates.push_back({m_rank, m_in.GetLine(), ShownText(label.Text())});
    }
}

bool
WorkloadGoalTextReader::ReadDependency(const WorkloadGoalScanner::Word& label)
{
    const bool start = m_in.Take("irequires");
    if (!start && !m_in.Take("requires"))
    {
        return false;
    }
    const uint32_t after = OperationOf(label);
    const WorkloadGoalScanner::Word other = m_in.TakeWord();
    if (other.length == 0)
    {
        m_in.FailHere("a label after requires");
    }
    const uint32_t before = OperationOf(other);
    m_in.SkipBlanks();
    m_in.EndStatement();
    m_dependencies.push_back({before, WorkloadWaiter(after, start)});
    return true;
}

uint32_t
WorkloadGoalTextReader::OperationOf(const WorkloadGoalScanner::Word& label) const
{
    const uint32_t* const operation = m_labels.Find(label.text, label.length);
    if (!operation)
    {
        m_in.Fail("label \"" + ShownText(label.Text()) +
                  "\" does not stand before this line in rank " + std::to_string(m_rank) +
                  "; a dependency follows both of its operations");
    }
    return *operation;
}

void
WorkloadGoalTextReader::ReadOperation()
{
    WorkloadOperation operation;
    if (m_in.Take("calc"))
    {
        operation.size = m_in.TakeNumber("duration (ns)", UINT64_MAX);
    }
    else if (m_in.Take("send"))
    {
        operation.kind = WorkloadKind::SEND;
        ReadMessage(operation);
    }
    else if (m_in.Take("recv"))
    {
        operation.kind = WorkloadKind::RECV;
        ReadMessage(operation);
    }
    else
    {
        m_in.FailHere("send, recv, calc, or LABEL: before one, or LABEL requires LABEL");
    }
    if (m_in.Take("cpu"))
    {
        operation.cpu = static_cast<uint8_t>(m_in.TakeNumber("cpu", WORKLOAD_GOAL_MOST_CPU));
    }
    if (operation.kind != WorkloadKind::CALC && m_in.Take("nic"))
    {
        operation.nic = static_cast<uint8_t>(m_in.TakeNumber("nic", WORKLOAD_GOAL_MOST_NIC));
    }
    m_in.EndStatement();
    if (m_operations.size() >= WorkloadWaiter::MAX_OPERATIONS)
    {
        m_in.Fail("rank " + std::to_string(m_rank) + " has more than " +
                  std::to_string(WorkloadWaiter::MAX_OPERATIONS) + " operations");
    }
    m_operations.push_back(operation);
    if (m_notes)
    {
        const uint64_t line = m_in.GetLine();
        m_operationLines.push_back(line > UINT32_MAX ? 0 : static_cast<uint32_t>(line));
    }
}

void
WorkloadGoalTextReader::ReadMessage(WorkloadOperation& operation)
{
    operation.size = m_in.TakeNumber("size (bytes)", UINT64_MAX);
    if (!m_in.Take("b"))
    {
        m_in.FailHere("b after the size (bytes, as in 8b)");
    }
    const char* const preposition = operation.kind == WorkloadKind::SEND ? "to" : "from";
    if (!m_in.Take(preposition))
    {
        m_in.FailHere(preposition);
    }
    ReadPeer(operation);
    if (m_in.Take("tag"))
    {
        ReadTag(operation);
    }
}

void
WorkloadGoalTextReader::ReadPeer(WorkloadOperation& operation)
{
    if (m_in.AtMinus())
    {
        if (operation.kind != WorkloadKind::RECV || !m_in.TakeMinusOne())
        {
            m_in.Fail("peer " + m_in.Here() + ": must be a rank" +
                      (operation.kind == WorkloadKind::RECV ? ", or -1 for any" : ""));
        }
        operation.peer = WORKLOAD_ANY;
        return;
    }
    operation.peer = static_cast<uint32_t>(m_in.TakeNumber("peer", WORKLOAD_GOAL_MOST_RANKS));
    if (m_ranks)
    {
        CheckPeer(operation.peer, m_in.GetLine());
    }
    else if (operation.peer >= m_highestPeer)
    {
        m_highestPeer = operation.peer;
        m_highestPeerLine = m_in.GetLine();
    }
}

void
WorkloadGoalTextReader::CheckPeer(uint32_t peer, uint64_t line) const
{
    if (peer >= m_ranks)
    {
        throw InputError(m_in.GetName(),
                         line,
                         "rank " + std::to_string(m_rank) + " names peer " + std::to_string(peer) +
                             ", but num_ranks is " + std::to_string(m_ranks) + ": peers are 0 to " +
                             std::to_string(m_ranks - 1));
    }
}

void
WorkloadGoalTextReader::ReadTag(WorkloadOperation& operation)
{
    if (m_in.AtMinus())
    {
        if (!m_in.TakeMinusOne())
        {
            m_in.Fail("tag " + m_in.Here() + ": must be a whole number, or -1 for any");
        }
        operation.tag = WORKLOAD_ANY;
        return;
    }
    const WorkloadGoalScanner::Wrapped tag = m_in.TakeWrapped("tag");
    operation.tag = tag.value;
    if (tag.tooLarge || tag.value == WORKLOAD_ANY)
    {
        Note(m_wideTags,
             "tag " + ShownText(tag.digits.Text()) + " becomes " +
                 (tag.value == WORKLOAD_ANY ? "-1, any" : std::to_string(tag.value)));
    }
}

} // namespace ns3
