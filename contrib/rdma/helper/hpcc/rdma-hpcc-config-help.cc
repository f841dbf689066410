/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-keys.h"

#include <sstream>

namespace ns3
{

namespace
{

/** \return the text broken into lines of at most 100 columns, each indented */
std::string
Wrap(const std::string& text, const std::string& indent)
{
    constexpr size_t COLUMNS = 100;
    std::istringstream words(text);
    std::string wrapped;
    std::string line = indent;
    std::string word;
    while (words >> word)
    {
        if (line != indent && line.size() + 1 + word.size() > COLUMNS)
        {
            wrapped += line + "\n";
            line = indent;
        }
        line += line == indent ? word : " " + word;
    }
    return wrapped + line + "\n";
}

} // namespace

std::string
RdmaHpccConfigHelp()
{
    std::string help = "config.txt: KEY VALUE pairs in any order, separated by white space.\n"
                       "KEY (what it applies to): accepted values [unit], value if absent\n\n";
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        const std::string unit = key.unit.empty() ? "" : " [" + key.unit + "]";
        help += Wrap(key.name + " (" + key.scope + "): " + key.range + unit +
                         ", absent: " + key.defaultValue,
                     "  ");
        help += Wrap(key.meaning, "      ");
    }
    return help;
}

std::string
RdmaHpccConfigMarkdown()
{
    std::string table = "| key | applies to | values | unit | if absent | meaning |\n"
                        "|---|---|---|---|---|---|\n";
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        table += "| " + key.name + " | " + key.scope + " | " + key.range + " | " + key.unit +
                 " | " + key.defaultValue + " | " + key.meaning + " |\n";
    }
    return table;
}

} // namespace ns3
