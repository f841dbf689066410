/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-ending.h"

#include "command/options.h"
#include "exit-codes.h"
#include "result/summary.h"
#include "result/table-parts.h"
#include "warnings.h"

#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

/** Says what did not complete, if anything. */
void
ReportUnfinished(const RunResult& result)
{
    TellWarnings(result.losses);
    if (!result.cut.empty())
    {
        TellWarnings({CutText(result.cut)});
    }
    if (!result.lostRank.empty())
    {
        std::cerr << "wormhole: " << result.lostRank
                  << ", so the run has ended; what had been computed is written\n";
    }
    if (!result.twinDifference.empty() && !result.interrupted)
    {
        std::cerr << "wormhole: --twin: " << result.twinDifference << std::endl;
        return;
    }
    if (result.complete && !result.interrupted)
    {
        return;
    }
    for (const std::string& line : result.unfinished)
    {
        std::cerr << "wormhole: " << line << "\n";
    }
    std::cerr << "wormhole: " << (result.interrupted ? "interrupted; " : "")
              << result.count - result.completed << " of " << result.count << " " << result.items
              << " did not complete" << std::endl;
}

} // namespace

void
EndRun(const RunOptions& options, const RunPlan& plan, Run& run, ns3::LineFile& summaryFile)
{
    const RunResult& result = run.GetResult();
    const std::string summary = SummaryText(MakeSummary(options, plan, result));
    std::optional<ns3::OutputError> failure;
    std::error_code error; // if the folder cannot be made again, its files say so
    fs::create_directories(fs::path(summaryFile.GetPath()).parent_path(), error);
    try
    {
        run.FinishFiles();
    }
    catch (const ns3::OutputError& error)
    {
        failure = error;
    }
    summaryFile.Write(summary);
    summaryFile.Flush(); // whatever becomes of standard output; Close() says whether it went well
    if (options.json)
    {
        PrintText(summary);
    }
    else if (!options.quiet)
    {
        PrintText(ResultTable(options, plan, result));
    }
    ReportUnfinished(result);
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

int
ExitCodeOf(const RunResult& result)
{
    if (!result.lostRank.empty())
    {
        return EXIT_IO;
    }
    if (result.interrupted)
    {
        return EXIT_INTERRUPTED;
    }
    if (!result.twinDifference.empty())
    {
        return EXIT_IO;
    }
    return result.complete ? EXIT_DONE : EXIT_UNFINISHED;
}

} // namespace wormhole
