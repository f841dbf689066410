/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-errors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return the share by which a value is off; 0 if both are 0 */
double
Off(double there, double here)
{
    const double difference = std::abs(here - there);
    return difference > 0 ? difference / std::max(there, 1e-300) : 0;
}

void
CompareFlows(const CompareOutcome& there, const CompareOutcome& here, CompareErrors& errors)
{
    std::vector<double> off;
    auto a = there.flows.begin();
    auto b = here.flows.begin();
    // both are in order, so that equal keys meet
    while (a != there.flows.end() || b != here.flows.end())
    {
        if (b == here.flows.end() || (a != there.flows.end() && a->Key() < b->Key()))
        {
            ++errors.unmatched;
            ++a;
        }
        else if (a == there.flows.end() || b->Key() < a->Key())
        {
            ++errors.unmatched;
            ++b;
        }
        else
        {
            off.push_back(Off(static_cast<double>(a->fctNs), static_cast<double>(b->fctNs)));
            ++a;
            ++b;
        }
    }
    errors.matched = off.size();
    errors.fct = Describe(std::move(off));
}

void
CompareLinks(const CompareOutcome& there, const CompareOutcome& here, CompareErrors& errors)
{
    std::map<std::string, double> rates;
    for (const CompareLink& link : there.links)
    {
        rates[link.name] = link.bytes / std::max(link.seconds, 1e-12);
    }
    std::vector<double> off;
    for (const CompareLink& link : here.links)
    {
        const auto other = rates.find(link.name);
        if (other == rates.end())
        {
            ++errors.linksApart;
            continue;
        }
        off.push_back(Off(other->second, link.bytes / std::max(link.seconds, 1e-12)));
        rates.erase(other);
    }
    errors.linksApart += rates.size();
    errors.linkCount = off.size();
    errors.links = Describe(std::move(off));
}

/** Each acknowledgement here, with the first one there that acknowledges as much. */
void
CompareRtts(const CompareOutcome& there, const CompareOutcome& here, CompareErrors& errors)
{
    double squares = 0;
    double sum = 0;
    auto a = there.rtts.begin();
    for (const CompareRtt& rtt : here.rtts)
    {
        while (a != there.rtts.end() && a->seq < rtt.seq)
        {
            ++a;
        }
        if (a == there.rtts.end())
        {
            break;
        }
        squares += (rtt.ns - a->ns) * (rtt.ns - a->ns);
        sum += a->ns;
        ++errors.rtts;
    }
    if (errors.rtts > 0 && sum > 0)
    {
        const auto count = static_cast<double>(errors.rtts);
        errors.rttNrmse = std::sqrt(squares / count) / (sum / count);
    }
}

Json
OrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

} // namespace

CompareErrors
FindErrors(const CompareOutcome& there, const CompareOutcome& here)
{
    CompareErrors errors;
    CompareFlows(there, here, errors);
    CompareLinks(there, here, errors);
    CompareRtts(there, here, errors);
    if (there.makespanNs && here.makespanNs)
    {
        errors.makespan = Off(*there.makespanNs, *here.makespanNs);
    }
    return errors;
}

Json
ErrorsJson(const CompareErrors& errors)
{
    return {{"fct",
             {{"mean", errors.fct.mean},
              {"p50", errors.fct.p50},
              {"p99", errors.fct.p99},
              {"max", errors.fct.max},
              {"flows", errors.matched},
              {"unmatched", errors.unmatched}}},
            {"makespan", OrNull(errors.makespan)},
            {"link_throughput",
             {{"mean", errors.links.mean},
              {"max", errors.links.max},
              {"links", errors.linkCount},
              {"unmatched", errors.linksApart}}},
            {"rtt", {{"nrmse", OrNull(errors.rttNrmse)}, {"acknowledgements", errors.rtts}}}};
}

} // namespace wormhole
