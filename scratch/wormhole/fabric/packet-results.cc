/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-results.h"

#include "ns3/boolean.h"
#include "ns3/rdma-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace wormhole
{

ns3::Ptr<ns3::RdmaSimulatorImpl>
NativeSimulator()
{
    return ns3::DynamicCast<ns3::RdmaSimulatorImpl>(ns3::Simulator::GetImplementation());
}

const char*
WhyInOneQueue(const ns3::RdmaNetwork& network)
{
    const ns3::Ptr<ns3::RdmaSimulatorImpl> simulator = NativeSimulator();
    if (!simulator || simulator->GetWindowStatistics().windows > 0)
    {
        return nullptr;
    }
    ns3::BooleanValue windows;
    simulator->GetAttribute("Windows", windows);
    if (!windows.Get())
    {
        return "ns3::RdmaSimulatorImpl::Windows is false";
    }
    const char* const why = network.WhyInOneQueue();
    return why ? why : "no windows of a link's delay are worth it here";
}

nlohmann::ordered_json
ThreadsPart(uint32_t asked, const ns3::RdmaNetwork& network)
{
    const ns3::RdmaWindowStatistics& windows = NativeSimulator()->GetWindowStatistics();
    nlohmann::ordered_json part{{"asked", asked},
                                {"ran", windows.threads},
                                {"windows", windows.windows},
                                {"windows_by_threads", windows.threaded},
                                {"windows_merged", windows.merged},
                                {"events_in_windows", windows.events},
                                {"events_merged", windows.mergedEvents},
                                {"critical_path_events", windows.criticalPath},
                                {"busiest_thread_events", windows.busiestThread},
                                {"serial_s", windows.serialSeconds},
                                {"parallel_s", windows.parallelSeconds},
                                {"one_because", nullptr}};
    for (size_t i = 0; i < std::size(windows.PROCESSORS); ++i)
    {
        part["path_events"][std::to_string(windows.PROCESSORS[i])] = windows.paths[i];
    }
    if (windows.threads == 1 && asked > 1)
    {
        const char* const why = network.WhyInOneQueue(); // at the end, it may be so
        const char* const always = WhyInOneQueue(network);
        part["one_because"] = always ? always : why ? why : "a window holds too few events";
    }
    else if (asked == 1)
    {
        part["one_because"] = "1 was asked for";
    }
    return part;
}

nlohmann::ordered_json
RanksPart(const ns3::RdmaRanks& ranks, const ns3::RdmaSimulatorImpl& simulator)
{
    const ns3::RdmaWindowStatistics& windows = simulator.GetWindowStatistics();
    return {{"count", ranks.GetCount()},
            {"windows", windows.windows},
            {"critical_path_events", windows.criticalPath},
            {"peak_memory_kib", simulator.GetRankMemory()},
            {"run_s", windows.parallelSeconds},
            {"exchange_s", windows.serialSeconds}};
}

void
AddRepeats(const ns3::WorkloadRepeats& r, nlohmann::ordered_json& fast)
{
    auto& audit = fast["audit"];
    const auto audited = audit["audited"].get<double>();
    const double sum = audit["meanError"].get<double>() * audited + r.errors;
    audit["leftOut"] = audit["leftOut"].get<uint64_t>() + r.repeated + r.steps + r.audited;
    audit["audited"] = audit["audited"].get<uint64_t>() + r.audited;
    audit["meanError"] = sum > 0 ? sum / (audited + double(r.audited)) : 0.0;
    audit["largestError"] = std::max(audit["largestError"].get<double>(), r.largestError);
    audit["thrownOut"] = audit["thrownOut"].get<uint64_t>() + r.thrownOut;
    fast["collectives"] = {{"recorded", r.recorded},
                           {"repeated", r.repeated},
                           {"followed", r.followed},
                           {"steps", r.steps},
                           {"transfers", r.transfers},
                           {"hops", r.hops},
                           {"audited", r.audited},
                           {"thrownOut", r.thrownOut},
                           {"disturbed", r.disturbed},
                           {"met", r.met},
                           {"delayed", r.delayed}};
}

} // namespace wormhole
