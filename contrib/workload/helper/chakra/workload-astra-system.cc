/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-astra-system.h"

#include "workload-astra-json.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

/** Keys that mean something here, and their meaning is supported. */
const std::vector<std::string> KEYS = {"scheduling-policy",
                                       "collective-optimization",
                                       "endpoint-delay",
                                       "active-chunks-per-dimension",
                                       "preferred-dataset-splits",
                                       "local-mem-bw",
                                       "peak-perf",
                                       "roofline-enabled",
                                       "replay-only",
                                       "all-reduce-implementation",
                                       "all-gather-implementation",
                                       "reduce-scatter-implementation",
                                       "all-to-all-implementation"};

/** A key of something that is not supported. */
struct Unsupported
{
    const char* key;
    double off; //!< the value that switches it off, accepted
    const char* remedy;
};

const Unsupported UNSUPPORTED[] = {
    {"model-shared-bus", 0, "a shared memory bus is not modelled: set it to 0"},
    {"L", 0, "it belongs to model-shared-bus, which is not supported: take it out"},
    {"o", 0, "it belongs to model-shared-bus, which is not supported: take it out"},
    {"g", 0, "it belongs to model-shared-bus, which is not supported: take it out"},
    {"G", 0, "it belongs to model-shared-bus, which is not supported: take it out"},
    {"local-reduction-delay",
     1,
     "it belongs to model-shared-bus, which is not supported: take it out"},
    {"boost-mode", 0, "every rank is simulated: set it to 0"},
    {"trace-enabled", 0, "set it to 0; results and a Chrome trace show what every rank did"},
    {"track-local-mem", 0, "memory in use is not tracked: set it to 0"},
};

/** Checks a key that is not among KEYS. */
void
CheckOther(WorkloadAstraJson& json, const std::string& key)
{
    for (const Unsupported& unsupported : UNSUPPORTED)
    {
        if (key == unsupported.key)
        {
            const nlohmann::json& value = *json.Find(key);
            const bool off = (value.is_number() && value.get<double>() == unsupported.off) ||
                             (value.is_boolean() && !value.get<bool>());
            if (!off)
            {
                json.Fail(key, unsupported.remedy);
            }
            return;
        }
    }
    if (key == "local-mem-trace-filename")
    {
        json.Fail(key, "memory in use is not tracked: take it out");
    }
    if (key.find("-custom") != std::string::npos)
    {
        json.Fail(key,
                  "algorithms given as traces are not supported: name ring, direct, "
                  "halvingDoubling or doubleBinaryTree");
    }
    json.Fail(key, "there is no such setting; there are " + ListText(KEYS));
}

/** \return an algorithm by its name in \p key */
WorkloadAstraImplementation
Implementation(WorkloadAstraJson& json, const std::string& key, const nlohmann::json& value)
{
    static const std::pair<const char*, WorkloadAstraImplementation> NAMES[] = {
        {"ring", {WorkloadAstraAlgorithm::RING, false, 0}},
        {"oneRing", {WorkloadAstraAlgorithm::RING, true, 0}},
        {"direct", {WorkloadAstraAlgorithm::DIRECT, false, 0}},
        {"oneDirect", {WorkloadAstraAlgorithm::DIRECT, true, 0}},
        {"halvingDoubling", {WorkloadAstraAlgorithm::HALVING_DOUBLING, false, 0}},
        {"oneHalvingDoubling", {WorkloadAstraAlgorithm::HALVING_DOUBLING, true, 0}},
        {"doubleBinaryTree", {WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE, false, 0}},
    };
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    for (const auto& [name, known] : NAMES)
    {
        const std::string stem = name;
        if (text == stem)
        {
            return known;
        }
        uint64_t window = 0;
        if (known.algorithm == WorkloadAstraAlgorithm::DIRECT &&
            text.compare(0, stem.size(), stem) == 0 &&
            ParseInteger(text.substr(stem.size()), window) && window >= 1 && window <= UINT32_MAX)
        {
            WorkloadAstraImplementation windowed = known;
            windowed.window = static_cast<uint32_t>(window);
            return windowed;
        }
    }
    json.Fail(key,
              "must be a list of ring, oneRing, direct, directW, oneDirect, oneDirectW (at most "
              "W messages at once), halvingDoubling, oneHalvingDoubling or doubleBinaryTree, one "
              "per dimension");
}

