/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-check.h"
#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-slowdown.h"
#include "workload-training.h"

#include "ns3/input-error.h"
#include "ns3/input-json-object.h"
#include "ns3/input-spec.h"
#include "ns3/output-error.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

namespace ns3
{

namespace
{

// Wide bounds on each number: together with the check of the totals they rule out overflows.
constexpr uint64_t MAX_TRAINING_FILE = 1U << 20;
constexpr uint64_t MAX_LAYERS = 4096;
constexpr uint64_t MAX_SIZE = 1U << 20;
constexpr uint64_t MAX_VOCABULARY = 1U << 28;
constexpr uint64_t MAX_SEQUENCE = 1U << 28;
constexpr uint64_t MAX_EXPERTS = 1U << 16;
constexpr uint64_t MAX_SAMPLES = 1U << 30;
constexpr uint64_t MAX_PARAMETERS = 1ULL << 50;
constexpr uint64_t MAX_BYTES = 1ULL << 50;
constexpr uint64_t MAX_NS = 1000000000000000;
constexpr uint64_t MAX_CHANNELS = 64;
constexpr uint64_t MAX_WINDOW = 1'000'000;

uint32_t
Small(uint64_t value)
{
    return static_cast<uint32_t>(value); // the bounds above fit
}

void
ReadMla(JsonObject json, WorkloadTrainingMla& mla)
{
    mla.queryRank = Small(json.Integer("queryRank", 0, MAX_SIZE, 0));
    mla.keyValueRank = Small(json.Integer("keyValueRank", 1, MAX_SIZE));
    mla.headSize = Small(json.Integer("headSize", 1, MAX_SIZE));
    mla.ropeHeadSize = Small(json.Integer("ropeHeadSize", 0, MAX_SIZE));
    mla.valueHeadSize = Small(json.Integer("valueHeadSize", 1, MAX_SIZE));
    json.Finish();
}

void
ReadMoe(JsonObject json, const WorkloadTrainingModel& model, WorkloadTrainingMoe& moe)
{
    moe.experts = Small(json.Integer("experts", 1, MAX_EXPERTS));
    moe.topK = Small(json.Integer("topK", 1, moe.experts));
    moe.ffn = Small(json.Integer("ffn", 1, MAX_SIZE));
    moe.sharedExperts = Small(json.Integer("sharedExperts", 0, MAX_EXPERTS, 0));
    moe.firstDense = Small(json.Integer("firstDense", 0, model.layers - 1, 0));
    moe.every = Small(json.Integer("every", 1, model.layers, 1));
    json.Finish();
}

/** Heads of ordinary attention, which latent attention does without. */
void
ReadHeads(JsonObject& json, WorkloadTrainingModel& model)
{
    model.kvHeads = Small(json.Integer("kvHeads", 1, model.heads, model.heads));
    if (model.heads % model.kvHeads != 0)
    {
        json.Fail("kvHeads",
                  std::to_string(model.kvHeads) + " does not divide the " +
                      std::to_string(model.heads) + " heads: each must serve as many of them");
    }
    if (!json.Has("headSize") && model.hidden % model.heads != 0)
    {
        json.Fail("headSize",
                  "missing, and hidden (" + std::to_string(model.hidden) +
                      ") is no multiple of heads (" + std::to_string(model.heads) + "): give it");
    }
    model.headSize = Small(json.Integer("headSize", 1, MAX_SIZE, model.hidden / model.heads));
    model.attentionParameters = json.Integer("attentionParameters", 1, MAX_PARAMETERS, 0);
}

void
ReadLatentHeads(JsonObject& json, WorkloadTrainingModel& model)
{
    for (const char* key : {"kvHeads", "headSize", "attentionParameters"})
    {
        if (json.Has(key))
        {
            json.Fail(key, "has no effect with mla, which says it: remove one of them");
        }
    }
    ReadMla(json.Object("mla"), model.mla);
    model.kvHeads = model.heads;
    model.headSize = model.mla.headSize;
}

void
ReadModel(JsonObject json, WorkloadTrainingModel& model)
{
    model.layers = Small(json.Integer("layers", 1, MAX_LAYERS));
    model.hidden = Small(json.Integer("hidden", 1, MAX_SIZE));
    model.heads = Small(json.Integer("heads", 1, MAX_EXPERTS));
    json.Has("mla") ? ReadLatentHeads(json, model) : ReadHeads(json, model);
    if (json.Has("moe"))
    {
        ReadMoe(json.Object("moe"), model, model.moe);
    }
    const bool dense = model.moe.experts == 0 || model.moe.firstDense > 0 || model.moe.every > 1;
    if (!dense && json.Has("ffn"))
    {
        json.Fail("ffn",
                  "has no effect, since every layer has experts: remove it (moe.ffn is the "
                  "size of an expert)");
    }
    model.ffn = dense ? Small(json.Integer("ffn", 1, MAX_SIZE)) : 0;
    model.gatedMlp = json.Flag("gatedMlp", false);
    model.vocabulary = Small(json.Integer("vocabulary", 1, MAX_VOCABULARY));
    model.sequence = Small(json.Integer("sequence", 1, MAX_SEQUENCE));
    model.learnedPositions = Small(json.Integer("learnedPositions", 0, MAX_SEQUENCE, 0));
    if (model.learnedPositions > 0 && model.learnedPositions < model.sequence)
    {
        json.Fail("learnedPositions",
                  std::to_string(model.learnedPositions) + ", but a sample has " +
                      std::to_string(model.sequence) +
                      " tokens (sequence): give at least as many, or 0");
    }
    model.tiedEmbeddings = json.Flag("tiedEmbeddings", false);
    model.bias = static_cast<WorkloadTrainingBias>(json.Choice("bias", {"none", "qkv", "all"}, 0));
    model.layerNorm = json.Choice("norm", {"rms", "layer"}, 0) == 1;
    model.bytesPerElement = Small(json.Integer("bytesPerElement", 1, 8, 2));
    model.gradientBytes = Small(json.Integer("gradientBytes", 1, 8, 2));
    json.Finish();
}

void
ReadParallelism(JsonObject json, WorkloadTrainingParallelism& parallelism)
{
    parallelism.tensor = Small(json.Integer("tensor", 1, WORKLOAD_MOST_RANKS, 1));
    parallelism.sequence = json.Flag("sequence", false);
    parallelism.context = Small(json.Integer("context", 1, WORKLOAD_MOST_RANKS, 1));
    parallelism.pipeline = Small(json.Integer("pipeline", 1, MAX_LAYERS, 1));
    parallelism.data = Small(json.Integer("data", 1, WORKLOAD_MOST_RANKS, 1));
    parallelism.expert = Small(json.Integer("expert", 1, WORKLOAD_MOST_RANKS, 1));
    parallelism.expertTensor = Small(json.Integer("expertTensor", 1, WORKLOAD_MOST_RANKS, 0));
    parallelism.expertPlacement = static_cast<WorkloadTrainingExpertPlacement>(
        json.Choice("expertPlacement", WorkloadTrainingExpertPlacements(), 0));
    parallelism.sharding = Small(json.Integer("sharding", 0, 3, 0));
    parallelism.virtualStages = Small(json.Integer("virtualStages", 1, MAX_LAYERS, 1));
    parallelism.schedule = static_cast<WorkloadTrainingPipeline>(
        json.Choice("schedule", {"1f1b", "interleaved", "gpipe", "dualpipe"}, 0));
    for (const uint64_t layers : json.Integers("layersPerChunk", 1, MAX_LAYERS))
    {
        parallelism.layersPerChunk.push_back(Small(layers));
    }
    json.Finish();
}

void
ReadCollectives(JsonObject json, WorkloadTrainingCollectives& collectives)
{
    constexpr WorkloadCollectiveAlgorithm ALGORITHMS[] = {
        WorkloadCollectiveAlgorithm::RING,
        WorkloadCollectiveAlgorithm::TREE,
        WorkloadCollectiveAlgorithm::DOUBLE_BINARY_TREE};
    collectives.allReduce =
        ALGORITHMS[json.Choice("allReduce", {"ring", "tree", "double-binary-tree"}, 0)];
    collectives.channels = Small(json.Integer("channels", 1, MAX_CHANNELS, 1));
    collectives.chunkBytes = json.Integer("chunkBytes", 0, MAX_BYTES, 0);
    collectives.window = Small(json.Integer("window", 0, MAX_WINDOW, 0));
    collectives.hierarchical = json.Flag("hierarchical", false);
    json.Finish();
}

void
ReadTable(JsonObject json, const WorkloadTraining& training, WorkloadTrainingGpu& gpu)
{
    const std::vector<std::string>& names = WorkloadTrainingKernelNames();
    const bool moe = training.model.moe.experts > 0;
    for (size_t i = 0; i < gpu.table.size(); ++i)
    {
        const auto kernel = static_cast<WorkloadTrainingKernel>(i);
        const bool forExperts =
            kernel == WorkloadTrainingKernel::ROUTER || kernel == WorkloadTrainingKernel::EXPERTS;
        const bool used =
            forExperts ? moe : kernel != WorkloadTrainingKernel::MLP || training.model.ffn > 0;
        if (!used)
        {
            if (json.Has(names[i]))
            {
                json.Fail(names[i], "the model has no such layer: remove it");
            }
            continue;
        }
        JsonObject times = json.Object(names[i]);
        gpu.table[i].forward = times.Integer("forward", 0, MAX_NS);
        gpu.table[i].backward = times.Integer("backward", 0, MAX_NS);
        times.Finish();
    }
    if (json.Has("attentionCore"))
    {
        const WorkloadTrainingTimes& all =
            gpu.table[static_cast<size_t>(WorkloadTrainingKernel::ATTENTION)];
        JsonObject times = json.Object("attentionCore");
        gpu.core.forward = times.Integer("forward", 1, all.forward);
        gpu.core.backward = times.Integer("backward", 1, all.backward);
        times.Finish();
    }
    gpu.optimizerNs = json.Integer("optimizer", 0, MAX_NS);
    json.Finish();
}

void
ReadGpu(JsonObject json, const WorkloadTraining& training, WorkloadTrainingGpu& gpu)
{
    gpu.compute =
        static_cast<WorkloadTrainingCompute>(json.Choice("times", {"none", "flops", "table"}, 0));
    if (gpu.compute == WorkloadTrainingCompute::FLOPS)
    {
        gpu.peakFlops = json.Number("peakFlops", 1e6, 1e21);
        gpu.efficiency = json.Number("efficiency", 0.0001, 1);
    }
    else if (gpu.compute == WorkloadTrainingCompute::TABLE)
    {
        ReadTable(json.Object("ns"), training, gpu);
    }
    gpu.recompute = static_cast<WorkloadTrainingRecompute>(
        json.Choice("recompute", {"none", "selective", "full"}, 0));
    if (json.Has("overlap"))
    {
        JsonObject overlap = json.Object("overlap");
        gpu.overlap = overlap.Text("factors", "");
        if (gpu.overlap.empty())
        {
            overlap.Fail("factors",
                         "missing; give " + ListText(WorkloadTrainingSlowdownTables()) +
                             " or a CSV file");
        }
        const double norms = overlap.Number("normShare", 0, 1, 0);
        overlap.Finish();
        gpu.slowdowns =
            ReadWorkloadTrainingSlowdowns(gpu.overlap, training.collectives.channels, norms);
    }
    json.Finish();
}

void
ReadServerTypes(JsonObject& json, std::vector<WorkloadTrainingServerType>& types)
{
    JsonObject all = json.Object("serverTypes");
    const nlohmann::json& named = *json.Find("serverTypes");
    for (const auto& [name, type] : named.items())
    {
        JsonObject values = all.Object(name);
        types.push_back({name,
                         Small(values.Integer("firstServer", 0, WORKLOAD_MOST_RANKS, 0)),
                         values.Integer("setupNs", 0, MAX_NS, 0),
                         values.Number("reduceNsPerByte", 0, 1e6, 0)});
        values.Finish();
    }
    all.Finish();
    std::sort(types.begin(), types.end(), [](const auto& a, const auto& b) {
        return a.firstServer < b.firstServer;
    });
}

void
ReadNetwork(JsonObject json, WorkloadTrainingNetwork& network)
{
    network.tensorOnNetwork = json.Choice("tensorParallel", {"nvlink", "network"}, 0) == 1;
    network.nvlinkGBps = json.Number("nvlinkGBps", 0.001, 1e6, 0);
    network.gpusPerServer = Small(json.Integer("gpusPerServer", 1, WORKLOAD_MOST_RANKS, 8));
    if (json.Has("serverTypes"))
    {
        ReadServerTypes(json, network.serverTypes);
    }
    json.Finish();
}

void
ReadRest(JsonObject& json, WorkloadTraining& training)
{
    if (json.Has("gradients"))
    {
        JsonObject gradients = json.Object("gradients");
        training.gradients.bucketBytes = gradients.Integer("bucketBytes", 0, MAX_BYTES, 0);
        training.gradients.overlap = gradients.Flag("overlap", false);
        training.gradients.embeddingAllReduce = gradients.Flag("embeddingAllReduce", false);
        gradients.Finish();
    }
    if (json.Has("collectives"))
    {
        ReadCollectives(json.Object("collectives"), training.collectives);
    }
    if (json.Has("compute"))
    {
        ReadGpu(json.Object("compute"), training, training.gpu);
    }
    if (json.Has("network"))
    {
        ReadNetwork(json.Object("network"), training.network);
    }
    if (json.Has("scale"))
    {
        JsonObject scale = json.Object("scale");
        training.scale.bytes = scale.Integer("bytes", 1, MAX_BYTES, 1);
        training.scale.compute = scale.Number("compute", 1e-6, 1e12, 1);
        scale.Finish();
    }
}

} // namespace

WorkloadTraining
ReadWorkloadTraining(std::istream& in,
                     const std::string& name,
                     const WorkloadTrainingChanges& changes)
{
    JsonText text = ReadJsonText(in, name, MAX_TRAINING_FILE);
    JsonObject json(text);
    for (const auto& [place, value] : changes)
    {
        SetJsonText(text, place, value);
    }
    WorkloadTraining training;
    training.origin = name;
    training.name = json.Text("name", name);
    training.description = json.Text("description", "");
    ReadModel(json.Object("model"), training.model);
    ReadParallelism(json.Object("parallelism"), training.parallelism);
    JsonObject batch = json.Object("batch");
    training.microBatch = Small(batch.Integer("micro", 1, MAX_SAMPLES, 1));
    training.globalBatch = Small(batch.Integer("global", 1, MAX_SAMPLES));
    batch.Finish();
    ReadRest(json, training);
    json.Finish();
    CheckWorkloadTraining(training, &text);
    return training;
}

WorkloadTraining
ReadWorkloadTraining(const std::string& file, const WorkloadTrainingChanges& changes)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        throw InputError(file, 0, "cannot be opened: " + ErrorText(errno));
    }
    return ReadWorkloadTraining(in, file, changes);
}

} // namespace ns3
