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

constexpr size_t MAX_WORDS = 1 << 20; // of a file; what has more is no config.txt

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
        if (m_items.size() == MAX_WORDS)
        {
            reader.Fail("more than " + std::to_string(MAX_WORDS) + " words; is this a config.txt?");
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
        FailValue("", word, "0 (no) or 1 (yes)");
    }
    return word == "1";
}

uint64_t
RdmaHpccConfigWords::Whole(uint64_t min, uint64_t max, const std::string& what)
{
    return ToInteger(what, Word(), min, max);
}

double
RdmaHpccConfigWords::Number(double min, double max, const std::string& what)
{
    return ToNumber(what, Word(), min, max);
}

uint64_t
RdmaHpccConfigWords::Rate(bool zero)
{
    uint64_t rate = 0;
    const std::string& word = Word();
    if (!ParseRate(word, rate) || (rate == 0 && !zero))
    {
        FailValue("",
                  word,
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
RdmaHpccConfigWords::FailValue(std::string_view what,
                               const std::string& /* text */,
                               const std::string& expected) const
{
    Fail(std::string(what) + (what.empty() ? "must be " : " must be ") + expected);
}

} // namespace ns3
