/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report.h"

#include "options.h"

#include <optional>

namespace wormhole
{

void
GiveReport(const RunOptions& options, const Report& report, ns3::RdmaLineFile& summaryFile)
{
    std::optional<ns3::RdmaOutputError> failure;
    try
    {
        report.finishFiles();
    }
    catch (const ns3::RdmaOutputError& error)
    {
        failure = error;
    }
    summaryFile.Write(report.summary);
    summaryFile.Flush(); // whatever becomes of standard output; Close() says whether it went well
    if (options.json)
    {
        PrintText(report.summary);
    }
    else if (!options.quiet)
    {
        PrintText(report.table());
    }
    report.complain();
    summaryFile.Close();
    if (failure)
    {
        throw *failure;
    }
}

} // namespace wormhole
