/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** What a value has to be. */
struct Shape
{
    bool (Json::*fits)() const noexcept;
    const char* text;
};

constexpr Shape OBJECT{&Json::is_object, "an object"};
constexpr Shape LIST{&Json::is_array, "a list"};
constexpr Shape TEXT{&Json::is_string, "a text"};
constexpr Shape NUMBER{&Json::is_number, "a number"};
constexpr Shape COUNT{&Json::is_number_unsigned, "a whole number from 0 on"};

/** Whether a value may be missing, or null. */
enum class Presence
{
    OPTIONAL, ///< missing
    NULLABLE, ///< missing or null
    NEEDED    ///< if what it is in is there
};

/** A value, by the names of what it is in: "*" is each entry of a list or of an object. */
struct ShapeRule
{
    std::string_view place;
    Shape shape;
    Presence presence{Presence::OPTIONAL};
};

constexpr auto NEEDED = Presence::NEEDED;
constexpr auto NULLABLE = Presence::NULLABLE;

const std::vector<ShapeRule> SUMMARY{
    {"configuration", OBJECT, NEEDED},
    {"configuration/mode", TEXT},
    {"configuration/config_txt", OBJECT, NULLABLE},
    {"program", OBJECT},
    {"command", LIST},
    {"command/*", TEXT},
    {"inputs", LIST},
    {"inputs/*", OBJECT},
    {"inputs/*/named_by", TEXT},
    {"inputs/*/path", TEXT},
    {"inputs/*/fnv1a_64", TEXT},
    {"outputs", LIST},
    {"outputs/*", OBJECT},
    {"outputs/*/named_by", TEXT},
    {"outputs/*/path", TEXT},
    {"network", OBJECT, NULLABLE},
    {"network/*", NUMBER, NULLABLE},
    {"warnings", LIST},
    {"simulated_s", NUMBER, NULLABLE},
    {"operations", OBJECT},
    {"operations/count", NUMBER},
    {"operations/completed", NUMBER},
    {"operations/stalled", LIST},
    {"results", OBJECT},
    {"results/finish_ns", NUMBER, NULLABLE},
    {"results/jobs", LIST},
    {"results/jobs/*", OBJECT},
    {"results/jobs/*/finish_ns", OBJECT, NEEDED},
    {"results/jobs/*/finish_ns/max", NUMBER, NULLABLE},
    {"flows", OBJECT},
    {"flows/count", NUMBER},
    {"flows/completed", NUMBER},
    {"flows/not_completed", LIST},
    {"flows/not_completed/*", OBJECT},
    {"fast", OBJECT, NULLABLE},
    {"fast/events", OBJECT, NEEDED},
    {"fast/events/run", NUMBER, NEEDED},
    {"fast/events/skipped", NUMBER, NEEDED},
    {"fast/events/replayed", NUMBER, NEEDED},
    {"counters", OBJECT},
    {"counters/packet_hops", COUNT},
    {"counters/ack_hops", COUNT},
    {"record", OBJECT, NULLABLE},
    {"record/period_ns", NUMBER},
    {"record/flows_sampled_every", COUNT},
    {"cost", OBJECT},
    {"cost/setup_s", NUMBER},
    {"cost/run_s", NUMBER},
    {"cost/events", COUNT},
    {"cost/peak_memory_kib", COUNT},
};

const std::vector<ShapeRule> COMPARISON{
    {"modes", OBJECT},
    {"modes/*", OBJECT},
    {"modes/*/wall_s", NUMBER, NULLABLE},
    {"modes/*/walls_s", LIST},
    {"modes/*/walls_s/*", NUMBER},
    {"modes/*/cpus_s", LIST},
    {"modes/*/cpus_s/*", NUMBER},
    {"modes/*/peak_memory_kib", COUNT},
    {"notes", LIST},
    {"failures", LIST},
    {"seeds", LIST},
    {"seeds/*", OBJECT},
    {"seeds/*/seed", COUNT, NEEDED},
    {"seeds/*/errors", OBJECT, NEEDED},
    {"seeds/*/errors/fct", OBJECT, NEEDED},
    {"seeds/*/errors/fct/*", NUMBER, NULLABLE},
    {"seeds/*/errors/makespan", NUMBER, NULLABLE},
    {"disturbed", OBJECT, NULLABLE},
    {"disturbed/pairs", COUNT, NEEDED},
    {"disturbed/beyond", LIST, NEEDED},
    {"disturbed/flow_error", OBJECT, NEEDED},
    {"disturbed/flow_error/fast", NUMBER, NULLABLE},
    {"disturbed/flow_error/packet", NUMBER, NULLABLE},
    {"disturbed/statistics", LIST, NEEDED},
    {"disturbed/statistics/*", OBJECT},
    {"disturbed/statistics/*/packet_ns", NUMBER, NEEDED},
    {"disturbed/statistics/*/fast_ns", NUMBER, NEEDED},
    {"disturbed/statistics/*/bias", NUMBER, NULLABLE},
    {"disturbed/statistics/*/interval", OBJECT, NULLABLE},
    {"disturbed/statistics/*/interval/*", NUMBER},
};

/** What to check. */
struct ShapeCheck
{
    const std::string& path;
    const char* writer;
    const ShapeRule& rule;

    [[noreturn]] void Fail(const std::string& what) const
    {
        throw ns3::InputError(path + ": this is no " + writer + ": " + std::string(rule.place) +
                              " " + what + "; run it again");
    }

    /** \param place of what is looked for, below \p value */
    void Check(const Json& value, std::string_view place) const
    {
        if (place.empty())
        {
            if (!(value.*rule.shape.fits)() && !(value.is_null() && rule.presence == NULLABLE))
            {
                Fail(std::string("is ") + ns3::ShownText(value.dump()) + ", not " +
                     rule.shape.text);
            }
            return;
        }
        const size_t slash = std::min(place.find('/'), place.size());
        const std::string name(place.substr(0, slash));
        const std::string_view rest = place.substr(std::min(slash + 1, place.size()));
        if (name == "*")
        {
            for (const Json& entry : value)
            {
                Check(entry, rest);
            }
        }
        else if (value.is_object() && value.contains(name))
        {
            Check(value[name], rest);
        }
        else if (value.is_object() && rest.empty() && rule.presence == NEEDED)
        {
            Fail("is missing");
        }
    }
};

void
CheckRules(const Json& json,
           const std::vector<ShapeRule>& rules,
           const std::string& path,
           const char* writer)
{
    for (const ShapeRule& rule : rules)
    {
        ShapeCheck{path, writer, rule}.Check(json, rule.place);
    }
}

} // namespace

void
CheckSummaryShape(const Json& summary, const std::string& path)
{
    CheckRules(summary, SUMMARY, path, "summary of a run");
}

void
CheckComparisonShape(const Json& comparison, const std::string& path)
{
    if (!comparison.is_object() || !comparison.contains("modes"))
    {
        throw ns3::InputError(path + ": this is not what wormhole compare writes; run it again");
    }
    CheckRules(comparison, COMPARISON, path, "comparison of modes");
}

} // namespace wormhole
