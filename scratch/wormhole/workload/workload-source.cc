/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-source.h"

#include "front-end-source.h"
#include "workload-source-kinds.h"

#include "ns3/input-byte-order-mark.h"
#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/workload-collective-names.h"
#include "ns3/workload-collective-spec.h"
#include "ns3/workload-placement.h"
#include "ns3/workload-simai.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace wormhole
{

using ns3::InputError;

namespace
{

/** A kind of workload. */
struct SourceKind
{
    const char* name;
    void (*read)(SourceRequest&, WorkloadSource&);
    const char* help; ///< keys
};

const SourceKind SOURCE_KINDS[]{
    {"goal", ReadGoalSource, "file=F: a GOAL schedule, text or binary (doc/goal.md)"},
    {"training",
     ReadTrainingSource,
     "file=F[,scale=N][,compute-scale=N][,experts=W][,expert=N][,SECTION.KEY=VALUE...]: one\n"
     "      iteration of a training job in JSON (doc/training.md); scale divides message sizes,\n"
     "      compute-scale computing times; experts (auto, nvlink, rail, pxn, rails) and expert "
     "are\n"
     "      the file's parallelism.expertPlacement and parallelism.expert; SECTION.KEY is any key "
     "of\n"
     "      the file, such as parallelism.context=2"},
    {"simai",
     ReadSimAiSource,
     "file=F[,KEY=VALUE,...]: a SimAI or AICB workload (doc/simai.md); keys are\n"
     "      rules=1.6|1.7, nvls, pxn, send-latency (ns), literal-latency, literal, tp, ep, pp, "
     "vpp, ga,\n"
     "      all-gpus, gpus-per-server, gpu-type; with rules=1.7 also nvls-min-bytes, pat, "
     "pat-min-bytes,\n"
     "      pat-max-bytes, protocol-aware, protocol"},
    {"chakra",
     ReadChakraSource,
     "prefix=P[,system=F][,groups=F][,logical=F][,receive-at-ack=1]: Chakra traces\n"
     "      P.0.et, P.1.et... as ASTRA-sim reads them (doc/chakra.md)"},
    {"storage",
     ReadStorageSource,
     "file=F[,KEY=VALUE,...]: block requests (SPC) to a storage service (doc/storage.md)"},
};

/** Kinds that programs have added. */
std::map<std::string, std::function<void(WorkloadSource&)>>&
AddedKinds()
{
    static std::map<std::string, std::function<void(WorkloadSource&)>> kinds;
    return kinds;
}

/** The keys that all kinds share, and what is left of the specification without them. */
struct CommonKeys
{
    std::string rest;
    std::string name;
    std::string place;
};

CommonKeys
TakeCommonKeys(const std::string& text)
{
    CommonKeys keys;
    const size_t colon = text.find(':');
    keys.rest = text.substr(0, colon);
    if (colon == std::string::npos)
    {
        return keys;
    }
    std::istringstream list(text.substr(colon + 1));
    std::string separator = ":";
    bool none = true;
    for (std::string item; std::getline(list, item, ',');)
    {
        bool common = false;
        for (const auto& [key, value] : {std::pair("name=", &keys.name), {"place=", &keys.place}})
        {
            const std::string prefix = key;
            if (item.compare(0, prefix.size(), prefix) == 0)
            {
                if (!value->empty() || item.size() == prefix.size())
                {
                    throw InputError("--workload " + ns3::ShownText(text) + ": " + key +
                                     " is empty or comes twice");
                }
                *value = item.substr(prefix.size());
                common = true;
            }
        }
        if (!common)
        {
            keys.rest += separator + item;
            separator = ",";
        }
        none &= !common;
    }
    keys.rest += none && keys.rest.find(':') == std::string::npos ? ":" : ""; // an error later
    return keys;
}

/** \return the kind that the content of a file shows \throws InputError if it is one of several
 * files of a Chakra trace */
std::string
KindOfFile(const std::string& file)
{
    RejectPipe(file);
    const std::filesystem::path path(file);
    if (path.extension() == ".et")
    {
        throw InputError(file,
                         0,
                         "this is a Chakra trace of one rank; give the trace of all ranks by "
                         "what stands before .RANK.et: chakra:prefix=" +
                             path.parent_path().append(path.stem().stem().string()).string());
    }
    std::ifstream in(file, std::ios::binary);
    std::string head(4096, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(in.gcount()));
    size_t begin = ns3::ByteOrderMarkIn(head);
    while (begin < head.size() && std::isspace(static_cast<unsigned char>(head[begin])))
    {
        ++begin;
    }
    if (begin < head.size() && head[begin] == '{')
    {
        return "training";
    }
    std::string word;
    std::istringstream(head) >> word;
    ns3::WorkloadSimAiPolicy policy{};
    // what is neither is most likely a GOAL file, whose reader says what is wrong
    return ns3::ParseWorkloadSimAiPolicy(word, policy) ? "simai" : "goal";
}

/** Reads what a request's kind says. */
void
ReadKind(SourceRequest& request, WorkloadSource& source)
{
    const std::string& name = request.spec.Kind();
    if (const auto added = AddedKinds().find(name); added != AddedKinds().end())
    {
        request.spec.Finish();
        added->second(source);
        return;
    }
    std::vector<std::string> names;
    for (const SourceKind& kind : SOURCE_KINDS)
    {
        if (name == kind.name)
        {
            kind.read(request, source);
            return;
        }
        names.emplace_back(kind.name);
    }
    if (ns3::IsWorkloadCollectiveSpec(request.spec.Text()))
    {
        ReadCollectiveSource(request, source);
        return;
    }
    std::vector<std::string> all = names;
    for (const auto kind : ns3::WorkloadValues<ns3::WorkloadCollectiveKind>())
    {
        all.emplace_back(ns3::WorkloadName(kind));
    }
    const std::string nearest = ns3::DidYouMean(name, all);
    throw InputError(
        "--workload " + ns3::ShownText(name) + ": there is no such file, and no such kind" +
        (nearest.empty() ? "; kinds are " : nearest + " Kinds are ") + ns3::ListText(names) +
        ", and collectives such as all-reduce (wormhole run --help-workload)");
}

} // namespace

void
AddWorkloadSourceKind(const std::string& name, std::function<void(WorkloadSource&)> read)
{
    AddedKinds()[name] = std::move(read);
}

std::string
InputFile(SourceRequest& request, WorkloadSource& source)
{
    if (request.file.empty())
    {
        request.spec.Require("file", "FILE");
        request.file = request.spec.Word("file", "");
    }
    RejectPipe(request.file);
    source.inputs.push_back({"--workload", request.file});
    return request.file;
}

WorkloadSource
ReadWorkloadSource(const std::string& text, size_t number)
{
    if (text.empty())
    {
        throw InputError("--workload: the value is empty");
    }
    WorkloadSource source;
    const bool isFile = FileExists(text);
    const CommonKeys keys = isFile ? CommonKeys() : TakeCommonKeys(text);
    SourceRequest request{ns3::InputSpec(isFile ? KindOfFile(text) : keys.rest),
                          isFile ? text : ""};
    source.kind = request.spec.Kind();
    if (!keys.place.empty())
    {
        source.nodes = ns3::ParseWorkloadNodes(keys.place);
    }
    ReadKind(request, source);
    if (source.name.empty())
    {
        source.name = source.inputs.empty()
                          ? source.kind
                          : std::filesystem::path(source.inputs[0].path).stem().string();
    }
    // the same file may come several times
    source.name += number == 0 ? "" : "-" + std::to_string(number);
    source.name = keys.name.empty() ? source.name : keys.name;
    return source;
}

std::string
WorkloadSourceHelp()
{
    std::string text = "Kinds of workload, each also with name=NAME and place=NODES (such as "
                       "0-7+16, a node per rank):\n";
    for (const SourceKind& kind : SOURCE_KINDS)
    {
        text += std::string("  ") + kind.name + ":" + kind.help + "\n";
    }
    return text + "\n" + ns3::WorkloadCollectiveSpecHelp();
}

} // namespace wormhole
