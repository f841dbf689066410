/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/** \file What users write wrong in a training job, and what they are told. */

#include "ns3/input-error.h"
#include "ns3/workload-training.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using nlohmann::json;

namespace
{

/** \return what reading a text ends with; empty if nothing is wrong */
std::string
ErrorOf(const std::string& text)
{
    std::istringstream in(text);
    try
    {
        ReadWorkloadTraining(in, "job.json");
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

const json DENSE = json::parse(R"({
    "model": {"layers": 4, "hidden": 64, "heads": 8, "ffn": 256, "vocabulary": 1000, "sequence": 32},
    "parallelism": {"tensor": 2, "pipeline": 2, "data": 2},
    "batch": {"micro": 1, "global": 8}
})");

const json MOE = json::parse(R"({
    "model": {"layers": 4, "hidden": 64, "heads": 8, "vocabulary": 1000, "sequence": 32,
              "moe": {"experts": 8, "topK": 2, "ffn": 256}},
    "parallelism": {"tensor": 2, "sequence": true, "pipeline": 2, "data": 2, "expert": 4},
    "batch": {"micro": 1, "global": 8}
})");

struct Wrong
{
    json patch;       ///< merged into the job; null removes
    std::string text; ///< what the message starts with, after the file
};

void
ExpectErrors(const json& job, const std::vector<Wrong>& cases)
{
    ASSERT_EQ(ErrorOf(job.dump()), "");
    for (const Wrong& wrong : cases)
    {
        json changed = job;
        changed.merge_patch(wrong.patch);
        const std::string error = ErrorOf(changed.dump());
        EXPECT_EQ(error.substr(0, 12 + wrong.text.size()), "job.json:1: " + wrong.text)
            << error << "\n"
            << wrong.patch;
    }
}

TEST(TrainingInput, SaysWhatIsWrongWithANumber)
{
    ExpectErrors(
        DENSE,
        {{{{"model", {{"layers", nullptr}}}}, "model.layers: missing; give a whole number from 1"},
         {{{"model", {{"layers", 0}}}}, "model.layers: 0, but must be a whole number from 1"},
         {{{"model", {{"layers", -1}}}}, "model.layers: -1, but"},
         {{{"model", {{"layers", 1.5}}}}, "model.layers: 1.5, but"},
         {{{"model", {{"layers", "4"}}}}, "model.layers: \"4\", but"},
         {{{"model", {{"layers", 1e300}}}}, "model.layers: 1e+300, but"},
         {{{"model", {{"hidden", UINT64_MAX}}}}, "model.hidden: 18446744073709551615, but"},
         {{{"model", {{"gatedMlp", 1}}}}, "model.gatedMlp: 1, but must be true or false"},
         {{{"model", {{"norm", "batch"}}}}, "model.norm: \"batch\", but must be one of rms and"},
         {{{"parallelism", {{"sharding", 4}}}}, "parallelism.sharding: 4, but"},
         {{{"batch", {{"global", nullptr}}}}, "batch.global: missing"},
         {{{"compute", {{"times", "flops"}}}}, "compute.peakFlops: missing"},
         {{{"compute", {{"times", "flops"}, {"peakFlops", 1e15}, {"efficiency", 1.5}}}},
          "compute.efficiency: 1.5, but must be a number from 0.0001 to 1"},
         {{{"collectives", {{"channels", 0}}}}, "collectives.channels: 0, but"},
         {{{"collectives", {{"allReduce", "star"}}}}, "collectives.allReduce: \"star\", but"},
         {{{"scale", {{"bytes", 0}}}}, "scale.bytes: 0, but"},
         {{{"name", 5}}, "name: 5, but must be a text in quotes"}});
}

TEST(TrainingInput, SaysWhatIsWrongWithTheStructure)
{
    ExpectErrors(
        DENSE,
        {{{{"model", nullptr}}, "model: missing; give an object"},
         {{{"model", 5}}, "model: a JSON number, but must be an object"},
         {{{"modell", 5}}, "modell: unknown key; the keys here are batch, collectives, compute"},
         {{{"model", {{"layer", 5}}}}, "model.layer: unknown key; the keys here are"},
         {{{"scale", {{"time", 5}}}},
          "scale.time: unknown key; the keys here are bytes and compute"},
         {{{"compute", {{"peakFlops", 1e15}}}}, "compute.peakFlops: unknown key"},
         {{{"parallelism", {{"layersPerChunk", 4}}}}, "parallelism.layersPerChunk: 4, but"},
         {{{"parallelism", {{"layersPerChunk", {2, 0}}}}},
          "parallelism.layersPerChunk[1]: 0, but"}});
    EXPECT_EQ(ErrorOf(""), "job.json:1: empty: must be a JSON object");
    EXPECT_EQ(ErrorOf(" \n").substr(0, 16), "job.json:2: empt");
    EXPECT_EQ(ErrorOf("[]"), "job.json: a JSON array, but must be an object { ... }");
    EXPECT_EQ(ErrorOf("{\n\"model\": {\n\"layers\" 4").substr(0, 22), "job.json:3: not JSON f");
    EXPECT_EQ(ErrorOf(std::string(1000, '\0')).substr(0, 20), "job.json:1: not JSON");
    EXPECT_EQ(ErrorOf(std::string(2 << 20, ' ')).substr(0, 23), "job.json: more than 104");
    EXPECT_EQ(ErrorOf(std::string(100000, '[')).substr(0, 27), "job.json:1: nested more tha");
    EXPECT_EQ(ErrorOf("{\"name\": \"a\", \"name\": \"b\"}"),
              "job.json:1: \"name\" is given twice in one object: remove one");
    EXPECT_NE(ErrorOf("{\"name\": 1e999}"), "");
    EXPECT_THROW(ReadWorkloadTraining("no-such-file.json"), InputError);
    EXPECT_THROW(ReadWorkloadTraining("."), InputError);
}

TEST(TrainingInput, NamesTheLineOfTheKey)
{
    // line 1 is the brace; model is on 2, its keys from 3 on
    const std::string good = "{\n"
                             "\"model\": {\n"
                             "\"layers\": 4, \"hidden\": 64,\n"
                             "\"heads\": 8,\n"
                             "\"ffn\": 256, \"vocabulary\": 1000, \"sequence\": 32},\n"
                             "\"parallelism\": {\"tensor\": 2, \"pipeline\": 2,\n"
                             "\"data\": 2},\n"
                             "\"batch\": {\n"
                             "\"global\": 8}}\n";
    const auto with = [&good](const std::string& before, const std::string& after) {
        std::string text = good;
        text.replace(text.find(before), before.size(), after);
        const std::string error = ErrorOf(text);
        return error.substr(0, error.find(' ', error.find(' ') + 1));
    };
    ASSERT_EQ(ErrorOf(good), "");
    EXPECT_EQ(with("\"layers\": 4", "\"layers\": 0"), "job.json:3: model.layers:");
    EXPECT_EQ(with("\"heads\"", "\"head\""), "job.json:2: model.heads:"); // missing: its object's
    EXPECT_EQ(with("256", "256, \"x\": 1"), "job.json:5: model.x:");
    EXPECT_EQ(with("\"data\": 2", "\"data\": 3"),
              "job.json:9: batch.global:"); // 8 is no multiple of 3
    EXPECT_EQ(with("\"batch\"", "\"botch\""), "job.json:1: batch:");
    EXPECT_EQ(with("\"global\": 8", "\"global\": 8, \"global\": 8"), "job.json:9: \"global\"");
}

TEST(TrainingInput, SaysWhatDoesNotFitTogether)
{
    ExpectErrors(
        DENSE,
        {{{{"model", {{"heads", 9}}}}, "model.headSize: missing, and hidden (64) is no multiple"},
         {{{"model", {{"kvHeads", 3}}}}, "model.kvHeads: 3 does not divide the 8 heads"},
         {{{"model", {{"heads", 9}, {"headSize", 8}}}}, "model.heads: 9 is no multiple of "},
         {{{"model", {{"ffn", 255}}}}, "model.ffn: 255 is no multiple of parallelism.tensor (2)"},
         {{{"model", {{"learnedPositions", 31}}}},
          "model.learnedPositions: 31, but a sample has 32"},
         {{{"model", {{"sequence", 31}}}, {"parallelism", {{"sequence", true}}}},
          "model.sequence: 31 is no multiple"},
         {{{"batch", {{"global", 9}}}},
          "batch.global: 9 is no multiple of micro * data (2 samples)"},
         {{{"batch", {{"global", 1 << 30}}}}, "batch.global: 1073741824 makes 536870912 micro"},
         {{{"parallelism", {{"tensor", 1024}, {"data", 65536}}}}, "parallelism: tensor * data"},
         {{{"parallelism", {{"pipeline", 5}}}},
          "parallelism.pipeline: pipeline * virtualStages is 5"},
         {{{"parallelism", {{"virtualStages", 2}}}}, "parallelism.virtualStages: 2, but only"},
         {{{"parallelism", {{"schedule", "interleaved"}}}},
          "parallelism.virtualStages: 1, but an interleaved schedule needs at least 2"},
         {{{"parallelism", {{"schedule", "interleaved"}, {"virtualStages", 2}, {"pipeline", 1}}}},
          "parallelism.schedule: \"interleaved\" needs a pipeline"},
         {{{"parallelism", {{"schedule", "interleaved"}, {"virtualStages", 2}}},
           {"batch", {{"global", 6}}}},
          "batch.global: 6 makes 3 micro-batches per replica, but the interleaved"},
         {{{"parallelism", {{"layersPerChunk", {1, 2}}}}},
          "parallelism.layersPerChunk: the numbers add up to 3, but the model has 4"},
         {{{"parallelism", {{"layersPerChunk", {4}}}}},
          "parallelism.layersPerChunk: 1 numbers, but"},
         {{{"network", {{"gpusPerServer", 1}}}},
          "parallelism.tensor: 2 GPUs cannot share the NVLink of a server of 1"},
         {{{"gradients", {{"embeddingAllReduce", true}}}},
          "gradients.embeddingAllReduce: true needs model.tiedEmbeddings"},
         {{{"model",
            {{"hidden", 1 << 20}, {"ffn", 1 << 20}, {"layers", 4096}, {"vocabulary", 1 << 28}}}},
          "model: has more than 2^50 parameters"},
         {{{"model", {{"sequence", 1 << 28}, {"hidden", 1 << 20}}},
           {"batch", {{"global", 131072}}}},
          "batch.global: 131072 and the model make more than 2^62 bytes of pipeline"}});
}

TEST(TrainingInput, RefusesWhatHasNoEffect)
{
    const json one = {{"tensor", 1}, {"pipeline", 1}, {"data", 1}};
    ExpectErrors(
        DENSE,
        {{{{"parallelism", {{"tensor", 1}, {"sequence", true}}}},
          "parallelism.sequence: true has no"},
         {{{"parallelism", {{"expert", 2}}}},
          "parallelism.expert: 2, but the model has no experts"},
         {{{"parallelism", {{"tensor", 1}}}, {"network", {{"tensorParallel", "network"}}}},
          "network.tensorParallel: has no effect"},
         {{{"network", {{"tensorParallel", "network"}, {"nvlinkGBps", 400}}}},
          "network.nvlinkGBps: has no effect when"},
         {{{"parallelism", {{"tensor", 1}}}, {"network", {{"nvlinkGBps", 400}}}},
          "network.nvlinkGBps: has no effect with parallelism.tensor 1"},
         {{{"parallelism", {{"data", 1}, {"sharding", 1}}}}, "parallelism.sharding: has no effect"},
         {{{"parallelism", {{"data", 1}}}, {"gradients", {{"overlap", true}}}},
          "gradients.overlap: has no effect"},
         {{{"parallelism", {{"data", 1}}}, {"gradients", {{"bucketBytes", 100}}}},
          "gradients.bucketBytes: has no effect"},
         {{{"parallelism", {{"sharding", 3}}}, {"gradients", {{"bucketBytes", 100}}}},
          "gradients.bucketBytes: 100 has no effect with sharding 3"},
         {{{"parallelism", {{"sharding", 1}}}, {"collectives", {{"allReduce", "tree"}}}},
          "collectives.allReduce: has no effect"},
         {{{"scale", {{"compute", 2}}}}, "scale.compute: has no effect without compute times"},
         {{{"model", {{"mla", {{"keyValueRank", 8}}}, {"kvHeads", 8}}}},
          "model.kvHeads: has no effect with mla"},
         {{{"compute", {{"times", "table"}, {"ns", {{"experts", 5}}}}}},
          "compute.ns.embedding: missing"}});
    json single = DENSE;
    single["parallelism"] = one;
    EXPECT_EQ(ErrorOf(single.dump()), ""); // one GPU, no traffic: fine
}

TEST(TrainingInput, ChecksExperts)
{
    ExpectErrors(
        MOE,
        {{{{"model", {{"ffn", 256}}}}, "model.ffn: has no effect, since every layer has experts"},
         {{{"model", {{"moe", {{"firstDense", 1}}}}}}, "model.ffn: missing"},
         {{{"model", {{"moe", {{"firstDense", 4}}}}}}, "model.moe.firstDense: 4, but"},
         {{{"model", {{"moe", {{"topK", 9}}}}}}, "model.moe.topK: 9, but must be a whole number"},
         {{{"model", {{"moe", {{"every", 0}}}}}}, "model.moe.every: 0, but"},
         {{{"parallelism", {{"expert", 3}}}},
          "parallelism.expert: 3 does not divide the 8 experts"},
         {{{"parallelism", {{"expert", 8}}}},
          "parallelism.expert: 8 does not divide the tensor * data = 4 GPUs"},
         {{{"parallelism", {{"sequence", false}}}}, "parallelism.sequence: false, but experts"}});
    // Stages of 4 GPUs, servers of 8.
    ExpectErrors(
        MOE,
        {{{{"parallelism", {{"expertPlacement", "nvswitch"}}}},
          "parallelism.expertPlacement: \"nvswitch\", but must be one of auto, nvlink, rail, pxn "
          "and rails"},
         {{{"parallelism", {{"expertTensor", 0}}}}, "parallelism.expertTensor: 0, but"},
         {{{"parallelism", {{"expertTensor", 4}}}},
          "parallelism.expertTensor: 4 does not divide parallelism.tensor (2)"},
         {{{"parallelism", {{"expertTensor", 2}}}},
          "parallelism.expert: 4 x 2 GPUs that share an expert (expertTensor) does not divide the "
          "tensor * data = 4 GPUs of a pipeline stage: make it a divisor of 2"},
         {{{"parallelism", {{"expertPlacement", "rail"}}}},
          "parallelism.expert: 4 x 2 GPUs that share an expert"},
         {{{"model", {{"moe", {{"ffn", 255}}}}}, {"parallelism", {{"expert", 2}}}},
          "model.moe.ffn: 255 is no multiple of the 2 GPUs that share an expert"},
         {{{"parallelism", {{"expertPlacement", "pxn"}}}},
          "parallelism.expertPlacement: \"pxn\" has the members of an expert group on several "
          "servers, several on each, but ranks 0, 1 ... 3 are all on one server of 8 GPUs "
          "(network.gpusPerServer): use \"nvlink\", or change expert (4) or expertTensor (1)"},
         {{{"parallelism", {{"expertPlacement", "nvlink"}}}, {"network", {{"gpusPerServer", 2}}}},
          "parallelism.expertPlacement: \"nvlink\" has the members of an expert group all on one "
          "server, but ranks 0, 1 ... 3 are 2 on each of 2 servers of 2 GPUs"},
         {{{"parallelism", {{"expertPlacement", "rail"}, {"expert", 2}}}},
          "parallelism.expertPlacement: \"rail\" has the members of an expert group on a server "
          "each, but ranks 0, 2 ... 2 are all on one server"},
         {{{"parallelism", {{"expertPlacement", "nvlink"}}}, {"network", {{"gpusPerServer", 3}}}},
          "parallelism.expertPlacement: \"nvlink\" has the members of an expert group all on one "
          "server, but ranks 0, 1 ... 3 are not as many on each server of 3 GPUs"},
         {{{"parallelism", {{"expertPlacement", "rail"}, {"expert", 1}}}},
          "parallelism.expertPlacement: \"rail\" has no effect with parallelism.expert 1"},
         {{{"parallelism", {{"expertPlacement", "nvlink"}}},
           {"network", {{"tensorParallel", "network"}}}},
          "parallelism.expertPlacement: \"nvlink\" needs NVLink, but network.tensorParallel is"}});
    ExpectErrors(DENSE,
                 {{{{"parallelism", {{"expertTensor", 2}}}},
                   "parallelism.expertTensor: given, but the model has no experts"},
                  {{{"parallelism", {{"expertPlacement", "rails"}}}},
                   "parallelism.expertPlacement: given, but the model has no experts"}});
    json whole = MOE; // NVLink carries the experts' traffic, if no tensor-parallel
    whole.merge_patch({{"parallelism", {{"tensor", 1}, {"sequence", false}, {"data", 4}}},
                       {"network", {{"nvlinkGBps", 400}}}});
    EXPECT_EQ(ErrorOf(whole.dump()), "");
    whole["parallelism"]["expertPlacement"] = "rails";
    EXPECT_NE(ErrorOf(whole.dump()).find("network.nvlinkGBps: has no effect"), std::string::npos);
}

TEST(TrainingInput, SaysWhatIsWrongWithVariants)
{
    const json flops = {{"times", "flops"}, {"peakFlops", 1e12}, {"efficiency", 0.5}};
    const auto with = [&](const char* key, const json& value) {
        json compute = flops;
        compute[key] = value;
        return json{{"compute", compute}};
    };
    ExpectErrors(
        DENSE,
        {{{{"parallelism", {{"context", 3}}}},
          "parallelism.context: 3, but model.sequence (32) is no multiple of 3 GPUs"},
         {{{"parallelism", {{"schedule", "dualpipe"}}}, {"batch", {{"global", 4}}}},
          "batch.global: 4 makes 2 micro-batches per replica, but the schedule \"dualpipe\""},
         {{{"parallelism", {{"schedule", "dualpipe"}, {"pipeline", 1}}}},
          "parallelism.pipeline: 1, but the schedule \"dualpipe\" needs an even number"},
         {{{"parallelism", {{"schedule", "dualpipe"}, {"sharding", 2}}}},
          "parallelism.sharding: 2 is not possible with the schedule \"dualpipe\""},
         {{{"parallelism", {{"schedule", "dualpipe"}}}, {"gradients", {{"overlap", true}}}},
          "gradients.overlap: true is not possible with the schedule \"dualpipe\""},
         {{{"compute", {{"recompute", "some"}}}},
          "compute.recompute: \"some\", but must be one of none, selective and full"},
         {{{"compute", {{"recompute", "full"}}}},
          "compute.recompute: has no effect without compute times"},
         {with("overlap", {{"factors", "echo-low"}}),
          "compute.overlap: has no effect, since no communication goes on beside computation"},
         {with("overlap", json::object()),
          "compute.overlap.factors: missing; give echo-low and echo-high or a CSV file"},
         {{{"collectives", {{"hierarchical", true}}}, {"network", {{"gpusPerServer", 2}}}},
          "collectives.hierarchical: true has no effect, since no two GPUs of a server"},
         {{{"collectives", {{"hierarchical", true}}}, {"network", {{"tensorParallel", "network"}}}},
          "collectives.hierarchical: true needs NVLink"},
         {{{"network", {{"serverTypes", {{"a", {{"firstServer", 1}}}}}}}},
          "network.serverTypes.a.firstServer: 1, but one type must begin at server 0"},
         {{{"network", {{"serverTypes", {{"a", json::object()}, {"b", {{"firstServer", 1}}}}}}}},
          "network.serverTypes.b.firstServer: 1, but the 8 GPUs are on servers 0 to 0"},
         {{{"network", {{"serverTypes", {{"a", {{"setup", 1}}}}}}}},
          "network.serverTypes.a.setup: unknown key"}});
}

TEST(TrainingInput, TakesChangesByTheirPlaces)
{
    std::istringstream in(DENSE.dump());
    const WorkloadTraining training = ReadWorkloadTraining(in,
                                                           "job.json",
                                                           {{"parallelism.context", "2"},
                                                            {"collectives.allReduce", "tree"},
                                                            {"gradients.overlap", "true"}});
    EXPECT_EQ(training.parallelism.context, 2U);
    EXPECT_EQ(training.collectives.allReduce, WorkloadCollectiveAlgorithm::TREE);
    EXPECT_TRUE(training.gradients.overlap);
    for (const auto& [place, what] :
         {std::pair("parallelism.contexts", "job.json: parallelism.contexts: "),
          std::pair("parallelism.tensor.size",
                    "job.json:1: parallelism.tensor.size=2: "
                    "parallelism.tensor is no object")})
    {
        std::istringstream again(DENSE.dump());
        try
        {
            ReadWorkloadTraining(again, "job.json", {{place, "2"}});
            FAIL() << place;
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(std::string(error.what()).find(what), 0U) << error.what();
        }
    }
}

} // namespace
