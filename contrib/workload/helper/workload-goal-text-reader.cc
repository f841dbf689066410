/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-text-reader.h"

#include "workload-goal-limits.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-number.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ns3
{

namespace
{

constexpr bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool
IsLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** Whether a character belongs to a label, by its code. */
constexpr std::array<bool, 256>
WordCharacters()
{
    std::array<bool, 256> table{};
    for (int c = 0; c < 256; ++c)
    {
        table[c] = IsLetter(static_cast<char>(c)) || IsDigit(static_cast<char>(c)) || c == '_';
    }
    return table;
}

constexpr std::array<bool, 256> IS_WORD = WordCharacters();

} // namespace

bool
WorkloadGoalTextReader::Word::Is(const char* other) const
{
    return length == std::strlen(other) && std::memcmp(text, other, length) == 0;
}

WorkloadGoalTextReader::WorkloadGoalTextReader(std::istream& in,
                                               const std::string& name,
                                               WorkloadGoalNotes* notes)
    : m_lines(in, name),
      m_name(name),
      m_notes(notes),
      m_at("\n"),
      m_end(m_at)
{
    ReadHead();
}

void
WorkloadGoalTextReader::Fail(const std::string& message) const
{
    throw RdmaInputError(m_name, m_lines.GetLine(), message);
}

std::string
WorkloadGoalTextReader::Here() const
{
    return m_at == m_end
               ? "the end of the line"
               : "\"" +
                     RdmaShownText(
                         std::string(m_at, m_at + std::min<std::ptrdiff_t>(m_end - m_at, 100))) +
                     "\"";
}

bool
WorkloadGoalTextReader::NextLine()
{
    return m_lines.Next(m_at, m_end);
}

bool
WorkloadGoalTextReader::SeekStatement()
{
    for (;;)
    {
        SkipBlanks();
        if (m_at == m_end)
        {
            if (!NextLine())
            {
                m_end = m_at = "\n";
                return false;
            }
        }
        else if (*m_at == '/')
        {
            SkipComment();
        }
        else
        {
            return true;
        }
    }
}

void
WorkloadGoalTextReader::SkipComment()
{
    if (m_at[1] == '/')
    {
        m_at = m_end;
        return;
    }
    if (m_at[1] != '*')
    {
        Fail("a comment begins with // or /*, not " + Here());
    }
    const uint64_t line = m_lines.GetLine();
    m_at += 2;
    for (;;)
    {
        const char* const star =
            static_cast<const char*>(std::memchr(m_at, '*', static_cast<size_t>(m_end - m_at)));
        if (star && star[1] == '/')
        {
            m_at = star + 2;
            return;
        }
        if (star)
        {
            m_at = star + 1;
        }
        else if (!NextLine())
        {
            throw RdmaInputError(m_name, line, "this comment has no end: add */");
        }
    }
}

WorkloadGoalTextReader::Word
WorkloadGoalTextReader::TakeWord()
{
    const char* const begin = m_at;
    if (IsLetter(*m_at))
    {
        while (IS_WORD[static_cast<unsigned char>(*m_at)])
        {
            ++m_at;
        }
    }
    return {begin, static_cast<size_t>(m_at - begin)};
}

bool
WorkloadGoalTextReader::Take(const char* text)
{
    const char* at = m_at;
    for (; *text; ++text, ++at)
    {
        if (*at != *text)
        {
            return false;
        }
    }
    m_at = at;
    SkipBlanks();
    return true;
}

uint64_t
WorkloadGoalTextReader::TakeNumber(const char* what, uint64_t most)
{
    constexpr std::ptrdiff_t SAFE_DIGITS = 19; // a number of so many digits fits 64 bits
    const char* const begin = m_at;
    uint64_t value = 0;
    for (; IsDigit(*m_at); ++m_at)
    {
        value = 10 * value + static_cast<uint64_t>(*m_at - '0');
    }
    if (m_at == begin)
    {
        Fail(std::string("expected is the ") + what + ", a whole number, not " + Here());
    }
    const bool fits =
        m_at - begin <= SAFE_DIGITS || ParseRdmaInteger(std::string(begin, m_at), value);
    if (!fits || value > most)
    {
        Fail("the " + std::string(what) + " " + RdmaShownText(std::string(begin, m_at)) +
             " is too large: at most " + std::to_string(most));
    }
    SkipBlanks();
    return value;
}

void
WorkloadGoalTextReader::EndStatement()
{
    if (m_at != m_end && *m_at != '/')
    {
        Fail(Here() + " does not belong here; one statement stands on a line, and attributes come "
                      "in the order tag, cpu, nic (a calc has only cpu)");
    }
}

void
WorkloadGoalTextReader::ReadHead()
{
    while (m_ranks == 0 || !m_inRank)
    {
        if (!SeekStatement())
        {
            Fail(m_ranks ? "there is no rank: add \"rank 0 {\" ... \"}\""
                         : "num_ranks is missing: begin the file with \"num_ranks N\"");
        }
        const Word word = TakeWord();
        SkipBlanks();
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
            m_at = word.text;
            Fail("expected is num_ranks or rank, not " + Here());
        }
    }
}

