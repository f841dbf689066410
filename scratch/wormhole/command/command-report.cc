/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole report`: shows what runs found, as a page, tables or JSON.
 */

#include "command-options.h"
#include "commands.h"
#include "options.h"
#include "report/report-csv.h"
#include "report/report-data.h"
#include "report/report-html.h"
#include "result/new-file.h"
#include "result/table-parts.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"

#include <filesystem>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const ABOUT = R"(usage: wormhole report RUN... [OPTIONS]

Shows what runs found: completion times, rates, queues, partitions, events, the load of each link, and a
timeline of ranks, as one HTML file that opens without a network. RUN is the --output of wormhole run, or
the --output of wormhole compare, or of wormhole sweep: then its controls are drawn over each other, means
over seeds with 95 % confidence intervals. The first run is the reference that the others are compared with.

Most charts need runs with --record.

)";

const char* const REPORT_EXAMPLES = R"(
Without --output, --csv or --json, the page is report.html. Existing reports are replaced.

Examples:
  wormhole run --topology leaf-spine:leaves=4,spines=4,hosts-per-leaf=8 --traffic permutation:bytes=10MB
      --mode fast --record --output results
  wormhole report results
  wormhole report hpcc dcqcn --title "HPCC and DCQCN" --output both.html
  wormhole report wormhole-sweep --output study.html
)";

po::options_description
Options()
{
    po::options_description description("Options");
    description.add_options()("output",
                              po::value<std::string>()->value_name("FILE"),
                              "the page (default: report.html)")(
        "csv",
        po::value<std::string>()->value_name("DIR"),
        "write the data of each chart as CSV into this folder, made if need be")(
        "json",
        po::value<std::string>()->value_name("FILE")->implicit_value("-"),
        "write all data of the page as JSON; without =FILE to standard output")(
        "title",
        po::value<std::string>()->value_name("TEXT"),
        "title of the page (default: what ran)")("help", "this text");
    return description;
}

std::string
ReportHelpText(const po::options_description& description)
{
    std::ostringstream help;
    help << ABOUT << description << REPORT_EXAMPLES;
    return help.str();
}

void
WriteFile(const std::string& path, const std::string& text)
{
    NewFile file(path);
    file.Stream() << text;
    file.Close();
}

/** Says which files there are now. Standard output as a file holds nothing but what it is for. */
void
PrintWritten(const std::vector<NamedFile>& outputs, const std::string& csv)
{
    std::vector<NamedFile> files;
    for (const NamedFile& output : outputs)
    {
        if (!std::filesystem::is_regular_file(output.path))
        {
            return;
        }
        files.push_back(output);
    }
    if (!csv.empty())
    {
        files.push_back({"--csv", (std::filesystem::path(csv) / "").string()});
    }
    PrintText(WrittenRows(files));
}

/** Writes what was asked for. */
void
Give(const po::variables_map& values, const ReportRuns& runs, const nlohmann::ordered_json& data)
{
    const std::vector<NamedFile> inputs = FilesOf(runs);
    const std::string json = TextOption(values, "json");
    const std::string csv = TextOption(values, "csv");
    const bool page = values.count("output") || (json.empty() && csv.empty());
    const std::string path = values.count("output") ? TextOption(values, "output") : "report.html";
    std::vector<NamedFile> outputs;
    if (page)
    {
        outputs.push_back({"--output", path});
    }
    if (!json.empty() && json != "-")
    {
        outputs.push_back({"--json", json});
    }
    const std::vector<CsvTable> tables = csv.empty() ? std::vector<CsvTable>() : ReportTables(data);
    std::vector<NamedFile> all = TableFiles(tables, csv);
    all.insert(all.begin(), outputs.begin(), outputs.end());
    CheckOverwrite(inputs, all);
    if (!csv.empty())
    {
        WriteTables(tables, csv);
    }
    if (json == "-")
    {
        PrintText(ReportJsonText(data, 1) + "\n");
    }
    else if (!json.empty())
    {
        WriteFile(json, ReportJsonText(data, 1) + "\n");
    }
    if (page)
    {
        WriteFile(path, ReportHtml(data));
    }
    if (json != "-")
    {
        PrintWritten(outputs, csv);
    }
}

} // namespace

CommandOptions
ReportCommandOptions()
{
    return {"report", "RUN...", {Options()}};
}

int
ReportCommand(const Words& words)
{
    const po::options_description description = Options();
    const po::variables_map values = ParseOptions("report", words, description, "RUN", SIZE_MAX);
    if (values.count("help"))
    {
        PrintText(ReportHelpText(description));
        return EXIT_DONE;
    }
    if (!values.count("argument"))
    {
        throw ns3::InputError("report: which run? give the folder that wormhole run, compare or "
                              "sweep --output wrote; wormhole report --help shows examples");
    }
    if (values.count("output") || !(values.count("csv") || values.count("json")))
    {
        NeedReportPage();
    }
    ReportRuns runs = ReadReportRuns(values["argument"].as<Words>());
    const nlohmann::ordered_json data = ReportData(runs, TextOption(values, "title"));
    Give(values, runs, data);
    return EXIT_DONE;
}

} // namespace wormhole
