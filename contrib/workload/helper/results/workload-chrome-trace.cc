/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chrome-trace.h"

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ns3
{

namespace
{

constexpr uint32_t FIRST_LANE = 256; // streams come before

/** \return a text as JSON, whatever bytes it holds */
std::string
Quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/** \return picoseconds in microseconds, exact */
std::string
MicrosecondsText(int64_t ps)
{
    char text[64];
    std::snprintf(text,
                  sizeof(text),
                  "%" PRId64 ".%06d",
                  ps / 1000000,
                  static_cast<int>(ps % 1000000));
    return text;
}

std::string
MetadataText(const char* what, uint32_t process, uint32_t thread, const std::string& quoted)
{
    return std::string("{\"ph\":\"M\",\"name\":\"") + what +
           "\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) +
           ",\"args\":{\"name\":" + quoted + "}}";
}

} // namespace

WorkloadChromeTrace::WorkloadChromeTrace(const std::string& path,
                                         std::vector<Process> processes,
                                         std::vector<std::vector<std::string>> categories,
                                         uint64_t max)
    : m_file(path),
      m_processes(std::move(processes)),
      m_categories(std::move(categories)),
      m_states(m_processes.size()),
      m_max(max)
{
    for (std::vector<std::string>& names : m_categories)
    {
        for (std::string& name : names)
        {
            name = Quoted(name);
        }
    }
    m_file.Write("[\n");
}

void
WorkloadChromeTrace::Append(const std::string& event)
{
    m_file.Write(m_first ? event : ",\n" + event);
    m_first = false;
}

void
WorkloadChromeTrace::NameThread(uint32_t process, uint32_t thread, const std::string& name)
{
    Append(MetadataText("thread_name", process, thread, Quoted(name)));
    Append("{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" + std::to_string(process) +
           ",\"tid\":" + std::to_string(thread) +
           ",\"args\":{\"sort_index\":" + std::to_string(thread) + "}}");
}

/** \param lane set to the first lane that is free from the span's begin on \return false if there
 * are too many */
bool
WorkloadChromeTrace::FindLane(State& state, const WorkloadSpan& span, uint32_t& lane)
{
    lane = 0;
    while (lane < state.lanes.size() && state.lanes[lane] > span.beginPs)
    {
        ++lane;
    }
    if (lane == MOST_LANES)
    {
        return false;
    }
    if (lane == state.lanes.size())
    {
        state.lanes.push_back(0);
        NameThread(span.process,
                   FIRST_LANE + lane,
                   lane == 0 ? "communication" : "communication " + std::to_string(lane));
    }
    state.lanes[lane] = span.endPs;
    return true;
}

void
WorkloadChromeTrace::Done(const WorkloadSpan& span)
{
    if (span.beginPs >= span.endPs)
    {
        return;
    }
    State& state = m_states[span.process];
    const Process& process = m_processes[span.process];
    uint32_t thread = span.cpu;
    if (m_written >= m_max)
    {
        m_cutPs = m_leftOut++ ? m_cutPs : span.endPs;
        return;
    }
    if (!state.named)
    {
        state.named = true;
        Append(MetadataText("process_name", span.process, 0, Quoted(process.name)));
    }
    if (span.communication)
    {
        if (!FindLane(state, span, thread))
        {
            m_crowdedPs = m_crowded++ ? m_crowdedPs : span.endPs;
            return;
        }
        thread += FIRST_LANE;
    }
    else if (!state.streams[thread])
    {
        state.streams[thread] = true;
        NameThread(span.process, thread, "computation, stream " + std::to_string(thread));
    }
    ++m_written;
    Append("{\"ph\":\"X\",\"name\":" + m_categories[process.job][span.category] +
           ",\"pid\":" + std::to_string(span.process) + ",\"tid\":" + std::to_string(thread) +
           ",\"ts\":" + MicrosecondsText(span.beginPs) +
           ",\"dur\":" + MicrosecondsText(span.endPs - span.beginPs) + ",\"args\":{\"" +
           (span.communication ? "bytes" : "ns") + "\":" + std::to_string(span.size) + "}}");
}

void
WorkloadChromeTrace::Mark(const std::string& text, int64_t ps)
{
    Append("{\"ph\":\"i\",\"s\":\"g\",\"name\":\"" + text +
           "\",\"pid\":0,\"tid\":0,\"ts\":" + MicrosecondsText(ps) + "}");
}

void
WorkloadChromeTrace::Finish()
{
    if (m_crowded > 0)
    {
        Mark("from here on " + std::to_string(m_crowded) + " spans of ranks with more than " +
                 std::to_string(MOST_LANES) + " at once are left out",
             m_crowdedPs);
    }
    if (m_leftOut > 0)
    {
        Mark("from here on " + std::to_string(m_leftOut) + " spans are left out", m_cutPs);
    }
    m_file.Write("\n]\n");
    m_file.Close();
}

} // namespace ns3
