/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-report.h"

#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-volume.h"

#include "ns3/input-number.h"
#include "ns3/rdma-arithmetic.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/** What a GPU of each stage computes in an iteration. */
struct Computation
{
    double flops{0};                  ///< of all GPUs
    std::vector<uint64_t> nsPerStage; ///< of a GPU, forward and backward
};

Computation
CountComputation(const WorkloadTraining& training)
{
    Computation computation;
    std::vector<uint64_t> perChunk(training.GetChunkCount(), 0); // of a micro-batch
    const bool selective = training.gpu.recompute == WorkloadTrainingRecompute::SELECTIVE;
    const uint64_t microBatches = training.GetMicroBatchCount();
    for (uint32_t chunk = 0; chunk < training.GetChunkCount(); ++chunk)
    {
        uint64_t& ns = perChunk[chunk];
        for (const WorkloadTrainingBlock& block : MakeWorkloadTrainingBlocks(training, chunk))
        {
            const bool again = IsWorkloadTrainingRecomputed(training, block.kind);
            const auto add = [&](WorkloadTrainingKernel kernel) {
                const WorkloadTrainingTimes times =
                    WorkloadTrainingKernelTimes(training, block, kernel);
                ns =
                    RdmaSum(ns, RdmaSum(RdmaProduct(again ? 2 : 1, times.forward), times.backward));
            };
            add(WorkloadTrainingKernelOf(block.kind));
            if (block.kind == WorkloadTrainingBlockKind::MOE)
            {
                add(WorkloadTrainingKernel::EXPERTS);
            }
            ns = RdmaSum(ns, selective ? WorkloadTrainingCoreTimes(training, block).forward : 0);
            computation.flops += ((again ? 4 : 3) * (block.flops + block.expertFlops) +
                                  (selective ? block.coreFlops : 0)) *
                                 static_cast<double>(microBatches) * training.GetStageRankCount();
        }
    }
    const uint64_t perCopy = microBatches / (training.IsMirrored() ? 2 : 1);
    for (uint32_t stage = 0; stage < training.parallelism.pipeline; ++stage)
    {
        computation.nsPerStage.push_back(0);
        for (uint32_t own = 0; own < training.GetStageChunkCount(); ++own)
        {
            const uint64_t chunk = perChunk[training.GetChunk(stage, own)];
            computation.nsPerStage[stage] =
                RdmaSum(computation.nsPerStage[stage], RdmaProduct(chunk, perCopy));
        }
    }
    return computation;
}

/** \return a number with three digits, or all that stand before the point */
std::string
Rounded(double value)
{
    const double step = value >= 99.95 ? 1 : value >= 9.995 ? 10 : 100;
    return NumberText(std::floor(value * step + 0.5) / step);
}

/** \return a number with three digits, a prefix and a unit: "13.9 GB" */
std::string
Prefixed(double value, const std::string& unit)
{
    const char* const prefixes[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y"};
    size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < std::size(prefixes))
    {
        value /= 1000;
        ++prefix;
    }
    return Rounded(value) + " " + prefixes[prefix] + unit;
}

/** \return a number with three digits, a prefix and what is counted: "6.66 G parameters" */
std::string
Counted(double value, const std::string& what)
{
    const std::string number = Prefixed(value, "");
    return number + (number.back() == ' ' ? "" : " ") + what;
}

/** \return the words, one a line, "label" and what it is */
std::string
Line(const std::string& label, const std::string& value)
{
    constexpr size_t WIDTH = 24;
    return label + std::string(WIDTH - std::min(WIDTH - 1, label.size()), ' ') + value + "\n";
}

std::string
Messages(const WorkloadTrainingVolume& volume)
{
    return volume.messagesKnown ? std::to_string(volume.messages) : "-";
}

/** \return which ranks are an expert group, and what it goes through */
std::string
ExpertGroups(const WorkloadTraining& training)
{
    constexpr size_t SHOWN = 8;
    const WorkloadTrainingExperts experts = ResolveWorkloadTrainingExperts(training);
    const std::vector<uint32_t> group = MakeWorkloadTrainingExpertGroups(training, 0).front();
    std::string ranks;
    for (size_t i = 0; i < std::min(group.size(), SHOWN); ++i)
    {
        ranks += (i == 0 ? "" : ", ") + std::to_string(group[i]);
    }
    return WorkloadName(experts.placement) + "; the first is ranks " + ranks +
           (group.size() > SHOWN ? " ... " + std::to_string(group.back()) : "") +
           "; an expert is on " + Counted(experts.tensor, experts.tensor == 1 ? "GPU" : "GPUs");
}

/** \return the least and the most of the stages' values, as texts that \p shown makes */
template <typename Shown>
std::string
RangeOf(const std::vector<uint64_t>& values, Shown shown)
{
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    const std::string from = shown(static_cast<double>(*min));
    const std::string to = shown(static_cast<double>(*max));
    return from == to ? from : from + " to " + to;
}

} // namespace

