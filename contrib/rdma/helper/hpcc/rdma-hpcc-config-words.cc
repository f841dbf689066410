/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-words.h"

#include "ns3/input-number.h"
#include "ns3/input-text-reader.h"
#include "ns3/input-units.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr size_t MOST_WORDS = 1 << 20; // of a file; what has more is no config.txt

} // namespace

RdmaHpccConfigWords::RdmaHpccConfigWords(std::istream& in,
                                         const std::string& name,
                                         std::function<bool(const std::string&)> isKey)
    : m_name(name),
      m_isKey(std::move(isKey))
{
    TextReader reader(in, name);
    std::string word;
    while (reader.Next(word))
    {
        if (m_items.size() == MOST_WORDS)
        {
            reader.Fail("more than " + std::to_string(MOST_WORDS) +
                        " words; is this a config.txt?");
        }
        m_items.push_back({word, reader.Line()});
    }
}

bool
RdmaHpccConfigWords::NextKey()
{
    m_key = m_next++;
    return m_key < m_items.size();
}

const std::string&
RdmaHpccConfigWords::Key() const
{
    return m_items[m_key].text;
}

uint64_t
RdmaHpccConfigWords::KeyLine() const
{
    return m_items[m_key].line;
}

const std::string&
RdmaHpccConfigWords::Word()
{
    if (m_next >= m_items.size() || m_isKey(m_items[m_next].text))
    {
        const std::string found = m_next >= m_items.size()
                                      ? "the file ends"
                                      : "the key " + m_items[m_next].text + " follows";
        throw InputError(m_name,
                         KeyLine(),
                         Key() + ": a value is missing (" + found +
                             "); write it after the key, or remove the key");
    }
    return m_items[m_next++].text;
}

bool
RdmaHpccConfigWords::Flag()
{
    const std::string& word = Word();
    if (word != "0" && word != "1")
    {
        FailValue("", "0 (no) or 1 (yes)");
    }
    return word == "1";
}

uint64_t
RdmaHpccConfigWords::Whole(uint64_t least, uint64_t most, const std::string& what)
{
    uint64_t value = 0;
    if (!ParseInteger(Word(), value) || value < least || value > most)
    {
        FailValue(what,
                  "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

double
RdmaHpccConfigWords::Number(double least, double most, const std::string& what)
{
    double value = 0;
    if (!ParseNumber(Word(), value) || value < least || value > most)
    {
        FailValue(what, "a number from " + NumberText(least) + " to " + NumberText(most));
    }
    return value == 0 ? 0 : value; // "-0" is 0
}

uint64_t
RdmaHpccConfigWords::Rate(bool zero)
{
    uint64_t rate = 0;
    if (!ParseRate(Word(), rate) || (rate == 0 && !zero))
    {
        FailValue("",
                  std::string("a rate with its unit") + (zero ? "" : ", more than 0") +
                      ", such as 40Mb/s or 100Gbps");
    }
    return rate;
}

void
RdmaHpccConfigWords::Fail(const std::string& message) const
{
    const Item& item = m_items[m_next - 1];
    throw InputError(m_name, item.line, Key() + " " + ShownText(item.text) + ": " + message);
}

void
RdmaHpccConfigWords::FailValue(const std::string& what, const std::string& expected) const
{
    Fail((what.empty() ? "must be " : what + " must be ") + expected);
}

} // namespace ns3
