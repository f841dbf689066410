/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-text-reader.h"

#include "input-number.h"
#include "input-units.h"

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

TextReader::TextReader(std::istream& in, const std::string& name)
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
TextReader::Peek()
{
    try
    {
        return m_in.rdbuf()->sgetc();
    }
    catch (const std::ios_base::failure&)
    {
        throw InputError(m_name, m_nextLine, "cannot be read; is it a file, not a folder?");
    }
}

void
TextReader::Skip()
{
    m_nextLine += m_in.rdbuf()->sbumpc() == '\n';
}

bool
TextReader::Next(std::string& word)
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
                 ShownText(word) + "; is this the right file?");
        }
    }
    return true;
}

uint64_t
TextReader::LineOfNumber()
{
    int c = Peek();
    for (; IsSpace(c); c = Peek())
    {
        Skip();
    }
    return c >= '0' && c <= '9' ? m_nextLine : 0;
}

bool
TextReader::MoreOnLine()
{
    int c = Peek();
    for (; IsSpace(c) && c != '\n'; c = Peek())
    {
        Skip();
    }
    return c != END && c != '\n';
}

std::string
TextReader::Word(const std::string& what)
{
    std::string word;
    if (!Next(word))
    {
        Fail("the file ends where the " + what + " is expected; complete the file");
    }
    return word;
}

uint64_t
TextReader::Integer(const std::string& what, uint64_t least, uint64_t most)
{
    const std::string word = Word(what);
    uint64_t value = 0;
    if (!ParseInteger(word, value) || value < least || value > most)
    {
        Fail(what + " " + ShownText(word) + ", but must be a whole number from " +
             std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

double
TextReader::Number(const std::string& what, double least, double most)
{
    const std::string word = Word(what);
    double value = 0;
    if (!ParseNumber(word, value) || value < least || value > most)
    {
        Fail(what + " " + ShownText(word) + ", but must be a number from " + NumberText(least) +
             " to " + NumberText(most));
    }
    return value;
}

uint64_t
TextReader::Rate(const std::string& what)
{
    const std::string word = Word(what);
    uint64_t rate = 0;
    if (!ParseRate(word, rate) || rate == 0)
    {
        Fail(what + " " + ShownText(word) +
             ", but must be a rate above 0 with its unit, such as 100Gbps");
    }
    return rate;
}

double
TextReader::TimeNs(const std::string& what)
{
    const std::string word = Word(what);
    double ns = 0;
    if (!ParseTime(word, ns))
    {
        Fail(what + " " + ShownText(word) +
             ", but must be a time of 0 or more with its unit, such as 1000ns");
    }
    return ns;
}

void
TextReader::SkipLine()
{
    while (m_nextLine == m_line && Peek() != END)
    {
        Skip();
    }
}

uint64_t
TextReader::Line() const
{
    return m_line;
}

const std::string&
TextReader::Name() const
{
    return m_name;
}

void
TextReader::Fail(const std::string& message) const
{
    throw InputError(m_name, m_line, message);
}

} // namespace ns3