void
WorkloadGoalTextReader::ReadRankCount()
{
    if (m_ranks)
    {
        Fail("num_ranks stands here a second time; keep one");
    }
    m_ranks = static_cast<uint32_t>(TakeNumber("num_ranks", WORKLOAD_GOAL_MOST_RANKS));
    if (m_ranks == 0)
    {
        Fail("num_ranks is 0; there must be at least 1");
    }
    EndStatement();
    if (m_highestPeerLine)
    {
        CheckPeer(m_highestPeer, m_highestPeerLine);
    }
}

void
WorkloadGoalTextReader::ReadRankHead()
{
    const uint64_t rank = TakeNumber("rank", UINT64_MAX);
    if (m_ranks && rank >= m_ranks)
    {
        Fail("rank " + std::to_string(rank) + ", but num_ranks is " + std::to_string(m_ranks));
    }
    if (rank != m_rank)
    {
        Fail("rank " + std::to_string(rank) + ", but rank " + std::to_string(m_rank) +
             " must come here: each rank stands once, in ascending order from 0; an idle one is "
             "\"rank " +
             std::to_string(m_rank) + " {\" and \"}\"");
    }
    if (!Take("{"))
    {
        Fail("expected is { on the line of the rank, not " + Here());
    }
    m_rankLine = m_lines.GetLine();
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
        if (!SeekStatement())
        {
            if (m_rank < m_ranks)
            {
                Fail("the text ends after rank " + std::to_string(m_rank - 1) +
                     ", but num_ranks is " + std::to_string(m_ranks));
            }
            m_done = true;
            return false;
        }
        if (m_rank == m_ranks)
        {
            Fail(Here() + " follows the last rank; remove it, or correct num_ranks");
        }
        const Word word = TakeWord();
        if (!word.Is("rank"))
        {
            m_at = word.text;
            Fail("expected is rank, not " + Here() + "; operations stand inside a rank's braces");
        }
        SkipBlanks();
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
    while (SeekStatement())
    {
        if (Take("}"))
        {
            if (m_ranks == 0)
            {
                Fail("num_ranks is missing: begin the file with \"num_ranks N\"");
            }
            return;
        }
        ReadStatement();
    }
    throw RdmaInputError(m_name,
                         m_rankLine,
                         "the text ends inside rank " + std::to_string(m_rank) +
                             ", which begins here; add the closing }");
}

void
WorkloadGoalTextReader::ReadStatement()
{
    const Word word = TakeWord();
    if (word.length == 0)
    {
        Fail("expected is a label, send, recv, calc or }, not " + Here());
    }
    SkipBlanks();
    if (*m_at == ':')
    {
        ++m_at;
        SkipBlanks();
        AddLabel(word);
        ReadOperation();
    }
    else if (word.Is("num_ranks"))
    {
        ReadRankCount();
    }
    else if (word.Is("rank"))
    {
        Fail("rank inside rank " + std::to_string(m_rank) + ", which begins in line " +
             std::to_string(m_rankLine) + "; close that one with } first");
    }
    else if (!ReadDependency(word))
    {
        m_at = word.text;
        ReadOperation();
    }
}

void
WorkloadGoalTextReader::AddLabel(const Word& label)
{
    for (const char* keyword : {"send", "recv", "calc", "rank", "num_ranks"})
    {
        if (label.Is(keyword))
        {
            Fail("label \"" + std::string(keyword) +
                 "\" is a word of the language; name it "
                 "otherwise");
        }
    }
    if (!m_labels.Add(label.text, label.length, static_cast<uint32_t>(m_operations.size())) &&
        m_notes && m_notes->duplicateCount++ < WorkloadGoalNotes::MOST_DUPLICATES)
    {
        m_notes->duplicates.push_back(
            {m_rank, m_lines.GetLine(), RdmaShownText(std::string(label.text, label.length))});
    }
}

bool
WorkloadGoalTextReader::ReadDependency(const Word& label)
{
    const bool start = Take("irequires");
    if (!start && !Take("requires"))
    {
        return false;
    }
    const uint32_t after = OperationOf(label);
    const Word other = TakeWord();
    if (other.length == 0)
    {
        Fail("expected is a label after requires, not " + Here());
    }
    const uint32_t before = OperationOf(other);
    SkipBlanks();
    EndStatement();
    m_dependencies.push_back({before, WorkloadWaiter(after, start)});
    return true;
}

