/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-scanner.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace ns3
{

namespace
{

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
        table[c] = IsLetter(static_cast<char>(c)) ||
                   WorkloadGoalScanner::IsDigit(static_cast<char>(c)) || c == '_';
    }
    return table;
}

constexpr std::array<bool, 256> IS_WORD = WordCharacters();

} // namespace

WorkloadGoalScanner::WorkloadGoalScanner(std::istream& in, const std::string& name)
    : m_lines(in, name),
      m_name(name),
      m_at("\n"),
      m_end(m_at)
{
}

void
WorkloadGoalScanner::Fail(const std::string& message) const
{
    throw InputError(m_name, m_lines.GetLine(), message);
}

void
WorkloadGoalScanner::FailHere(const std::string& expected) const
{
    Fail(Here() + ", but must be " + expected);
}

std::string
WorkloadGoalScanner::Here() const
{
    return m_at == m_end
               ? "the end of the line"
               : "\"" +
                     ShownText(
                         std::string(m_at, m_at + std::min<std::ptrdiff_t>(m_end - m_at, 100))) +
                     "\"";
}

bool
WorkloadGoalScanner::SeekStatement()
{
    for (;;)
    {
        SkipBlanks();
        if (m_at == m_end)
        {
            if (!m_lines.Next(m_at, m_end))
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
WorkloadGoalScanner::SkipComment()
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
        else if (!m_lines.Next(m_at, m_end))
        {
            throw InputError(m_name, line, "this comment has no end: add */");
        }
    }
}

WorkloadGoalScanner::Word
WorkloadGoalScanner::TakeWord()
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

uint64_t
WorkloadGoalScanner::ReadUnusualNumber(const char* begin, const char* what, uint64_t max) const
{
    const std::string digits(begin, m_at);
    if (digits.empty())
    {
        FailHere(std::string("the ") + what + ", a whole number");
    }
    uint64_t value = 0;
    if (!ParseInteger(digits, value) || value > max)
    {
        Fail("the " + std::string(what) + " " + ShownText(digits) + " is too large: at most " +
             std::to_string(max));
    }
    return value;
}

WorkloadGoalScanner::Wrapped
WorkloadGoalScanner::TakeWrapped(const char* what)
{
    Wrapped number{0, false, {m_at, 0}};
    bool exact = true;
    const uint64_t value = TakeDigits(m_at, exact); // modulo 2^64, and so modulo 2^32
    number.value = static_cast<uint32_t>(value);
    number.tooLarge = !exact || value > UINT32_MAX;
    number.digits.length = static_cast<size_t>(m_at - number.digits.text);
    if (number.digits.length == 0)
    {
        ReadUnusualNumber(m_at, what, UINT32_MAX); // says what is missing
    }
    SkipBlanks();
    return number;
}

void
WorkloadGoalScanner::EndStatement()
{
    if (m_at != m_end && *m_at != '/')
    {
        Fail(Here() + " does not belong here; one statement stands on a line, and attributes come "
                      "in the order tag, cpu, nic (a calc has only cpu)");
    }
}

} // namespace ns3
