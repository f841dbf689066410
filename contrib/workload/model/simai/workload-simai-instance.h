/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_INSTANCE_H
#define WORKLOAD_SIMAI_INSTANCE_H

#include "workload-simai-flows.h"
#include "workload-simai-reductions.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload A flow that has become ready. */
struct WorkloadSimAiReady
{
    uint32_t flow{0};
    bool reduces{false}; ///< whether SimAI charges a reduction before it
};

/**
 * \ingroup workload
 * \brief One collective of one group while it goes on: which flows may start, and which members are
 * done.
 *
 * A flow is ready when its source takes part, its parents have been received and the flow that it
 * follows has been sent. After a delay it starts, and posts receives. A message that comes before
 * its receive is posted is received when that is posted. A member is done when all its flows have
 * been sent and all flows to it received. NVSwitches always take part.
 */
class WorkloadSimAiInstance
{
  public:
    /** \param set must outlive the instance */
    WorkloadSimAiInstance(const WorkloadSimAiFlowSet& set,
                          const WorkloadSimAiReductions& reductions);

    /** A member takes part from now on. \param ready flows that are ready are appended, in order */
    void Begin(uint32_t member, std::vector<WorkloadSimAiReady>& ready);

    /** A flow that was ready starts, and posts the receives that it has to. */
    void Started(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

    /** A flow has left its source. \return whether its source is done by that */
    bool Sent(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

    /** All of a flow has come. \return whether its destination is done by that */
    bool Arrived(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

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

    /** \return flows that were never sent: what it was that goes as it did before */
    uint64_t CountWaiting() const
    {
        return static_cast<uint64_t>(std::count(m_states.begin(), m_states.end(), State::WAITING));
    }

    /** \return whether the flow is ready or has started, and has not come */
    bool IsUnderWay(uint32_t flow) const
    {
        return m_states[flow] == State::READY || m_states[flow] == State::STARTED;
    }

  private:
    enum class State : uint8_t
    {
        WAITING,
        READY,
        STARTED,
        ARRIVED
    };

    struct End
    {
        bool active{false};
        uint32_t sends{0};           //!< left
        uint32_t receives{0};        //!< left
        std::vector<uint32_t> early; //!< flows that have come before their receive was posted
    };

    bool IsPosted(uint32_t flow) const;

    /** Receives what has come to the end and is posted by now. */
    void ReceiveEarly(End& end, std::vector<WorkloadSimAiReady>& ready);

    void Receive(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

    /** One thing that the flow waits for has happened. */
    void Release(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

    void MakeReady(uint32_t flow, std::vector<WorkloadSimAiReady>& ready);

    const WorkloadSimAiFlowSet& m_set;
    WorkloadSimAiReductions m_reductions;
    std::vector<uint32_t> m_waits; //!< per flow: parents, and the flow before
    std::vector<State> m_states;   //!< per flow
    std::vector<End> m_ends;
    uint64_t m_left; //!< receipts
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_INSTANCE_H
