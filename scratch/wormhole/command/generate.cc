/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "generate.h"

#include "commands.h"
#include "options.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"

#include <sstream>

namespace wormhole
{

std::string
ArgumentOf(const boost::program_options::variables_map& values,
           const std::string& command,
           const std::string& name)
{
    if (!values.count("argument"))
    {
        throw ns3::InputError(command + " needs a " + name + " (see wormhole " + command +
                              " --help)");
    }
    return values["argument"].as<Words>().front();
}

void
WriteGenerated(const std::string& path,
               const std::vector<NamedFile>& inputs,
               const std::function<void(std::ostream&)>& write)
{
    std::ostringstream text;
    write(text);
    if (path.empty())
    {
        PrintText(text.str());
        return;
    }
    CheckOverwrite(inputs, {{"--output", path}});
    ns3::LineFile file(path);
    file.Write(text.str());
    file.Close();
}

} // namespace wormhole
