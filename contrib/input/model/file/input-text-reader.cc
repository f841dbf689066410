/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-text-reader.h"

#include "input-byte-order-mark.h"

#include "ns3/input-number.h"

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
    : LineValues(name),
      m_in(in)
{
    for (const char c : BYTE_ORDER_MARK)
    {
        if (Peek() != static_cast<unsigned char>(c))
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
        throw InputError(Name(), m_nextLine, "cannot be read; is it a file, not a folder?");
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
TextReader::Integer(const std::string& what, uint64_t min, uint64_t max)
{
    return ToInteger(what, Word(what), min, max);
}

double
TextReader::Number(const std::string& what, double min, double max)
{
    return ToNumber(what, Word(what), min, max);
}

void
TextReader::SkipLine()
{
    while (m_nextLine == m_line && Peek() != END)
    {
        Skip();
    }
}

} // namespace ns3