std::vector<WorkloadAstraImplementation>
Implementations(WorkloadAstraJson& json, const std::string& collective)
{
    const std::string key = collective + "-implementation";
    std::vector<WorkloadAstraImplementation> result;
    const nlohmann::json* list = json.Find(key);
    if (list == nullptr)
    {
        return result;
    }
    if (!list->is_array() || list->empty())
    {
        json.Fail(key, "must be a list with one algorithm per dimension, such as [\"ring\"]");
    }
    for (const nlohmann::json& value : *list)
    {
        result.push_back(Implementation(json, key, value));
        const WorkloadAstraImplementation& last = result.back();
        const bool tree = last.algorithm == WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE;
        const bool halving = last.algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING;
        if ((tree && collective != "all-reduce") || (halving && collective == "all-to-all"))
        {
            json.Fail(key, "this algorithm cannot do that collective; take ring or direct");
        }
    }
    return result;
}

} // namespace

const std::vector<WorkloadAstraImplementation>&
WorkloadAstraSystem::Of(WorkloadChakraCollective collective) const
{
    switch (collective)
    {
    case WorkloadChakraCollective::ALL_GATHER:
        return allGather;
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return reduceScatter;
    case WorkloadChakraCollective::ALL_TO_ALL:
        return allToAll;
    default:
        return allReduce;
    }
}

WorkloadAstraSystem
ReadWorkloadAstraSystem(std::istream& in, const std::string& name)
{
    WorkloadAstraJson json(in, name);
    for (const auto& item : json.Root().items())
    {
        if (std::find(KEYS.begin(), KEYS.end(), item.key()) == KEYS.end())
        {
            CheckOther(json, item.key());
        }
    }
    WorkloadAstraSystem system;
    const std::string policy = json.Text("scheduling-policy", "LIFO");
    if (policy != "LIFO" && policy != "FIFO" && policy != "EXPLICIT")
    {
        json.Fail("scheduling-policy", "must be LIFO, FIFO or EXPLICIT");
    }
    const std::string optimization = json.Text("collective-optimization", "baseline");
    if (optimization != "baseline" && optimization != "localBWAware")
    {
        json.Fail("collective-optimization", "must be baseline or localBWAware");
    }
    system.localBandwidthAware = optimization == "localBWAware";
    system.endpointDelayNs =
        static_cast<int64_t>(json.Integer("endpoint-delay", 0, 1'000'000'000, 10));
    system.activeChunks =
        static_cast<uint32_t>(json.Integer("active-chunks-per-dimension", 1, 65536, 1));
    system.splits = json.Integer("preferred-dataset-splits", 1, 65536, 1);
    system.localMemGBps = json.Number("local-mem-bw", 1e-3, 1e9, 0);
    system.peakTflops = json.Number("peak-perf", 1e-6, 1e9, 0);
    system.roofline = json.Flag("roofline-enabled");
    system.replayOnly = json.Flag("replay-only");
    if (system.roofline && (system.localMemGBps == 0 || system.peakTflops == 0))
    {
        json.Fail("roofline-enabled",
                  "a roofline needs local-mem-bw (GB/s) and peak-perf (TFLOPS)");
    }
    system.allReduce = Implementations(json, "all-reduce");
    system.allGather = Implementations(json, "all-gather");
    system.reduceScatter = Implementations(json, "reduce-scatter");
    system.allToAll = Implementations(json, "all-to-all");
    return system;
}

WorkloadAstraSystem
ReadWorkloadAstraSystem(const std::string& file)
{
    std::ifstream in = OpenInput(file,
                                 "the file cannot be opened; it should be ASTRA-sim's system "
                                 "configuration");
    return ReadWorkloadAstraSystem(in, file);
}

} // namespace ns3
