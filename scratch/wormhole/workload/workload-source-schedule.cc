/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-source-kinds.h"

#include "ns3/input-error.h"
#include "ns3/workload-collective-spec.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-storage.h"
#include "ns3/workload-training-slowdown.h"
#include "ns3/workload-training.h"
#include "ns3/workload-units.h"

#include <algorithm>

namespace wormhole
{

namespace
{

constexpr uint64_t MOST_SCALE = 1000000000;

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
}

void
ReadStorageSource(SourceRequest& request, WorkloadSource& source)
{
    InputFile(request, source);
    source.schedule = ns3::MakeStorageSchedule(request.spec);
}

} // namespace wormhole
