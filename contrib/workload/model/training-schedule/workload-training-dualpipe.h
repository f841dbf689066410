/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_DUALPIPE_H
#define WORKLOAD_TRAINING_DUALPIPE_H

#include "workload-training-pipeline.h"
#include "workload-training-stage.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/** \ingroup workload The order of a stage under DualPipe; see MakeWorkloadTrainingOrder(). */
std::vector<WorkloadTrainingUnit> MakeWorkloadTrainingDualPipe(const WorkloadTraining& training,
                                                               uint32_t stage);

/**
 * \ingroup workload
 * \brief Reduces gradients under DualPipe, where each chunk is on two stages, and gathers its
 * parameters after the optimizer.
 */
class WorkloadTrainingMirrors
{
  public:
    /** \param training must outlive this \param builder must outlive this */
    WorkloadTrainingMirrors(const WorkloadTraining& training, WorkloadScheduleBuilder& builder);

    /** Reduces all gradients; what stages do next waits for it. \param stages whose passes have
     * been added */
    void Reduce(std::deque<WorkloadTrainingStage>& stages);

    /** Gathers all parameters. \param stages whose optimizers have been added */
    void Gather(std::deque<WorkloadTrainingStage>& stages);

  private:
    using Operations = WorkloadTrainingChain::Operations;

    /** \return the last operations of all ranks */
    static Operations LastOf(std::deque<WorkloadTrainingStage>& stages);

    const WorkloadTraining& m_training;
    WorkloadTrainingChain m_chain;                  //!< all ranks
    std::deque<WorkloadTrainingReducer> m_reducers; //!< of each pair of stages, by share
};

} // namespace ns3

#endif // WORKLOAD_TRAINING_DUALPIPE_H
