/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-html.h"

#include "report-assets.h"

#include "ns3/input-error.h"

#include <map>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return the text with each of these characters as its replacement */
std::string
Replaced(const std::string& text, const std::map<char, std::string>& replacements)
{
    std::string replaced;
    for (const char c : text)
    {
        const auto found = replacements.find(c);
        replaced += found == replacements.end() ? std::string(1, c) : found->second;
    }
    return replaced;
}

std::string
HtmlText(const std::string& text)
{
    return Replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

/** \return the template with its {{NAME}}s replaced, once: what is put in is left as it is */
std::string
Filled(const std::string& page, const std::map<std::string, std::string>& parts)
{
    std::string filled;
    size_t done = 0;
    for (size_t open = page.find("{{"); open != std::string::npos; open = page.find("{{", done))
    {
        const size_t close = page.find("}}", open);
        filled += page.substr(done, open - done);
        filled += parts.at(page.substr(open + 2, close - open - 2));
        done = close + 2;
    }
    return filled + page.substr(done);
}

} // namespace

void
NeedReportPage()
{
    if (*PLOT_SCRIPT == '\0')
    {
        throw ns3::InputError(
            "report: this program was built without uPlot, which draws the charts, so it can write "
            "no page; give --csv or --json instead, or build again with a network, or with cmake "
            "-D WORMHOLE_UPLOT=uplot-1.6.32.tgz");
    }
}

std::string
ReportHtml(const Json& data)
{
    // In a script element only "<" could begin something else, such as its end.
    const std::string json = Replaced(ReportJsonText(data, -1), {{'<', "\\u003c"}});
    return Filled(REPORT_PAGE,
                  {{"title", HtmlText(data["title"].get<std::string>())},
                   {"style", REPORT_STYLE},
                   {"script", REPORT_SCRIPT},
                   {"plot-style", PLOT_STYLE},
                   {"plot-script", PLOT_SCRIPT},
                   {"plot-licence", HtmlText(PLOT_LICENCE)},
                   {"data", json}});
}

std::string
ReportJsonText(const Json& data, int indent)
{
    return data.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace wormhole
