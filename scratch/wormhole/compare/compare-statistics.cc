/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-statistics.h"

#include "result/statistics.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

void
AddFlows(const CompareOutcome& outcome, std::vector<CompareStatistic>& list)
{
    std::vector<double> times;
    times.reserve(outcome.flows.size());
    for (const CompareFlow& flow : outcome.flows)
    {
        times.push_back(static_cast<double>(flow.fctNs));
    }
    if (times.empty())
    {
        return;
    }
    const Statistics fct = Describe(std::move(times));
    list.push_back({"FCT mean", "all flows", fct.mean});
    list.push_back({"FCT p50", "all flows", fct.p50});
    list.push_back({"FCT p90", "all flows", fct.p90});
    list.push_back({"FCT p99", "all flows", fct.p99});
}

void
AddKinds(const Json& results, std::vector<CompareStatistic>& list)
{
    for (const Json& flows : results.value("flows", Json::array()))
    {
        const Json fct = flows.value("fct_ns", Json::object());
        for (const char* part : {"mean", "p50", "p90", "p99"})
        {
            list.push_back(
                {std::string("FCT ") + part, flows.value("category", ""), fct.value(part, 0.0)});
        }
    }
}

void
AddJobs(const Json& results, bool complete, std::vector<CompareStatistic>& list)
{
    const Json jobs = results.value("jobs", Json::array());
    for (const Json& job : jobs)
    {
        const std::string name = job.value("job", "");
        for (const Json& category : job.value("categories", Json::array()))
        {
            if (category.value("kind", "") != "communication")
            {
                continue;
            }
            const std::string kind = category.value("category", "");
            std::string of = jobs.size() > 1 ? name : "";
            of.append(of.empty() ? "" : ": ").append(kind);
            const Json time = category.value("time_ns", Json::object());
            list.push_back({"time", of, time.value("mean", 0.0)});
            if (complete)
            {
                list.push_back({"end", of, category.value("end_ns", 0.0)});
            }
        }
        if (jobs.size() > 1 && complete)
        {
            list.push_back({"end", name, job["finish_ns"].value("max", 0.0)});
        }
    }
}

} // namespace

std::vector<CompareStatistic>
StatisticsOf(const CompareOutcome& outcome)
{
    std::vector<CompareStatistic> list;
    const Json results = outcome.summary.value("results", Json());
    if (results.is_object())
    {
        AddKinds(results, list);
        AddJobs(results, outcome.makespanNs.has_value(), list);
    }
    else
    {
        AddFlows(outcome, list);
    }
    if (outcome.makespanNs)
    {
        list.push_back({"makespan", "all", *outcome.makespanNs});
    }
    return list;
}

} // namespace wormhole
