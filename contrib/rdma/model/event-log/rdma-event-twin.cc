/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-twin.h"

#include "ns3/input-values.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{
constexpr const char* NOTHING = "nothing more";
}

RdmaEventWriter::RdmaEventWriter(RdmaNetwork& network, const std::string& path)
    : m_file(path),
      m_log(network, [this](const RdmaEventRecord& record) {
          m_file.Write({reinterpret_cast<const char*>(&record), sizeof(record)});
      })
{
}

void
RdmaEventWriter::Finish()
{
    m_file.Close();
}

RdmaEventTwin::RdmaEventTwin(RdmaNetwork& network, const std::string& path)
    : m_file(OpenInput(path)),
      m_log(network, [this](const RdmaEventRecord& record) { Compare(record); })
{
}

bool
RdmaEventTwin::ReadOther(RdmaEventRecord& other)
{
    return static_cast<bool>(m_file.read(reinterpret_cast<char*>(&other), sizeof(other)));
}

void
RdmaEventTwin::Compare(const RdmaEventRecord& here)
{
    if (!m_difference.empty())
    {
        return;
    }
    RdmaEventRecord other;
    const bool any = ReadOther(other);
    if (any && here == other)
    {
        ++m_count;
        return;
    }
    Differ(here.ToString(), any ? other.ToString() : NOTHING);
    Simulator::Stop();
}

void
RdmaEventTwin::Differ(const std::string& here, const std::string& other)
{
    m_difference = "event " + std::to_string(m_count + 1) + " differs: here " + here +
                   "; in the other run " + other;
}

void
RdmaEventTwin::Finish()
{
    RdmaEventRecord other;
    if (m_difference.empty() && ReadOther(other))
    {
        Differ(NOTHING, other.ToString());
    }
}

} // namespace ns3
