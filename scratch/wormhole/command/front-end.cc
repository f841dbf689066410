/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "front-end.h"

#include "build-info.h"
#include "command-options.h"
#include "options.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace po = boost::program_options;

namespace wormhole
{

std::string
FrontEndHelp(const FrontEndProgram& program)
{
    std::ostringstream out;
    out << program.intro << program.options;
    // without what says which flows or workloads run
    constexpr size_t HOW = 2;
    constexpr unsigned COLUMNS = 100;
    const auto groups = RunCommandOptions().groups;
    for (size_t group = HOW; group < groups.size(); ++group)
    {
        po::options_description wide("", COLUMNS, COLUMNS / 2);
        wide.add(groups[group]);
        out << wide;
    }
    out << program.outro;
    return out.str();
}

bool
PrintAbout(const FrontEndProgram& program, const Words& words)
{
    const auto given = [&words](const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    const bool help = given("--help") || words == Words{"-h"};
    if (help || given("--version"))
    {
        PrintText(help ? FrontEndHelp(program) : VersionText());
        return true;
    }
    return false;
}

RunOptions
ParseFrontEndRun(const FrontEndProgram& program,
                 const Words& words,
                 Words rest,
                 std::string workload)
{
    std::replace(workload.begin(), workload.end(), ',', '_'); // which separates keys
    rest.push_back("--workload=" + program.kind + ":name=" + workload);
    RunOptions options = ParseRunOptions(rest);
    options.words = words;
    for (const auto& [given, name] : {std::pair(options.workload.specs.size() > 1, "--workload"),
                                      {!options.traffic.empty(), "--traffic"},
                                      {!options.flows.empty(), "--flows"},
                                      {options.estimate, "--estimate"},
                                      {options.twin, "--twin"},
                                      {options.disturbance > 0, "--disturb"},
                                      {options.mode == RunMode::MESSAGE, "--mode message"}})
    {
        if (given)
        {
            throw ns3::InputError(std::string(name) + ": no effect here, where " +
                                  program.simulator + " says what is sent; leave it out");
        }
    }
    return options;
}

} // namespace wormhole
