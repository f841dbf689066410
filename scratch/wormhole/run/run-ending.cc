/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-ending.h"

#include "command/options.h"

#include <filesystem>
#include <optional>
#include <system_error>

namespace fs = std::filesystem;

namespace wormhole
{

void
EndRun(const RunOptions& options, const RunEnding& ending, ns3::LineFile& summaryFile)
{
    std::optional<ns3::OutputError> failure;
    std::error_code error; // if the folder cannot be made again, its files say so
    fs::create_directories(fs::path(summaryFile.GetPath()).parent_path(), error);
    try
    {
        ending.finishFiles();
    }
    catch (const ns3::OutputError& error)
    {
        failure = error;
    }
    summaryFile.Write(ending.summary);
    summaryFile.Flush(); // whatever becomes of standard output; Close() says whether it went well
    if (options.json)
    {
        PrintText(ending.summary);
    }
    else if (!options.quiet)
    {
        PrintText(ending.table());
    }
    ending.complain();
    if (failure)
    {
        try
        {
            summaryFile.Close();
        }
        catch (const ns3::OutputError&)
        {
            // the first failure is told, of them all
        }
        throw *failure;
    }
    summaryFile.Close();
}

} // namespace wormhole
