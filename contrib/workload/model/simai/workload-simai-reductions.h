/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_REDUCTIONS_H
#define WORKLOAD_SIMAI_REDUCTIONS_H

#include "workload-simai-choice.h"
#include "workload-simai.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Which flows of a member SimAI charges with a reduction, told as they become ready.
 *
 * SimAI does not look at what a flow carries. It counts the flows of a rank on a channel in rounds
 * of as many as the rank's logical dimension has nodes. The first of a round is never charged. The
 * others are in a reduce-scatter; in an all-reduce by rings they are while one switch is on, which
 * every round of every channel turns over as it begins. So with one channel the first round is
 * charged; with 8 that begin at once, none is.
 */
class WorkloadSimAiReductions
{
  public:
    /** \param round flows of a round: GPUs of a tensor group, or GPUs and NVSwitches per tensor
     * rank; at least 1 */
    WorkloadSimAiReductions(WorkloadSimAiKind kind,
                            WorkloadSimAiAlgorithm algorithm,
                            uint32_t round,
                            uint32_t members,
                            uint32_t channels)
        : m_kind(algorithm == WorkloadSimAiAlgorithm::NVLS ? WorkloadSimAiKind::NONE : kind),
          m_round(round),
          m_channels(channels),
          m_left(Counts() ? size_t(members) * channels : 0),
          m_on(Counts() ? members : 0)
    {
    }

    /** \return whether the member's flow that is ready now on the channel is charged */
    bool Charge(uint32_t member, uint32_t channel)
    {
        if (!Counts())
        {
            return false;
        }
        uint32_t& left = m_left[size_t(member) * m_channels + channel];
        if (left == 0)
        {
            left = m_round - 1;
            m_on[member] = !m_on[member];
            return false;
        }
        --left;
        return m_kind == WorkloadSimAiKind::REDUCE_SCATTER || m_on[member];
    }

  private:
    bool Counts() const
    {
        return m_kind == WorkloadSimAiKind::ALL_REDUCE ||
               m_kind == WorkloadSimAiKind::REDUCE_SCATTER;
    }

    WorkloadSimAiKind m_kind;
    uint32_t m_round;
    uint32_t m_channels;
    std::vector<uint32_t> m_left; //!< of the round, per member and channel
    std::vector<bool> m_on;       //!< per member
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_REDUCTIONS_H
