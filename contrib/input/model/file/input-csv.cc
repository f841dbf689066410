/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-csv.h"

#include <algorithm>

namespace ns3
{

InputCsvReader::InputCsvReader(std::istream& in,
                               const std::string& file,
                               const std::string& columns)
    : LineValues(file),
      m_in(in),
      m_columns(columns)
{
    std::string line;
    NextLine(line);
    if (line != columns)
    {
        FailValue("the first line", line, columns);
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
    m_line += m_hasLines ? 1 : 0;
    m_hasLines = true;
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    return true;
}

} // namespace ns3
