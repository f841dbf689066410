/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-ending.h"

#include "options.h"

#include <optional>

namespace wormhole
{

void
EndRun(const RunOptions& options, const RunEnding& ending, ns3::RdmaLineFile& summaryFile)
{
    std::optional<ns3::RdmaOutputError> failure;
    try
    {
        ending.finishFiles();
    }
    catch (const ns3::RdmaOutputError& error)
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
    summaryFile.Close();
    if (failure)
    {
        throw *failure;
    }
}

} // namespace wormhole
