/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-disturbed.h"
#include "result/table-parts.h"
#include "terminal/units-text.h"

#include <cmath>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

Json
StatisticJson(const JudgedStatistic& judged)
{
    Json part{{"statistic", judged.statistic.name},
              {"of", judged.statistic.of},
              {"packet_ns", judged.statistic.ns},
              {"fast_ns", judged.fastNs},
              {"bias", nullptr},
              {"interval", nullptr},
              {"within", judged.within}};
    if (judged.bias)
    {
        part["bias"] = judged.bias->difference;
        part["interval"] = {{"low", judged.bias->low}, {"high", judged.bias->high}};
    }
    return part;
}

std::string
SignedText(double share)
{
    return (share < 0 ? "-" : "+") + PercentText(std::abs(share));
}

/** A line of the table. */
struct Row
{
    std::string name;
    std::string of;
    std::vector<std::string> figures;
    bool within{true};

    /** \return the names to the left, figures to the right of their columns */
    std::string Text() const
    {
        constexpr size_t NAME = 10;
        constexpr size_t OF = 18;
        constexpr size_t FIGURE = 12;
        const auto pad = [](const std::string& text, size_t width) {
            return std::string(text.size() < width ? width - text.size() : 1, ' ');
        };
        std::string text = name + pad(name, NAME) + of + pad(of, OF);
        for (const std::string& figure : figures)
        {
            text += pad(figure, FIGURE) + figure;
        }
        return text + (within ? "\n" : "  beyond\n");
    }
};

std::string
StatisticRow(const JudgedStatistic& judged)
{
    Row row{judged.statistic.name,
            judged.statistic.of,
            {TimeText(judged.statistic.ns), TimeText(judged.fastNs)},
            judged.within};
    if (judged.bias)
    {
        for (const double share : {judged.bias->difference, judged.bias->low, judged.bias->high})
        {
            row.figures.push_back(SignedText(share));
        }
    }
    return row.Text();
}

} // namespace

Json
DisturbedJson(const CompareDisturbed& disturbed)
{
    const std::optional<DisturbedVerdict> verdict = JudgeDisturbed(disturbed);
    Json part{{"pairs", disturbed.packets.size()},
              {"moved", disturbed.moved},
              {"within_own_chaos", verdict ? Json(verdict->IsWithin()) : Json()},
              {"beyond", verdict ? Json(verdict->beyond) : Json::array()},
              {"flow_error",
               {{"fast", verdict ? Json(verdict->fastError) : Json()},
                {"packet", verdict ? Json(verdict->ownError) : Json()},
                {"fast_pairs", disturbed.fastErrors},
                {"packet_pairs", disturbed.ownErrors}}}};
    part["statistics"] = Json::array();
    for (const JudgedStatistic& judged :
         verdict ? verdict->statistics : std::vector<JudgedStatistic>())
    {
        part["statistics"].push_back(StatisticJson(judged));
    }
    return part;
}

std::string
DisturbedTable(const CompareDisturbed& disturbed)
{
    const std::optional<DisturbedVerdict> verdict = JudgeDisturbed(disturbed);
    if (!verdict)
    {
        return "";
    }
    const Row head{"disturbed",
                   std::to_string(disturbed.packets.size() - 1) + " times, and not",
                   {"packet", "fast", "bias", "95 % from", "to"}};
    const Row error{"FCT error",
                    "of single flows",
                    {PercentText(verdict->ownError), PercentText(verdict->fastError)},
                    verdict->errorWithin};
    std::string table = "\n" + head.Text() + error.Text();
    if (verdict->ownUnmatched + verdict->fastUnmatched > 0)
    {
        const Row flows{"flows",
                        "only one run has",
                        {CountText(verdict->ownUnmatched), CountText(verdict->fastUnmatched)},
                        verdict->fastUnmatched <= verdict->ownUnmatched};
        table += flows.Text();
    }
    for (const JudgedStatistic& judged : verdict->statistics)
    {
        table += StatisticRow(judged);
    }
    return table + "within own chaos: " + (verdict->IsWithin() ? "yes\n" : "no\n");
}

} // namespace wormhole
