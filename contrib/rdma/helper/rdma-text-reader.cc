/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-text-reader.h"

#include "rdma-number.h"
#include "rdma-units.h"

namespace ns3
{

namespace
{

constexpr int END = std::char_traits<char>::eof();
constexpr size_t LONGEST_WORD = 1 << 16; // what is longer is no text, or a device without an end

bool
IsSpace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r'); // tab, LF, VT, FF, CR in any locale
}

} // namespace

RdmaTextReader::RdmaTextReader(std::istream& in, const std::string& name)
    : m_in(in),
      m_name(name)
{
    for (int c : {0xEF, 0xBB, 0xBF}) // the byte order mark that some editors put at the start
    {
        if (Peek() != c)
        {
            break;
        }
        Skip();
    }
}

int
RdmaTextReader::Peek()
{
    try
    {
        return m_in.rdbuf()->sgetc();
    }
    catch (const std::ios_base::failure&)
    {
        throw RdmaInputError(m_name, m_nextLine, "cannot be read; is it a file, not a folder?");
    }
}

void
RdmaTextReader::Skip()
{
    m_nextLine += m_in.rdbuf()->sbumpc() == '\n';
}

bool
RdmaTextReader::Next(std::string& word)
{
    int c = Peek();
    for (; IsSpace(c); c = Peek())
    {
        Skip();
    }
    if (c == END)
    {
        return false;
    }
    m_line = m_nextLine;
    word.clear();
    for (; c != END && !IsSpace(c); c = Peek())
    {
        word += char(c);
        Skip();
        if (word.size() > LONGEST_WORD)
        {
            Fail("a word of more than " + std::to_string(LONGEST_WORD) + " characters, " +
                 RdmaShownText(word) + "; is this the right file?");
        }
    }
    return true;
}

uint64_t
RdmaTextReader::LineOfNumber()
{
    int c = Peek();
    for (; IsSpace(c); c = Peek())
    {
        Skip();
    }
    return c >= '0' && c <= '9' ? m_nextLine : 0;
}

bool
RdmaTextReader::MoreOnLine()
{
    int c = Peek();
    for (; IsSpace(c) && c != '\n'; c = Peek())
    {
        Skip();
    }
    return c != END && c != '\n';
}

std::string
RdmaTextReader::Word(const std::string& what)
{
    std::string word;
    if (!Next(word))
    {
        Fail("the file ends where the " + what + " is expected; complete the file");
    }
    return word;
}

uint64_t
RdmaTextReader::Integer(const std::string& what, uint64_t least, uint64_t most)
{
    const std::string word = Word(what);
    uint64_t value = 0;
    if (!ParseRdmaInteger(word, value) || value < least || value > most)
    {
        Fail(what + " " + RdmaShownText(word) + ", but expected is a whole number from " +
             std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

double
RdmaTextReader::Number(const std::string& what, double least, double most)
{
    const std::string word = Word(what);
    double value = 0;
    if (!ParseRdmaNumber(word, value) || value < least || value > most)
    {
        Fail(what + " " + RdmaShownText(word) + ", but expected is a number from " +
             RdmaNumberText(least) + " to " + RdmaNumberText(most));
    }
    return value;
}

uint64_t
RdmaTextReader::Rate(const std::string& what)
{
    const std::string word = Word(what);
    uint64_t rate = 0;
    if (!ParseRdmaRate(word, rate) || rate == 0)
    {
        Fail(what + " " + RdmaShownText(word) +
             ", but expected is a rate above 0 with its unit, such as 100Gbps");
    }
    return rate;
}

double
RdmaTextReader::TimeNs(const std::string& what)
{
    const std::string word = Word(what);
    double ns = 0;
    if (!ParseRdmaTime(word, ns))
    {
        Fail(what + " " + RdmaShownText(word) +
             ", but expected is a time of 0 or more with its unit, such as 1000ns");
    }
    return ns;
}

void
RdmaTextReader::SkipLine()
{
    while (m_nextLine == m_line && Peek() != END)
    {
        Skip();
    }
}

uint64_t
RdmaTextReader::Line() const
{
    return m_line;
}

const std::string&
RdmaTextReader::Name() const
{
    return m_name;
}

void
RdmaTextReader::Fail(const std::string& message) const
{
    throw RdmaInputError(m_name, m_line, message);
}

} // namespace ns3
