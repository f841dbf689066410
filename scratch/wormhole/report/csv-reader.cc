/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "csv-reader.h"

#include "result/result-file.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <utility>

namespace wormhole
{

CsvReader::CsvReader(const std::string& path, std::vector<std::string> columns)
    : m_path(path),
      m_columns(std::move(columns)),
      m_in(OpenResultFile(path))
{
    const bool there = ReadFields();
    for (size_t i = 0; i < m_columns.size(); ++i)
    {
        if (!there || i >= m_fields.size() || m_fields[i] != m_columns[i])
        {
            m_line = 1;
            Fail("the header should name the column " + m_columns[i] + " here");
        }
    }
}

bool
CsvReader::ReadFields()
{
    std::string line;
    ++m_line;
    if (!std::getline(m_in, line))
    {
        return false;
    }
    if (m_in.eof())
    {
        Fail("the line is cut off");
    }
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    m_fields.clear();
    size_t begin = 0;
    for (size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin))
    {
        m_fields.push_back(line.substr(begin, comma - begin));
        begin = comma + 1;
    }
    m_fields.push_back(line.substr(begin));
    return true;
}

bool
CsvReader::Next()
{
    if (!ReadFields())
    {
        return false;
    }
    if (m_fields.size() < m_columns.size())
    {
        Fail("there are " + std::to_string(m_fields.size()) + " columns, but the header names " +
             std::to_string(m_columns.size()));
    }
    return true;
}

double
CsvReader::Number(size_t column) const
{
    constexpr double MOST = 18446744073709551616.0; // 2^64: sums and ratios stay finite
    constexpr double LEAST = 1e-6; // nothing is measured in less; what is left of a rounding
    double value = 0;
    if (!ns3::ParseNumber(m_fields[column], value) || value < 0 || value > MOST)
    {
        Fail(m_columns[column] + " is \"" + ns3::ShownText(m_fields[column]) +
             "\", not a number from 0 to 2^64");
    }
    return value < LEAST ? 0 : value;
}

uint64_t
CsvReader::Integer(size_t column) const
{
    uint64_t value = 0;
    if (!ns3::ParseInteger(m_fields[column], value))
    {
        Fail(m_columns[column] + " is \"" + ns3::ShownText(m_fields[column]) +
             "\", not a whole number from 0 on");
    }
    return value;
}

void
CsvReader::Fail(const std::string& message) const
{
    throw ns3::InputError(m_path,
                          m_line,
                          message + "; wormhole run did not write it so, or was cut short: run "
                                    "it again");
}

} // namespace wormhole
