/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-arguments.h"

#include <map>
#include <optional>

namespace ns3
{

namespace
{

using KinetoEvent = WorkloadKinetoEvent;

const std::map<std::string, std::optional<uint64_t> KinetoEvent::*>&
KinetoCounts()
{
    static const std::map<std::string, std::optional<uint64_t> KinetoEvent::*> COUNTS{
        {"In msg nelems", &KinetoEvent::inElements},
        {"Out msg nelems", &KinetoEvent::outElements},
        {"Group size", &KinetoEvent::groupSize},
        {"Rank", &KinetoEvent::rank},
        {"Src Rank", &KinetoEvent::source},
        {"Dst Rank", &KinetoEvent::destination}};
    return COUNTS;
}

} // namespace

void
SetWorkloadKinetoArgument(KinetoEvent& event, const std::string& key, const std::string& value)
{
    static const std::map<std::string, std::string KinetoEvent::*> TEXTS{
        {"Collective name", &KinetoEvent::collective},
        {"dtype", &KinetoEvent::dtype},
        {"Process Group Name", &KinetoEvent::groupName},
        {"Process Group Ranks", &KinetoEvent::groupRanks},
        {"In split size", &KinetoEvent::inSplit},
        {"Out split size", &KinetoEvent::outSplit}};
    const auto found = TEXTS.find(key);
    if (found != TEXTS.end())
    {
        event.*(found->second) = value;
    }
}

void
SetWorkloadKinetoArgument(KinetoEvent& event,
                          const std::string& key,
                          const WorkloadKinetoNumber& value)
{
    static const std::map<std::string, uint64_t KinetoEvent::*> NUMBERS{
        {"stream", &KinetoEvent::stream},
        {"device", &KinetoEvent::device}};
    static const std::map<std::string, std::optional<uint64_t> KinetoEvent::*> IDS{
        {"correlation", &KinetoEvent::correlation},
        {"External id", &KinetoEvent::external}};
    if (!value.fits)
    {
        return;
    }
    const auto number = NUMBERS.find(key);
    if (number != NUMBERS.end())
    {
        event.*(number->second) = value.value;
        return;
    }
    for (const auto* known : {&IDS, &KinetoCounts()})
    {
        const auto found = known->find(key);
        if (found != known->end())
        {
            event.*(found->second) = value.value;
        }
    }
}

bool
IsWorkloadKinetoCount(const std::string& key)
{
    return KinetoCounts().count(key) > 0;
}

} // namespace ns3
