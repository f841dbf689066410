/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command/command-options.h"
#include "command/commands.h"
#include "command/options.h"
#include "new-plugin.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

CommandOptions
NewCommandOptions()
{
    po::options_description description("Options");
    description.add_options()("output",
                              po::value<std::string>()->value_name("DIR"),
                              "folder to make (default: NAME)")("help", "this text");
    return {"new", "KIND NAME", {description}};
}

int
NewCommand(const Words& words)
{
    const po::options_description description = NewCommandOptions().groups.front();
    const po::variables_map values = ParseOptions("new", words, description, "KIND NAME", 2);
    if (values.count("help"))
    {
        std::ostringstream help;
        help << "usage: wormhole new KIND NAME [--output DIR]\n\n"
                "Writes a class ns3::NAME to start from, and what builds it against the installed\n"
                "Wormhole as a shared object for wormhole run --load; prints the commands that do "
                "so.\nKIND is control (of congestion), scheduler (of the classes at a port) or "
                "router (among\nequally short ways).\n\n"
             << description;
        PrintText(help.str());
        return EXIT_DONE;
    }
    const Words given = values.count("argument") ? values["argument"].as<Words>() : Words();
    if (given.size() != 2)
    {
        throw ns3::InputError("new needs control, scheduler or router, and a NAME (see wormhole "
                              "new --help)");
    }
    const std::string folder = TextOption(values, "output");
    PrintText(WriteNewPlugin(given.front(), given.back(), folder.empty() ? given.back() : folder));
    return EXIT_DONE;
}

} // namespace wormhole
