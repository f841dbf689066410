/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-trace.h"

#include "ns3/input-byte-order-mark.h"
#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"
#include "ns3/input-values.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace ns3
{

namespace
{

constexpr size_t LONGEST_ARRIVAL_LINE = 4096;
constexpr uint64_t MAX_NODE = std::numeric_limits<uint32_t>::max();
constexpr uint64_t MAX_BYTES = std::numeric_limits<int64_t>::max();

/** Names of one column, the first of which messages have. */
using ColumnNames = std::vector<std::string>;

const ColumnNames TIME_COLUMNS{"time_s", "time_ms", "time_us", "time_ns", "start_ns"};

/** Reads the lines of a trace. */
class ArrivalReader : private InputValues
{
  public:
    ArrivalReader(std::istream& in, const std::string& name)
        : m_in(in),
          m_name(name)
    {
        if (!ReadLine())
        {
            Fail("the file is empty; its first line names the columns, such as "
                 "time_us,source,destination,bytes");
        }
        m_time = Column(TIME_COLUMNS);
        m_unit = m_fields[m_time].substr(m_fields[m_time].find('_') + 1);
        m_source = Column({"source", "src"});
        m_destination = Column({"destination", "dst"});
        m_bytes = Column({"bytes"});
        m_columns = m_fields.size();
    }

    /** \return false at the end of the file */
    bool Read(RdmaFlowSpec& flow)
    {
        if (!ReadLine())
        {
            return false;
        }
        if (m_fields.size() != m_columns)
        {
            Fail("the line has " + std::to_string(m_fields.size()) +
                 " fields, but must have as many as there are columns, " +
                 std::to_string(m_columns));
        }
        flow.src = static_cast<uint32_t>(ToInteger("the source", m_fields[m_source], 0, MAX_NODE));
        flow.dst = static_cast<uint32_t>(
            ToInteger("the destination", m_fields[m_destination], 0, MAX_NODE));
        flow.bytes = ToInteger("the size in bytes", m_fields[m_bytes], 0, MAX_BYTES);
        if (!ParseTime(m_fields[m_time] + m_unit, flow.start))
        {
            FailValue("the time", m_fields[m_time], "a number of " + m_unit + ", 0 or more");
        }
        flow.line = m_line;
        return true;
    }

  private:
    /** Reads the next line that is not blank. \return false at the end of the file */
    bool ReadLine()
    {
        std::string line;
        do
        {
            ++m_line;
            if (!std::getline(m_in, line))
            {
                if (m_in.bad())
                {
                    Fail("the file cannot be read");
                }
                return false;
            }
            if (line.size() > LONGEST_ARRIVAL_LINE)
            {
                Fail("the line is longer than " + std::to_string(LONGEST_ARRIVAL_LINE) +
                     " characters; this is no trace of arrivals");
            }
            if (m_line == 1)
            {
                line.erase(0, ByteOrderMarkIn(line));
            }
            line.erase(std::remove_if(line.begin(),
                                      line.end(),
                                      [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
                       line.end());
        } while (line.empty());
        m_fields.clear();
        for (size_t begin = 0; begin <= line.size();)
        {
            const size_t end = std::min(line.find(',', begin), line.size());
            m_fields.push_back(line.substr(begin, end - begin));
            begin = end + 1;
        }
        return true;
    }

    /** \return which column has one of the names; exactly one must */
    size_t Column(const ColumnNames& names) const
    {
        size_t found = m_fields.size();
        for (size_t i = 0; i < m_fields.size(); ++i)
        {
            if (std::find(names.begin(), names.end(), m_fields[i]) != names.end())
            {
                if (found < m_fields.size())
                {
                    Fail("columns " + m_fields[found] + " and " + m_fields[i] +
                         " mean the same; leave one of them out");
                }
                found = i;
            }
        }
        if (found == m_fields.size())
        {
            Fail("no column " + (names.size() > 2 ? "of " + ListText(names) : names.front()) +
                 "; the first line names the columns, such as time_us,source,destination,bytes");
        }
        return found;
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        throw InputError(m_name, m_line, message);
    }

    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override
    {
        Fail(std::string(what) + " is " + ShownText(text) + ", but must be " + expected);
    }

    std::istream& m_in;
    std::string m_name;
    std::vector<std::string> m_fields; //!< of the last line read
    std::string m_unit;                //!< of times
    size_t m_time{0};                  //!< columns
    size_t m_source{0};
    size_t m_destination{0};
    size_t m_bytes{0};
    size_t m_columns{0}; //!< how many
    uint64_t m_line{0};
};

} // namespace

std::vector<RdmaFlowSpec>
ReadRdmaTrafficTrace(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    return ReadRdmaTrafficTrace(in, file);
}

std::vector<RdmaFlowSpec>
ReadRdmaTrafficTrace(std::istream& in, const std::string& name)
{
    ArrivalReader reader(in, name);
    std::vector<RdmaFlowSpec> flows;
    for (RdmaFlowSpec flow; reader.Read(flow);)
    {
        flows.push_back(flow);
    }
    std::stable_sort(flows.begin(), flows.end(), [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

} // namespace ns3