nlohmann::ordered_json
DescribeWorkloadTraining(const WorkloadTraining& training)
{
    const WorkloadTrainingParameters parameters = CountWorkloadTrainingParameters(training);
    const Computation computation = CountComputation(training);
    nlohmann::ordered_json json;
    json["name"] = training.name;
    json["description"] = training.description;
    json["gpus"] = training.GetRankCount();
    json["microBatches"] = training.GetMicroBatchCount();
    json["parameters"] = {{"total", parameters.total},
                          {"active", parameters.active},
                          {"perGpuOfStage", parameters.perStage}};
    json["flops"] = computation.flops;
    json["computeNsPerGpuOfStage"] = computation.nsPerStage;
    json["traffic"] = nlohmann::ordered_json::array();
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        nlohmann::ordered_json row;
        row["kind"] = volume.category;
        row["bytes"] = volume.bytes;
        if (volume.messagesKnown)
        {
            row["messages"] = volume.messages;
        }
        row["collectives"] = volume.collectives;
        row["formula"] = volume.formula;
        json["traffic"].push_back(row);
    }
    if (training.model.moe.experts > 0)
    {
        const WorkloadTrainingExperts experts = ResolveWorkloadTrainingExperts(training);
        json["experts"] = {{"placement", WorkloadName(experts.placement)},
                           {"gpusPerExpert", experts.tensor},
                           {"firstGroup", MakeWorkloadTrainingExpertGroups(training, 0).front()}};
        json["experts"]["nvlink"] = nlohmann::ordered_json::array();
        for (const WorkloadTrainingVolume& volume : WorkloadTrainingNvlinkVolumes(training))
        {
            json["experts"]["nvlink"].push_back({{"kind", volume.category},
                                                 {"bytes", volume.bytes},
                                                 {"collectives", volume.collectives},
                                                 {"formula", volume.formula}});
        }
    }
    return json;
}

std::string
WorkloadTrainingText(const WorkloadTraining& training)
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    const WorkloadTrainingParameters parameters = CountWorkloadTrainingParameters(training);
    const Computation computation = CountComputation(training);
    std::string text =
        training.name + (training.description.empty() ? "" : ": " + training.description) + "\n";
    text += Line(
        "GPUs",
        std::to_string(training.GetRankCount()) + " = tensor " +
            std::to_string(parallelism.tensor) +
            (parallelism.context > 1 ? " x context " + std::to_string(parallelism.context) : "") +
            " x data " + std::to_string(parallelism.data) + " x pipeline " +
            std::to_string(parallelism.pipeline) + ", expert " +
            std::to_string(parallelism.expert));
    if (training.model.moe.experts > 0)
    {
        text += Line("expert groups", ExpertGroups(training));
    }
    text += Line("micro-batches",
                 std::to_string(training.GetMicroBatchCount()) + " per replica, of " +
                     std::to_string(training.microBatch) + " x " +
                     std::to_string(training.model.sequence) + " tokens");
    const auto count = [](double value) { return Counted(value, "parameters"); };
    text += Line("model",
                 count(static_cast<double>(parameters.total)) + ", " +
                     Counted(static_cast<double>(parameters.active), "of them used by a token"));
    text += Line("on a GPU", RangeOf(parameters.perStage, count));
    text += Line("floating-point", Counted(computation.flops, "operations"));
    text += Line("busy computing", RangeOf(computation.nsPerStage, [](double ns) {
                                       return Rounded(ns / 1e6) + " ms";
                                   }) + " per GPU");
    text += "\n";
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        text += Line(volume.category,
                     Prefixed(static_cast<double>(volume.bytes), "B") + " in " + Messages(volume) +
                         " messages");
        text += Line("", "= " + volume.formula);
    }
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingNvlinkVolumes(training))
    {
        text += Line(volume.category,
                     Prefixed(static_cast<double>(volume.bytes), "B") + " through NVLink");
        text += Line("", "= " + volume.formula);
    }
    return text;
}

std::string
WorkloadTrainingMarkdown(const WorkloadTraining& training)
{
    std::string text;
    const auto add = [&](const std::vector<WorkloadTrainingVolume>& volumes,
                         const std::string& where) {
        for (const WorkloadTrainingVolume& volume : volumes)
        {
            text += "| " + (text.empty() ? training.name : "") + " | " + volume.category + where +
                    " | " + std::to_string(volume.bytes) + " | " + Messages(volume) + " | " +
                    volume.formula + " |\n";
        }
    };
    add(WorkloadTrainingVolumes(training), "");
    add(WorkloadTrainingNvlinkVolumes(training), ", NVLink");
    return text;
}

} // namespace ns3