uint32_t
WorkloadGoalTextReader::OperationOf(const Word& label) const
{
    const uint32_t* const operation = m_labels.Find(label.text, label.length);
    if (!operation)
    {
        Fail("label \"" + RdmaShownText(std::string(label.text, label.length)) +
             "\" does not stand before this line in rank " + std::to_string(m_rank) +
             "; a dependency follows both of its operations");
    }
    return *operation;
}

void
WorkloadGoalTextReader::ReadOperation()
{
    WorkloadOperation operation;
    if (Take("calc"))
    {
        operation.size = TakeNumber("duration (ns)", UINT64_MAX);
    }
    else if (Take("send"))
    {
        operation.kind = WorkloadKind::SEND;
        ReadMessage(operation);
    }
    else if (Take("recv"))
    {
        operation.kind = WorkloadKind::RECV;
        ReadMessage(operation);
    }
    else
    {
        Fail("expected is send, recv, calc, or LABEL: before one, or LABEL requires LABEL, not " +
             Here());
    }
    if (Take("cpu"))
    {
        operation.cpu = static_cast<uint8_t>(TakeNumber("cpu", WORKLOAD_GOAL_MOST_CPU));
    }
    if (operation.kind != WorkloadKind::CALC && Take("nic"))
    {
        operation.nic = static_cast<uint8_t>(TakeNumber("nic", WORKLOAD_GOAL_MOST_NIC));
    }
    EndStatement();
    if (m_operations.size() >= WorkloadWaiter::MAX_OPERATIONS)
    {
        Fail("rank " + std::to_string(m_rank) + " has more than " +
             std::to_string(WorkloadWaiter::MAX_OPERATIONS) + " operations");
    }
    m_operations.push_back(operation);
    if (m_notes)
    {
        const uint64_t line = m_lines.GetLine();
        m_operationLines.push_back(line > UINT32_MAX ? 0 : static_cast<uint32_t>(line));
    }
}

void
WorkloadGoalTextReader::ReadMessage(WorkloadOperation& operation)
{
    operation.size = TakeNumber("size (bytes)", UINT64_MAX);
    if (!Take("b"))
    {
        Fail("expected is b after the size (bytes, as in 8b), not " + Here());
    }
    const char* const preposition = operation.kind == WorkloadKind::SEND ? "to" : "from";
    if (!Take(preposition))
    {
        Fail(std::string("expected is ") + preposition + ", not " + Here());
    }
    ReadPeer(operation);
    if (Take("tag"))
    {
        ReadTag(operation);
    }
}

void
WorkloadGoalTextReader::ReadPeer(WorkloadOperation& operation)
{
    if (*m_at == '-')
    {
        if (operation.kind != WorkloadKind::RECV || m_at[1] != '1' || IsDigit(m_at[2]))
        {
            Fail("peer " + Here() + ": expected is a rank" +
                 (operation.kind == WorkloadKind::RECV ? ", or -1 for any" : ""));
        }
        Take("-1");
        operation.peer = WORKLOAD_ANY;
        return;
    }
    operation.peer = static_cast<uint32_t>(TakeNumber("peer", WORKLOAD_GOAL_MOST_RANKS));
    if (m_ranks)
    {
        CheckPeer(operation.peer, m_lines.GetLine());
    }
    else if (operation.peer >= m_highestPeer)
    {
        m_highestPeer = operation.peer;
        m_highestPeerLine = m_lines.GetLine();
    }
}

void
WorkloadGoalTextReader::CheckPeer(uint32_t peer, uint64_t line) const
{
    if (peer >= m_ranks)
    {
        throw RdmaInputError(m_name,
                             line,
                             "rank " + std::to_string(m_rank) + " names peer " +
                                 std::to_string(peer) + ", but num_ranks is " +
                                 std::to_string(m_ranks) + ": peers are 0 to " +
                                 std::to_string(m_ranks - 1));
    }
}

void
WorkloadGoalTextReader::ReadTag(WorkloadOperation& operation)
{
    if (*m_at == '-')
    {
        if (m_at[1] != '1' || IsDigit(m_at[2]))
        {
            Fail("tag " + Here() + ": expected is a whole number, or -1 for any");
        }
        Take("-1");
        operation.tag = WORKLOAD_ANY;
        return;
    }
    operation.tag = static_cast<uint32_t>(TakeNumber("tag", WORKLOAD_GOAL_MOST_TAG));
}

} // namespace ns3
