/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-source-kinds.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/workload-collective-spec.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-storage.h"
#include "ns3/workload-training-slowdown.h"
#include "ns3/workload-training.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wormhole
{

namespace
{

constexpr uint64_t MOST_SCALE = 1000000000;

/** Bytes of a vector whose halves are one of NCCL's chunks each. */
constexpr uint64_t ONE_CHUNK = 1 << 20;

/** NCCL's choice takes chunks for granted that follow each other down a tree. */
void
NoteTreeInSteps(const std::string& text, WorkloadSource& source)
{
    using Algorithm = ns3::WorkloadCollectiveAlgorithm;
    const ns3::WorkloadCollectiveSpec spec = ns3::ParseWorkloadCollectiveSpec(text);
    const ns3::WorkloadCollective& asked = spec.collective;
    if (asked.algorithm != Algorithm::AUTO || asked.bytes <= ONE_CHUNK ||
        (asked.chunkBytes > 0 && asked.window > 0))
    {
        return;
    }
    std::vector<uint32_t> members(spec.ranks);
    std::iota(members.begin(), members.end(), 0);
    if (ns3::ResolveWorkloadCollective(asked, members).algorithm == Algorithm::DOUBLE_BINARY_TREE)
    {
        source.notes.push_back(
            ns3::ShownText(text) +
            ": algorithm=auto is the double tree here, as NCCL chooses, whose chunks follow each "
            "other; without chunk and window, each level waits for all data of the one below it, "
            "which takes several times as long; give chunk=256KB,window=1, or algorithm=ring");
    }
}

} // namespace

void
ReadGoalSource(SourceRequest& request, WorkloadSource& source)
{
    const std::string file = InputFile(request, source);
    request.spec.Finish();
    source.schedule = ns3::ReadGoal(file);
    source.notes = source.schedule.warnings;
}

void
ReadTrainingSource(SourceRequest& request, WorkloadSource& source)
{
    const std::string file = InputFile(request, source);
    const uint64_t bytes = request.spec.Integer("scale", 1, 1, MOST_SCALE);
    const double compute = request.spec.Number("compute-scale", 1, 1e-6, 1e9);
    const std::string experts = request.spec.Word("experts", "");
    const std::vector<std::string>& placements = ns3::WorkloadTrainingExpertPlacements();
    if (!experts.empty() &&
        std::find(placements.begin(), placements.end(), experts) == placements.end())
    {
        request.spec.FailValue("experts", "one of " + ns3::ListText(placements));
    }
    const uint64_t expert = request.spec.Integer("expert", 0, 1, ns3::WORKLOAD_MOST_RANKS);
    const ns3::WorkloadTrainingChanges changes = request.spec.Places();
    request.spec.Finish();
    ns3::WorkloadTraining training = ns3::ReadWorkloadTraining(file, changes);
    ns3::PlaceWorkloadTrainingExperts(training, experts, static_cast<uint32_t>(expert));
    training.scale.bytes *= bytes; // beside what the file asks for
    training.scale.compute *= compute;
    const std::vector<std::string>& tables = ns3::WorkloadTrainingSlowdownTables();
    if (!training.gpu.overlap.empty() &&
        std::find(tables.begin(), tables.end(), training.gpu.overlap) == tables.end())
    {
        source.inputs.push_back({"--workload", training.gpu.overlap});
    }
    source.schedule = ns3::MakeTrainingSchedule(training);
}

void
ReadCollectiveSource(SourceRequest& request, WorkloadSource& source)
{
    source.schedule = ns3::MakeCollectiveSchedule(request.spec.Text());
    NoteTreeInSteps(request.spec.Text(), source);
}

void
ReadStorageSource(SourceRequest& request, WorkloadSource& source)
{
    InputFile(request, source);
    source.schedule = ns3::MakeStorageSchedule(request.spec);
}

} // namespace wormhole
