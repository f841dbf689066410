/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-names.h"

#include "ns3/input-spec.h"
#include "ns3/rdma-hpcc-config.h"

namespace wormhole
{

namespace
{

/** Adds a file, if there is one of this name. */
void
Add(std::vector<NamedFile>& files, const std::string& role, const std::string& path)
{
    if (!path.empty() && FileExists(path))
    {
        files.push_back({role, path});
    }
}

void
AddOfConfig(std::vector<NamedFile>& files, const std::string& path)
{
    if (path.empty())
    {
        return;
    }
    RejectPipe(path);
    const ns3::RdmaHpccConfig config = ns3::ReadRdmaHpccConfig(path);
    Add(files, "--config", path);
    for (const std::string& named : {config.topologyFile, config.flowFile, config.traceFile})
    {
        Add(files, "of " + path, ResolveInput(named, path));
    }
}

/** \param text value of a --workload: a file, or what names files by its keys */
void
AddOfWorkload(std::vector<NamedFile>& files, const std::string& text)
{
    Add(files, "--workload", text);
    if (FileExists(text) || text.find(':') == std::string::npos)
    {
        return;
    }
    ns3::InputSpec spec(text);
    for (const char* key : {"file", "system", "groups", "logical"})
    {
        Add(files, "--workload", spec.Word(key, ""));
    }
    const std::string prefix = spec.Word("prefix", "");
    for (uint64_t rank = 0;; ++rank)
    {
        const size_t before = files.size();
        Add(files, "--workload", prefix + "." + std::to_string(rank) + ".et");
        if (files.size() == before)
        {
            return;
        }
    }
}

} // namespace

std::vector<NamedFile>
InputNames(const RunOptions& options)
{
    std::vector<NamedFile> files;
    AddOfConfig(files, options.config);
    Add(files, "--topology", options.topology);
    Add(files, "--flows", options.flows);
    for (const std::string& spec : options.traffic)
    {
        Add(files, "--traffic", FileOfTraffic(spec));
    }
    for (const std::string& text : options.workload.specs)
    {
        AddOfWorkload(files, text);
    }
    return files;
}

} // namespace wormhole
