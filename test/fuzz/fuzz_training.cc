/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-training-report.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

namespace
{

/** \return messages and computations, roughly */
uint64_t
SizeOf(const WorkloadTraining& training)
{
    uint64_t size = uint64_t{training.GetRankCount()} * training.model.layers *
                    training.GetMicroBatchCount() * training.parallelism.virtualStages;
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        size += volume.messages;
    }
    return size;
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        const WorkloadTraining training = ReadWorkloadTraining(in, "training.json");
        if (WorkloadTrainingText(training).empty())
        {
            std::abort();
        }
        const bool rings = training.collectives.allReduce == WorkloadCollectiveAlgorithm::RING;
        if (rings && SizeOf(training) < 20000)
        {
            uint64_t sent = 0;
            for (const WorkloadRank& rank : MakeTrainingSchedule(training).ranks)
            {
                for (const WorkloadOperation& operation : rank.operations)
                {
                    sent += operation.kind == WorkloadKind::SEND ? operation.size : 0;
                }
            }
            for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
            {
                sent -= volume.bytes;
            }
            if (sent != 0)
            {
                std::abort();
            }
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
