/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tenants-table.h"

#include "terminal/units-text.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

std::string
TimeOrDash(const std::optional<double>& ns)
{
    return ns ? TimeText(*ns) : "-";
}

std::string
TimesOrDash(const std::optional<double>& slowdown)
{
    if (!slowdown)
    {
        return "-";
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << *slowdown;
    return text.str();
}

Json
NumberOrNothing(const std::optional<double>& number)
{
    return number ? Json(*number) : Json();
}

/** \return a number of a part of a job; none if there is none */
std::optional<double>
NumberIn(const Json& job, const char* part, const char* key)
{
    const Json number = job.value(part, Json::object()).value(key, Json());
    return number.is_number() ? std::optional(number.get<double>()) : std::nullopt;
}

} // namespace

TenantTimes
TimesOfTenant(const Json& summary, size_t job)
{
    const Json jobs = summary.value("results", Json::object()).value("jobs", Json::array());
    const Json operations = summary.value("operations", Json::object());
    const bool complete =
        operations.value("completed", uint64_t{0}) == operations.value("count", uint64_t{0});
    if (job >= jobs.size() || !complete)
    {
        return {}; // which job's operations are left is not said
    }
    return {NumberIn(jobs[job], "finish_ns", "max"),
            NumberIn(jobs[job], "communication_ns", "mean")};
}

std::optional<double>
TenantSlowdown(const std::optional<double>& alone, const std::optional<double>& together)
{
    return alone && together && *alone > 0 ? std::optional(*together / *alone) : std::nullopt;
}

std::string
TenantsTable(const std::vector<Tenant>& tenants)
{
    size_t width = std::string("workload").size();
    for (const Tenant& tenant : tenants)
    {
        width = std::max(width, tenant.name.size());
    }
    std::ostringstream text;
    const auto line = [&](const std::string& name, const std::vector<std::string>& words) {
        text << std::left << std::setw(static_cast<int>(width)) << name << std::right;
        for (const std::string& word : words)
        {
            text << std::setw(13) << word;
        }
        text << "\n";
    };
    line("workload", {"alone", "together", "slowdown", "comm. alone", "together", "slowdown"});
    for (const Tenant& tenant : tenants)
    {
        line(tenant.name,
             {TimeOrDash(tenant.alone.finishNs),
              TimeOrDash(tenant.together.finishNs),
              TimesOrDash(TenantSlowdown(tenant.alone.finishNs, tenant.together.finishNs)),
              TimeOrDash(tenant.alone.communicationNs),
              TimeOrDash(tenant.together.communicationNs),
              TimesOrDash(
                  TenantSlowdown(tenant.alone.communicationNs, tenant.together.communicationNs))});
    }
    return text.str();
}

Json
TenantsJson(const std::vector<Tenant>& tenants)
{
    Json all = Json::array();
    for (const Tenant& tenant : tenants)
    {
        const auto times = [](const TenantTimes& of) {
            return Json{{"finish_ns", NumberOrNothing(of.finishNs)},
                        {"communication_ns", NumberOrNothing(of.communicationNs)}};
        };
        all.push_back(
            {{"job", tenant.name},
             {"workload", tenant.workload},
             {"nodes", tenant.nodes},
             {"alone", times(tenant.alone)},
             {"together", times(tenant.together)},
             {"slowdown",
              NumberOrNothing(TenantSlowdown(tenant.alone.finishNs, tenant.together.finishNs))},
             {"communication_slowdown",
              NumberOrNothing(
                  TenantSlowdown(tenant.alone.communicationNs, tenant.together.communicationNs))}});
    }
    return all;
}

} // namespace wormhole
