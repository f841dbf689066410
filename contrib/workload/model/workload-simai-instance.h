/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_INSTANCE_H
#define WORKLOAD_SIMAI_INSTANCE_H

#include "workload-simai-flows.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief One collective of one group while it goes on: which flows may start, and which members are
 * done.
 *
 * A flow may start when its source takes part, its parents have been received and the flow that it
 * follows has been sent. A member is done when all its flows have been sent and all flows to it
 * received. NVSwitches always take part.
 */
class WorkloadSimAiInstance
{
  public:
    /** \param set must outlive the instance */
    explicit WorkloadSimAiInstance(const WorkloadSimAiFlowSet& set);

    /** A member takes part from now on. \param ready flows that may start are appended, in order */
    void Begin(uint32_t member, std::vector<uint32_t>& ready);

    /** A flow has left its source. \return whether its source is done by that */
    bool Sent(uint32_t flow, std::vector<uint32_t>& ready);

    /** A flow has been received. \return whether its destination is done by that */
    bool Received(uint32_t flow, std::vector<uint32_t>& ready);

    /** \return whether nothing is left to happen */
    bool IsOver() const
    {
        return m_left == 0;
    }

    /** \return the flows */
    const WorkloadSimAiFlowSet& GetSet() const
    {
        return m_set;
    }

    /** \return whether the flow has started and has not been received */
    bool IsUnderWay(uint32_t flow) const
    {
        return m_states[flow] == State::STARTED;
    }

  private:
    enum class State : uint8_t
    {
        WAITING,
        STARTED,
        OVER
    };

    struct End
    {
        bool active{false};
        uint32_t sends{0};    //!< left
        uint32_t receives{0}; //!< left
    };

    /** One thing that the flow waits for has happened. */
    void Release(uint32_t flow, std::vector<uint32_t>& ready);

    void Start(uint32_t flow, std::vector<uint32_t>& ready);

    const WorkloadSimAiFlowSet& m_set;
    std::vector<uint32_t> m_waits; //!< per flow: parents, and the flow before
    std::vector<State> m_states;   //!< per flow
    std::vector<End> m_ends;
    uint64_t m_left; //!< receipts
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_INSTANCE_H
