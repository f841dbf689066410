/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-csv.h"

#include "ns3/input-number.h"

#include <algorithm>

namespace ns3
{

InputCsvReader::InputCsvReader(std::istream& in,
                               const std::string& file,
                               const std::string& columns)
    : m_in(in),
      m_file(file),
      m_columns(columns)
{
    std::string line;
    NextLine(line);
    if (line != columns)
    {
        m_line = 1;
        // a constructor has no derived class
        InputCsvReader::FailValue("the first line", line, columns);
    }
}

bool
InputCsvReader::Next(std::vector<std::string>& cells)
{
    std::string line;
    do
    {
        if (!NextLine(line))
        {
            if (!m_hasRows)
            {
                Fail("has no rows");
            }
            return false;
        }
    } while (line.empty());
    if (std::count(line.begin(), line.end(), ',') !=
        std::count(m_columns.begin(), m_columns.end(), ','))
    {
        FailValue("a row", line, m_columns);
    }
    cells.clear();
    for (size_t begin = 0; begin <= line.size();)
    {
        const size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    m_hasRows = true;
    return true;
}

/** \return whether there was one */
bool
InputCsvReader::NextLine(std::string& line)
{
    line.clear();
    if (!std::getline(m_in, line))
    {
        if (m_in.bad())
        {
            Fail("cannot be read");
        }
        return false;
    }
    ++m_line;
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    return true;
}

void
InputCsvReader::Fail(const std::string& message) const
{
    throw InputError(m_file, m_line, message);
}

void
InputCsvReader::FailValue(std::string_view what,
                          const std::string& text,
                          const std::string& expected) const
{
    Fail(std::string(what) + ": " + ShownText(text) + ", but must be " + expected);
}

} // namespace ns3
