/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-files.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace wormhole
{

std::string
CsvName(std::string name)
{
    std::replace(name.begin(), name.end(), ',', ';');
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return c == '\n' || c == '\r'; },
        ' ');
    return name;
}

void
FinishEach(const std::vector<std::function<void()>>& steps)
{
    std::optional<ns3::OutputError> failure;
    for (const std::function<void()>& step : steps)
    {
        try
        {
            step();
        }
        catch (const ns3::OutputError& error)
        {
            failure = failure ? failure : error;
        }
    }
    if (failure)
    {
        throw ns3::OutputError(*failure);
    }
}

RecordedTopology::RecordedTopology(const RecordPlan& plan, const ns3::RdmaTopology& topology)
    : m_file(plan.PathOf("topology.txt"))
{
    std::ostringstream text;
    ns3::WriteRdmaTopology(text, topology);
    m_file.Write(text.str());
    m_file.Flush();
}

RecordedNodes::RecordedNodes(const ns3::RdmaTopology& topology)
    : m_count(static_cast<uint32_t>(topology.nodes.size()))
{
    for (uint32_t node = 0; node < m_count; ++node)
    {
        if (topology.nodes[node] == ns3::RdmaNodeKind::NVSWITCH)
        {
            m_nvSwitches.push_back(node);
        }
    }
}

uint32_t
RecordedNodes::operator()(uint32_t node) const
{
    return node < m_count ? node : m_nvSwitches[node - m_count]; // ns3::WorkloadEndpoints
}

RecordedPairs::RecordedPairs(const std::vector<RecordPair>& chosen)
    : m_pairs(chosen),
      m_chosen(!chosen.empty())
{
    for (size_t i = 0; i < chosen.size(); ++i)
    {
        m_numbers[{chosen[i].src, chosen[i].dst}] = i;
    }
}

std::optional<size_t>
RecordedPairs::Find(uint32_t src, uint32_t dst)
{
    constexpr size_t MOST = 256;
    const auto found = m_numbers.find({src, dst});
    if (found != m_numbers.end())
    {
        return found->second;
    }
    if (m_chosen || m_pairs.size() == MOST)
    {
        return std::nullopt;
    }
    m_numbers[{src, dst}] = m_pairs.size();
    m_pairs.push_back({src, dst});
    return m_pairs.size() - 1;
}

void
RecordedPairs::KeepBusiest(const std::vector<uint64_t>& bytes)
{
    constexpr size_t KEPT = 8;
    if (m_chosen)
    {
        return;
    }
    std::vector<size_t> order(bytes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return bytes[a] > bytes[b];
    });
    m_left.insert(order.begin() + static_cast<std::ptrdiff_t>(std::min(KEPT, order.size())),
                  order.end());
}

nlohmann::ordered_json
RecordedPairs::ToJson() const
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (size_t pair = 0; pair < m_pairs.size(); ++pair)
    {
        if (IsWritten(pair))
        {
            list.push_back({m_pairs[pair].src, m_pairs[pair].dst});
        }
    }
    return list;
}

RecordedFlows::RecordedFlows(const RecordPlan& plan)
    : m_file(plan.PathOf("flows.csv"))
{
    SetKinds(plan.kinds);
}

void
RecordedFlows::SetKinds(std::vector<std::string> kinds)
{
    m_kinds = std::move(kinds);
    std::transform(m_kinds.begin(), m_kinds.end(), m_kinds.begin(), CsvName);
}

void
RecordedFlows::Describe(nlohmann::ordered_json& summary) const
{
    summary["flows"] = m_flows.GetCount();
    summary["flows_sampled_every"] = m_flows.GetEvery();
}

void
RecordedFlows::Finish()
{
    m_file.Write("kind,src,dst,bytes,start_ns,fct_ns,standalone_ns\n");
    for (const RecordedFlow& flow : m_flows.GetItems())
    {
        m_file.Write(CsvLine(flow.kind < m_kinds.size() ? m_kinds[flow.kind] : "",
                             flow.src,
                             flow.dst,
                             flow.bytes,
                             flow.startNs,
                             flow.fctNs,
                             flow.standaloneNs ? std::to_string(flow.standaloneNs) : ""));
    }
    m_file.Close();
}

} // namespace wormhole
