/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-file.h"

#include "ns3/input-number.h"
#include "ns3/input-text-reader.h"
#include "ns3/input-units.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <ostream>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_ID = std::numeric_limits<uint32_t>::max();
constexpr uint64_t MAX_FLOW_BYTES = std::numeric_limits<int64_t>::max();

/** What an announced count may make us reserve: a short file must not cost memory by its count. */
constexpr uint64_t MAX_RESERVED = 65536;

/** Reads the fields of one flow after the other; a message is made only when something is wrong. */
class FlowReader : private InputValues
{
  public:
    explicit FlowReader(TextReader& reader)
        : m_reader(reader),
          m_count(reader.Integer("number of flows", 0, MAX_ID))
    {
    }

    uint64_t Count() const
    {
        return m_count;
    }

    RdmaFlowSpec Read()
    {
        ++m_flow;
        RdmaFlowSpec flow;
        flow.src = Whole("source host", 0, MAX_ID);
        flow.dst = Whole("destination host", 0, MAX_ID);
        flow.priority = Whole(PRIORITY, 1, 7);
        flow.dport = Whole("destination port", 0, 65535);
        flow.bytes = Whole("size in bytes", 0, MAX_FLOW_BYTES);
        flow.start = Start();
        flow.line = m_reader.Line();
        return flow;
    }

  private:
    static constexpr const char* PRIORITY = "priority group";

    void NextWord(const char* what)
    {
        if (!m_reader.Next(m_word))
        {
            m_reader.Fail("the file ends at flow " + std::to_string(m_flow) + " of " +
                          std::to_string(m_count) + ", where its " + what +
                          " is expected; complete it, or correct the number of flows in the "
                          "first line");
        }
    }

    uint64_t Whole(const char* what, uint64_t min, uint64_t max)
    {
        NextWord(what);
        return ToInteger(what, m_word, min, max);
    }

    Time Start()
    {
        NextWord("start in seconds");
        double value = 0;
        Time start;
        if (!ParseNumber(m_word, value) ||
            (value != 0 && !ParseTime(m_word + "s", start))) // "-0" is 0
        {
            FailValue("start in seconds",
                      m_word,
                      "a number from 0 to " +
                          std::to_string(static_cast<uint64_t>(Time::Max().GetSeconds())));
        }
        return start;
    }

    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override
    {
        m_reader.Fail("flow " + std::to_string(m_flow) + " of " + std::to_string(m_count) + ": " +
                      std::string(what) + " " + ShownText(text) + ", but must be " + expected +
                      (what == PRIORITY ? "; use 3 unless priorities matter (0 is for control "
                                          "frames)"
                                        : ""));
    }

    TextReader& m_reader;
    uint64_t m_count;
    uint64_t m_flow{0}; //!< from 1
    std::string m_word;
};

bool
StartsBefore(const RdmaFlowSpec& a, const RdmaFlowSpec& b)
{
    return a.start < b.start;
}

/** \return seconds with 10 digits after the point, or with more if the time needs them */
std::string
StartText(const Time& start)
{
    constexpr size_t USUAL = 10;
    const int64_t perSecond = Seconds(1).GetTimeStep(); // a power of 10
    const std::string digits =
        std::to_string(perSecond + start.GetTimeStep() % perSecond).substr(1);
    const size_t needed = digits.find_last_not_of('0') + 1; // 0 if there are only zeros
    std::string fraction = digits.substr(0, needed);
    fraction.resize(std::max(needed, USUAL), '0');
    return std::to_string(start.GetTimeStep() / perSecond) + "." + fraction;
}

} // namespace

std::vector<RdmaFlowSpec>
ReadRdmaFlows(const std::string& file, bool* unsorted, uint64_t* surplus)
{
    std::ifstream in = OpenInput(file);
    return ReadRdmaFlows(in, file, unsorted, surplus);
}

std::vector<RdmaFlowSpec>
ReadRdmaFlows(std::istream& in, const std::string& name, bool* unsorted, uint64_t* surplus)
{
    TextReader text(in, name);
    FlowReader reader(text);
    std::vector<RdmaFlowSpec> flows;
    flows.reserve(std::min(reader.Count(), MAX_RESERVED));
    for (uint64_t i = 0; i < reader.Count(); ++i)
    {
        flows.push_back(reader.Read());
    }
    const bool sorted = std::is_sorted(flows.begin(), flows.end(), StartsBefore);
    if (!sorted)
    {
        std::stable_sort(flows.begin(), flows.end(), StartsBefore);
    }
    if (unsorted)
    {
        *unsorted = !sorted;
    }
    if (surplus)
    {
        *surplus = text.LineOfNumber();
    }
    return flows;
}

void
WriteRdmaFlows(std::ostream& out, const std::vector<RdmaFlowSpec>& flows)
{
    out << std::to_string(flows.size()) << "\n";
    for (const RdmaFlowSpec& flow : flows)
    {
        out << std::to_string(flow.src) + " " + std::to_string(flow.dst) + " " +
                   std::to_string(flow.priority) + " " + std::to_string(flow.dport) + " " +
                   std::to_string(flow.bytes) + " " + StartText(flow.start) + "\n";
    }
}

std::vector<uint32_t>
ReadRdmaTraceNodes(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    return ReadRdmaTraceNodes(in, file);
}

std::vector<uint32_t>
ReadRdmaTraceNodes(std::istream& in, const std::string& name)
{
    TextReader reader(in, name);
    const uint64_t count = reader.Integer("number of nodes to trace", 0, MAX_ID);
    std::vector<uint32_t> nodes;
    nodes.reserve(std::min(count, MAX_RESERVED));
    for (uint64_t i = 0; i < count; ++i)
    {
        nodes.push_back(reader.Integer("id of a node to trace", 0, MAX_ID));
    }
    return nodes;
}

} // namespace ns3
