/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <string_view>
#include <vector>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** What a value has to be. */
enum class Shape
{
    OBJECT,
    LIST,
    TEXT,
    NUMBER,
    COUNT ///< a whole number from 0 on
};

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
    {"configuration", Shape::OBJECT, NEEDED},
    {"configuration/mode", Shape::TEXT},
    {"configuration/config_txt", Shape::OBJECT, NULLABLE},
    {"program", Shape::OBJECT},
    {"command", Shape::LIST},
    {"command/*", Shape::TEXT},
    {"inputs", Shape::LIST},
    {"inputs/*", Shape::OBJECT},
    {"inputs/*/named_by", Shape::TEXT},
    {"inputs/*/path", Shape::TEXT},
    {"inputs/*/fnv1a_64", Shape::TEXT},
    {"outputs", Shape::LIST},
    {"outputs/*", Shape::OBJECT},
    {"outputs/*/named_by", Shape::TEXT},
    {"outputs/*/path", Shape::TEXT},
    {"network", Shape::OBJECT, NULLABLE},
    {"network/*", Shape::NUMBER, NULLABLE},
    {"warnings", Shape::LIST},
    {"simulated_s", Shape::NUMBER, NULLABLE},
    {"operations", Shape::OBJECT},
    {"operations/count", Shape::NUMBER},
    {"operations/completed", Shape::NUMBER},
    {"operations/stalled", Shape::LIST},
    {"results", Shape::OBJECT},
    {"results/finish_ns", Shape::NUMBER},
    {"results/jobs", Shape::LIST},
    {"results/jobs/*", Shape::OBJECT},
    {"results/jobs/*/finish_ns", Shape::OBJECT, NEEDED},
    {"results/jobs/*/finish_ns/max", Shape::NUMBER, NULLABLE},
    {"flows", Shape::OBJECT},
    {"flows/count", Shape::NUMBER},
    {"flows/completed", Shape::NUMBER},
    {"flows/not_completed", Shape::LIST},
    {"flows/not_completed/*", Shape::OBJECT},
    {"fast", Shape::OBJECT, NULLABLE},
    {"fast/events", Shape::OBJECT, NEEDED},
    {"fast/events/run", Shape::NUMBER, NEEDED},
    {"fast/events/skipped", Shape::NUMBER, NEEDED},
    {"fast/events/replayed", Shape::NUMBER, NEEDED},
    {"counters", Shape::OBJECT},
    {"counters/packet_hops", Shape::COUNT},
    {"counters/ack_hops", Shape::COUNT},
    {"record", Shape::OBJECT, NULLABLE},
    {"record/period_ns", Shape::NUMBER},
    {"record/flows_sampled_every", Shape::COUNT},
    {"cost", Shape::OBJECT},
    {"cost/setup_s", Shape::NUMBER},
    {"cost/run_s", Shape::NUMBER},
    {"cost/events", Shape::COUNT},
    {"cost/peak_memory_kib", Shape::COUNT},
};

const std::vector<ShapeRule> COMPARISON{
    {"modes", Shape::OBJECT},
    {"modes/*", Shape::OBJECT},
    {"modes/*/wall_s", Shape::NUMBER, NULLABLE},
    {"modes/*/walls_s", Shape::LIST},
    {"modes/*/walls_s/*", Shape::NUMBER},
    {"modes/*/cpus_s", Shape::LIST},
    {"modes/*/cpus_s/*", Shape::NUMBER},
    {"modes/*/peak_memory_kib", Shape::COUNT},
    {"notes", Shape::LIST},
    {"failures", Shape::LIST},
    {"seeds", Shape::LIST},
    {"seeds/*", Shape::OBJECT},
    {"seeds/*/seed", Shape::COUNT, NEEDED},
    {"seeds/*/errors", Shape::OBJECT, NEEDED},
    {"seeds/*/errors/fct", Shape::OBJECT, NEEDED},
    {"seeds/*/errors/fct/*", Shape::NUMBER, NULLABLE},
    {"seeds/*/errors/makespan", Shape::NUMBER, NULLABLE},
};

bool
HasShape(const Json& value, Shape shape)
{
    switch (shape)
    {
    case Shape::OBJECT:
        return value.is_object();
    case Shape::LIST:
        return value.is_array();
    case Shape::TEXT:
        return value.is_string();
    case Shape::NUMBER:
        return value.is_number();
    case Shape::COUNT:
        return value.is_number_unsigned();
    }
    return false;
}

const char*
TextOf(Shape shape)
{
    switch (shape)
    {
    case Shape::OBJECT:
        return "an object";
    case Shape::LIST:
        return "a list";
    case Shape::TEXT:
        return "a text";
    case Shape::NUMBER:
        return "a number";
    case Shape::COUNT:
        return "a whole number from 0 on";
    }
    return "";
}

/** A text to hold against a list of rules. */
class ShapeCheck
{
  public:
    ShapeCheck(std::string path, const char* writer)
        : m_path(std::move(path)),
          m_writer(writer)
    {
    }

    /** \param place of what is looked for, below \p value */
    void Check(const Json& value, std::string_view place, const ShapeRule& rule) const
    {
        const size_t slash = place.find('/');
        const std::string name(place.substr(0, slash));
        const std::string_view rest =
            slash == std::string_view::npos ? std::string_view() : place.substr(slash + 1);
        if (name == "*")
        {
            for (const Json& entry : value)
            {
                CheckNext(entry, rest, rule);
            }
            return;
        }
        const auto found = value.is_object() ? value.find(name) : value.end();
        if (found != value.end())
        {
            CheckNext(*found, rest, rule);
        }
        else if (rest.empty() && value.is_object() && rule.presence == NEEDED)
        {
            Fail(rule, "is missing");
        }
    }

  private:
    void CheckNext(const Json& value, std::string_view rest, const ShapeRule& rule) const
    {
        if (!rest.empty())
        {
            Check(value, rest, rule);
        }
        else if (!HasShape(value, rule.shape) && !(value.is_null() && rule.presence == NULLABLE))
        {
            std::string what = "is ";
            what += ns3::ShownText(value.dump());
            what += ", not ";
            what += TextOf(rule.shape);
            Fail(rule, what);
        }
    }

    [[noreturn]] void Fail(const ShapeRule& rule, const std::string& what) const
    {
        std::string message = m_path;
        message += ": this is no ";
        message += m_writer;
        message += ": ";
        message += rule.place;
        message += " ";
        message += what;
        message += "; run it again";
        throw ns3::InputError(message);
    }

    std::string m_path;
    const char* m_writer;
};

void
CheckRules(const Json& json, const std::vector<ShapeRule>& rules, const ShapeCheck& check)
{
    for (const ShapeRule& rule : rules)
    {
        check.Check(json, rule.place, rule);
    }
}

} // namespace

void
CheckSummaryShape(const Json& summary, const std::string& path)
{
    CheckRules(summary, SUMMARY, ShapeCheck(path, "summary of a run"));
}

void
CheckComparisonShape(const Json& comparison, const std::string& path)
{
    CheckRules(comparison, COMPARISON, ShapeCheck(path, "comparison of modes"));
}

} // namespace wormhole
