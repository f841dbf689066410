/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole tenants`: workloads that share a network, against each of them alone on the same nodes.
 */

#include "command/command-options.h"
#include "command/commands.h"
#include "command/options.h"
#include "compare/compare-outcome.h"
#include "estimate/child-process.h"
#include "plan/run-plan.h"
#include "result/files.h"
#include "result/folder-lock.h"
#include "result/new-file.h"
#include "result/summary.h"
#include "run/exit-codes.h"
#include "run/ranks.h"
#include "tenants-table.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const TENANTS_ABOUT =
    R"(usage: wormhole tenants --workload SPEC|FILE --workload SPEC|FILE ... [OPTIONS OF wormhole run]

Runs workloads together on one network, then each of them alone on the nodes that it had, and says
how much longer they took together: until the last rank was done, and communicating, mean of ranks.

)";

const char* const TENANTS_EXAMPLES = R"(
All other options are those of wormhole run, such as --topology, --mode and --placement.

Example:
  wormhole tenants --workload training:file=workloads/training/gpt-7b-64.json,scale=1000
      --workload storage:file=workloads/storage/two-hosts.spc --topology fat-tree:k=8 --mode flow
Exit codes: as wormhole run.
)";

po::options_description
OwnTenantsOptions()
{
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    po::options_description group("What to write");
    group.add_options()("output",
                        text("DIR"),
                        "folder for the results of all runs, made if need be (default: "
                        "wormhole-tenants)")("json",
                                             text("FILE"),
                                             "all figures (default: tenants.json in that folder)")(
        "no-progress",
        "no progress on standard error")("quiet", "neither progress nor table")("help",
                                                                                "this text");
    return group;
}

/** \return nodes as --placement takes them */
std::string
NodesText(const std::vector<uint32_t>& nodes)
{
    std::string text;
    for (const uint32_t node : nodes)
    {
        text += (text.empty() ? "" : "+") + std::to_string(node);
    }
    return text;
}

/** All runs, one after the other. */
class TenantRuns
{
  public:
    TenantRuns(const po::variables_map& values, const Words& rest)
        : m_rest(rest),
          m_options(ParseRunOptions(rest)),
          m_output(values.count("output") ? TextOption(values, "output") : "wormhole-tenants"),
          m_json(values.count("json") ? TextOption(values, "json")
                                      : (fs::path(m_output) / "tenants.json").string()),
          m_progress(!values.count("no-progress") && !values.count("quiet")),
          m_quiet(values.count("quiet"))
    {
    }

    int Run()
    {
        Plan();
        const FolderLock lock(m_output, "wormhole tenants");
        NewFile json(m_json);
        if (!RunAll())
        {
            return m_exit;
        }
        json.Stream() << SummaryText({{"command", "tenants"},
                                      {"mode", RunModeName(m_options.mode)},
                                      {"tenants", TenantsJson(m_tenants)}});
        json.Close();
        if (!m_quiet)
        {
            PrintText(TenantsTable(m_tenants));
        }
        return m_exit;
    }

  private:
    /** Finds the jobs, and which nodes they have together. */
    void Plan()
    {
        const RunPlan plan = MakeRunPlan(m_options);
        if (plan.sources.size() < 2)
        {
            throw ns3::InputError("tenants: needs two --workload at least, which share the "
                                  "network; wormhole run simulates one");
        }
        std::vector<NamedFile> inputs = plan.inputs;
        CheckOverwrite(inputs, {{"--json", m_json}});
        for (size_t job = 0; job < plan.sources.size(); ++job)
        {
            const WorkloadSource& source = plan.sources[job];
            m_tenants.push_back(
                {source.name, m_options.workload.specs[job], plan.nodes[job], {}, {}});
            m_listed.push_back(!source.nodes.empty());
        }
    }

    /** \return the words of a run with one job, on the nodes that it has among the others */
    Words WordsAlone(size_t job) const
    {
        Words without{"workload", "placement", "ranks-per-node"};
        if (!HasPackets(m_options.mode))
        {
            without.emplace_back("seed"); // which draws random places then, and nothing else
        }
        Words words = WithoutOptions(m_rest, without);
        words.insert(words.end(), {"--workload", m_tenants[job].workload});
        if (!m_listed[job])
        {
            words.insert(words.end(), {"--placement", NodesText(m_tenants[job].nodes)});
        }
        return words;
    }

    bool RunAll()
    {
        const auto together = RunOne("together", m_rest);
        for (size_t job = 0; together && job < m_tenants.size(); ++job)
        {
            m_tenants[job].together = TimesOfTenant(together->summary, job);
            const auto alone = RunOne("alone-" + std::to_string(job + 1), WordsAlone(job));
            if (!alone)
            {
                return false;
            }
            m_tenants[job].alone = TimesOfTenant(alone->summary, 0);
        }
        return together.has_value();
    }

    /** \return what a run wrote; nothing if that means the end */
    std::optional<CompareOutcome> RunOne(const std::string& name, Words words)
    {
        const std::string folder = (fs::path(m_output) / name).string();
        const std::string said = (fs::path(folder) / "messages.txt").string();
        MakeFolder(folder);
        words.insert(words.begin(), "run");
        words.insert(words.end(), {"--output", folder, "--quiet"});
        if (m_progress)
        {
            std::cerr << "tenants: " << name << "..." << std::flush;
        }
        const ChildResult child = m_children.Run(words, said);
        if (m_progress)
        {
            std::cerr << " " << TimeText(child.wallSeconds * 1e9) << std::endl;
        }
        const bool interrupted = child.interrupted || child.exit == EXIT_INTERRUPTED;
        if (interrupted || (child.exit != EXIT_DONE && child.exit != EXIT_UNFINISHED))
        {
            m_exit = interrupted                ? EXIT_INTERRUPTED
                     : child.exit == EXIT_USAGE ? EXIT_USAGE
                                                : EXIT_IO;
            std::cerr << "wormhole: tenants: " << name << ": "
                      << (interrupted ? "interrupted"
                                      : "exit code " + std::to_string(child.exit) + "; " + said +
                                            " says why")
                      << std::endl;
            return {};
        }
        if (child.exit == EXIT_UNFINISHED)
        {
            m_exit = child.exit;
            std::cerr << "wormhole: tenants: " << name << ": not all operations were completed; "
                      << said << " says which" << std::endl;
        }
        return ReadAnyOutcome(folder);
    }

    Words m_rest;
    RunOptions m_options;
    std::string m_output;
    std::string m_json;
    bool m_progress;
    bool m_quiet;
    std::vector<Tenant> m_tenants;
    std::vector<bool> m_listed; //!< whether the specification lists the nodes
    ChildProcesses m_children;
    int m_exit{EXIT_DONE};
};

} // namespace

CommandOptions
TenantsCommandOptions()
{
    return {"tenants", "[OPTIONS OF run]", {OwnTenantsOptions()}};
}

int
TenantsCommand(const Words& words)
{
    Words rest;
    const po::variables_map values =
        TakeOptions(words, OwnTenantsOptions(), "(see wormhole tenants --help)", rest);
    if (values.count("help"))
    {
        std::ostringstream help;
        help << TENANTS_ABOUT << OwnTenantsOptions() << TENANTS_EXAMPLES;
        PrintText(help.str());
        return EXIT_DONE;
    }
    for (const std::string& word : rest)
    {
        if (IsOptionWord(word, {"links", "pcap", "chrome-trace", "twin", "record", "estimate"}))
        {
            throw ns3::InputError(word.substr(0, word.find('=')) +
                                  ": tenants runs several times, with outputs of its own below "
                                  "--output; give it to wormhole run");
        }
    }
    RefuseRanks("tenants");
    return TenantRuns(values, rest).Run();
}

} // namespace wormhole
