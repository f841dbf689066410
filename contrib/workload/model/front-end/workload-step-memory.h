/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_STEP_MEMORY_H
#define WORKLOAD_STEP_MEMORY_H

#include "ns3/workload-repeater.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

struct WorkloadKnownStep;

/**
 * \ingroup workload
 * \brief Remembers how messages of a front end went, and lets equal ones go likewise without a
 * transfer.
 *
 * What is remembered is a *step*: all messages that wait for their latencies when the first of them
 * is about to start in a network at rest. That these alone are under way until the step is over
 * follows from the least latency between a cause and the start of its message:
 *
 * - the first to be delivered and the last to be acknowledged are less than that apart, so that no
 *   message of a step causes another one that would meet it;
 * - no timer of the front end is due earlier than that before the end.
 *
 * A step goes as one did before that had the same pairs of hosts and sizes, and whose messages
 * started at the same times relative to its first, within 0.05 % of its length. It is not
 * remembered if a pair of hosts has more than one way, or a link of it loses frames; if a frame was
 * lost or paused; or if a further message met it. Known ones are audited as WorkloadRepeater says.
 */
class WorkloadStepMemory
{
  public:
    /** What is done to the front end. */
    struct Calls
    {
        std::function<int64_t()> now;                                 ///< time, ps
        std::function<void(int64_t, std::function<void()>)> schedule; ///< in so many ps
        std::function<void(uint32_t)> delivered;    ///< a message was, without a transfer
        std::function<void(uint32_t)> acknowledged; ///< the same
    };

    /**
     * \param repeater says where messages go; outlives this
     * \param latencyPs that passes at least between what causes a message and its start
     * \param calls to the front end
     */
    WorkloadStepMemory(WorkloadRepeater& repeater, int64_t latencyPs, Calls calls);
    ~WorkloadStepMemory();

    /** A message will start. \param message its number \param delayPs from now */
    void Waits(uint32_t message, const WorkloadTransfer& transfer, int64_t delayPs);

    /** The front end may do something in \p delayPs. */
    void WillAct(int64_t delayPs);

    /** The message is about to start. \return whether it must not, as it goes as one did before */
    bool Repeats(uint32_t message);

    /** \return whether fast-forward must leave the messages of this step alone: what it gets wrong
     * would be wrong each time */
    bool IsExact() const
    {
        return m_isExact;
    }

    /** What happened to a message that was transferred. @{ */
    void Delivered(uint32_t message);
    void Acknowledged(uint32_t message);
    /** @} */

    /** The run is over: messages that ended before are recorded. */
    void Stop();

  private:
    /** A message that waits, or one of the step. */
    struct Message
    {
        uint32_t number{0};
        WorkloadTransfer transfer;
        int64_t startPs{0};
    };

    using Key = std::vector<uint64_t>;

    void Begin();
    void Repeat(const std::shared_ptr<WorkloadKnownStep>& known);
    void Happen(uint32_t from, uint32_t to);
    bool IsQuietUntil(int64_t timePs);
    bool IsSure(const WorkloadTransfer& transfer);
    void Happens(uint32_t message, bool isEnd);
    void End();
    void Emit();

    WorkloadRepeater& m_repeater;
    int64_t m_latencyPs;
    Calls m_calls;
    std::unordered_map<uint32_t, Message> m_waiting;                           //!< by number
    std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> m_acts; //!< times, ps
    std::map<Key, std::vector<std::shared_ptr<WorkloadKnownStep>>> m_steps;
    std::map<std::pair<uint32_t, uint32_t>, bool> m_sure; //!< pairs of hosts
    uint64_t m_kept{0};                                   //!< messages of all steps that are known

    // the step that is under way
    std::vector<Message> m_messages;
    std::unordered_map<uint32_t, uint32_t> m_places; //!< in m_messages, by number
    std::shared_ptr<WorkloadKnownStep> m_step;
    std::shared_ptr<WorkloadKnownStep>
        m_audited;          //!< what it should be; null unless this is an audit
    int64_t m_since{0};     //!< ps
    size_t m_left{0};       //!< messages of it that are not over
    size_t m_underWay{0};   //!< messages that have started and are not over
    uint64_t m_troubles{0}; //!< when it began
    bool m_isRepeated{false};
    bool m_isExact{false};
};

} // namespace ns3

#endif // WORKLOAD_STEP_MEMORY_H
