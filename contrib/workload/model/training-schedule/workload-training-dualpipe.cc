/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-dualpipe.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

namespace
{

using Part = WorkloadTrainingPart;

/** Writes down the order of one stage. A phase is a direction of the pipeline as the stage's half
 * of it sees it: phase 0 comes from the nearer end. */
class DualPipeOrder
{
  public:
    DualPipeOrder(const WorkloadTraining& training, uint32_t stage)
        : m_half(training.GetMicroBatchCount() / 2),
          m_secondHalf(stage >= training.parallelism.pipeline / 2)
    {
    }

    void Forward(uint32_t phase, bool withNext = false)
    {
        m_units.push_back(Next(m_forward, phase, true));
        m_units.back().withNext = withNext;
    }

    void Backward(uint32_t phase, bool weightsLater = false)
    {
        m_units.push_back(Next(m_backward, phase, false));
        if (weightsLater)
        {
            m_units.back().part = Part::INPUTS;
            m_later.push_back(m_units.back());
            m_later.back().part = Part::WEIGHTS;
        }
    }

    /** The weights of the oldest backward pass that has left them. */
    void Weights()
    {
        m_units.push_back(m_later.front());
        m_later.pop_front();
    }

    std::vector<WorkloadTrainingUnit> Take()
    {
        return std::move(m_units);
    }

  private:
    using Counters = std::array<uint32_t, 2>; //!< by chunk

    WorkloadTrainingUnit Next(Counters& counters, uint32_t phase, bool forward) const
    {
        const uint32_t chunk = m_secondHalf ? 1 - phase : phase;
        WorkloadTrainingUnit unit;
        unit.forward = forward;
        unit.microBatch = chunk * m_half + counters[chunk]++;
        unit.chunk = chunk;
        return unit;
    }

    uint32_t m_half; //!< micro-batches of a direction
    bool m_secondHalf;
    Counters m_forward{};
    Counters m_backward{};
    std::vector<WorkloadTrainingUnit> m_units;
    std::deque<WorkloadTrainingUnit> m_later;
};

} // namespace

std::vector<WorkloadTrainingUnit>
MakeWorkloadTrainingDualPipe(const WorkloadTraining& training, uint32_t stage)
{
    const uint32_t stages = training.parallelism.pipeline;
    const uint32_t fromEnd = std::min(stage, stages - 1 - stage);
    const uint32_t toMiddle = stages / 2 - 1 - fromEnd;
    const uint32_t half = training.GetMicroBatchCount() / 2;
    DualPipeOrder order(training, stage);
    for (uint32_t i = 0; i < 2 * toMiddle; ++i)
    {
        order.Forward(0);
    }
    for (uint32_t i = 0; i <= fromEnd; ++i)
    {
        order.Forward(0);
        order.Forward(1);
    }
    for (uint32_t i = 0; i < toMiddle; ++i)
    {
        order.Backward(1, true);
        order.Weights();
        order.Forward(1);
    }
    for (uint32_t i = 0; i < half - stages + fromEnd + 1; ++i)
    {
        // the middle stages begin with two passes in a row, which makes the bubble smaller
        order.Forward(0, i > 0 || toMiddle > 0);
        order.Backward(1);
        order.Forward(1, true);
        order.Backward(0);
    }
    for (uint32_t i = 0; i < toMiddle; ++i)
    {
        order.Backward(1);
        order.Forward(1, true);
        order.Backward(0);
    }
    const uint32_t last = fromEnd + 1;
    for (uint32_t i = 0; i < last; ++i)
    {
        // weights come later from the middle of these passes on
        order.Backward(1, i > last / 2 || (i == last / 2 && fromEnd % 2 == 1));
        order.Backward(0, i >= last / 2);
    }
    for (uint32_t i = 0; i < toMiddle; ++i)
    {
        order.Weights();
        order.Backward(0, true);
    }
    for (uint32_t i = 0; i < last; ++i)
    {
        order.Weights();
    }
    return order.Take();
}

WorkloadTrainingMirrors::WorkloadTrainingMirrors(const WorkloadTraining& training,
                                                 WorkloadScheduleBuilder& builder)
    : m_training(training),
      m_chain(builder, training, 0, training.GetRankCount())
{
    const uint32_t stages = training.parallelism.pipeline;
    const uint32_t count = training.GetStageRankCount();
    for (uint32_t stage = 0; stage < stages / 2; ++stage)
    {
        const uint32_t mirror = stages - 1 - stage;
        for (const auto share : {WorkloadTrainingShare::DENSE, WorkloadTrainingShare::EXPERTS})
        {
            WorkloadTrainingGroups groups =
                MakeWorkloadTrainingReplicaGroups(training, share, stage * count);
            for (std::vector<uint32_t>& group : groups)
            {
                const size_t size = group.size();
                for (size_t i = 0; i < size; ++i)
                {
                    group.push_back(group[i] + (mirror - stage) * count);
                }
            }
            m_reducers.emplace_back(training,
                                    m_chain,
                                    share,
                                    std::move(groups),
                                    std::vector{MakeWorkloadTrainingBlocks(training, stage),
                                                MakeWorkloadTrainingBlocks(training, mirror)});
        }
    }
}

WorkloadTrainingMirrors::Operations
WorkloadTrainingMirrors::LastOf(std::deque<WorkloadTrainingStage>& stages)
{
    Operations last;
    for (WorkloadTrainingStage& stage : stages)
    {
        const Operations& of = stage.JoinGradients();
        last.insert(last.end(), of.begin(), of.end());
    }
    return last;
}

void
WorkloadTrainingMirrors::Reduce(std::deque<WorkloadTrainingStage>& stages)
{
    const Operations last = LastOf(stages);
    for (WorkloadTrainingReducer& reducer : m_reducers)
    {
        for (uint32_t chunk = 2; chunk-- > 0;)
        {
            reducer.Begin(chunk);
            reducer.IsReady(0, true);
            reducer.Reduce(last);
        }
        auto first = reducer.GetEnds().begin();
        for (WorkloadTrainingStage& stage : stages)
        {
            const auto end = first + m_training.GetStageRankCount();
            stage.Wait({first, end});
            first = end;
        }
    }
}

void
WorkloadTrainingMirrors::Gather(std::deque<WorkloadTrainingStage>& stages)
{
    const Operations last = LastOf(stages);
    for (WorkloadTrainingReducer& reducer : m_reducers)
    {
        reducer.GatherChunk(0, last);
        reducer.GatherChunk(1, last);
    }
}

} // namespace ns3
