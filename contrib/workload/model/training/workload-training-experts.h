/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_EXPERTS_H
#define WORKLOAD_TRAINING_EXPERTS_H

#include "workload-training.h"

#include "ns3/workload-training-chain.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup workload Where the members of each expert group are, and what carries their traffic. A
 * server is network.gpusPerServer consecutive ranks. */
struct WorkloadTrainingExperts
{
    WorkloadTrainingExpertPlacement placement{
        WorkloadTrainingExpertPlacement::RAILS}; ///< never AUTO
    uint32_t tensor{1};    ///< GPUs that share an expert; a group's members are as many ranks apart
    uint32_t perServer{0}; ///< members on one server; 0: not the same number on all
    uint32_t servers{0};   ///< of a group; 0 with perServer

    /** \return the placement that suits where the members are */
    WorkloadTrainingExpertPlacement GetFitting() const;
};

/**
 * \ingroup workload
 * \param training whose numbers need not agree
 * \return its experts, with what is left open as Megatron-LM would have it (doc/training.md)
 */
WorkloadTrainingExperts ResolveWorkloadTrainingExperts(const WorkloadTraining& training);

/** \ingroup workload \return how the file names a placement */
std::string WorkloadName(WorkloadTrainingExpertPlacement placement);

/** \ingroup workload \return the expert groups of the stage whose first rank is \p first */
WorkloadTrainingGroups MakeWorkloadTrainingExpertGroups(const WorkloadTraining& training,
                                                        uint32_t first);

/** \ingroup workload \return the members of each group that are on one rail, group by group.
 * \param perServer members of a group on one server */
WorkloadTrainingGroups MakeWorkloadTrainingRails(const WorkloadTrainingGroups& groups,
                                                 uint32_t perServer);

} // namespace ns3

#endif // WORKLOAD_TRAINING_EXPERTS_H
