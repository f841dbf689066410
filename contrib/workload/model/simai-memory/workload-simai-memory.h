/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_MEMORY_H
#define WORKLOAD_SIMAI_MEMORY_H

#include "ns3/workload-repeater.h"
#include "ns3/workload-simai-collectives.h"
#include "ns3/workload-simai-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

struct WorkloadKnownStep;

/** \ingroup workload What a WorkloadSimAiMemory asks of the ranks, and does to them. */
class WorkloadSimAiRanks
{
  public:
    virtual ~WorkloadSimAiRanks() = default;

    /** \return time, ps */
    virtual int64_t Now() const = 0;

    /** \return when \p rank began to take part in \p operation, ps; negative if it has not */
    virtual int64_t BeganAt(uint32_t rank, uint32_t operation) const = 0;

    /** \return whether \p rank stands still until \p operation is over, and takes part in nothing
     * else */
    virtual bool WaitsFor(uint32_t rank, uint32_t operation) const = 0;

    /** \return up to when \p rank certainly takes part in nothing, ps */
    virtual int64_t IdleUntil(uint32_t rank) const = 0;

    /** \return time that passes at least from when a rank takes part in a collective until a flow
     * of it starts, ps */
    virtual int64_t GetLeastLatency() const = 0;

    /** Calls WorkloadSimAiMemory::Due(\p unit, \p what) in \p delayPs. */
    virtual void Schedule(int64_t delayPs, uint32_t unit, uint32_t what) = 0;

    /** End \p end of the collective in \p slot is done, without having been simulated. */
    virtual void Done(uint32_t slot, uint32_t end) = 0;

    /** A flow was delivered, and its sender knows, without having been simulated. @{ */
    virtual void Sent(uint32_t slot, uint32_t flow) = 0;
    virtual void Arrived(uint32_t slot, uint32_t flow) = 0;
    /** @} */

    /** The collective in \p slot is over, without having been simulated. */
    virtual void Over(uint32_t slot) = 0;
};

/**
 * \ingroup workload
 * \brief Remembers how collectives went, and lets equal ones go likewise without a transfer.
 *
 * What is remembered is a *unit*: collectives that share ports with each other and with nothing
 * else. It is decided about when the first flow of a unit is about to start. By then, all members
 * must take part and stand still. Then what follows depends on nothing but
 *
 * - kinds, sizes, algorithms and flows of the collectives;
 * - since when each member takes part, to the picosecond;
 * - the ports that each pair of members crosses: one way, without losses. Which ports are the
 *   same, and what each is, count; which number it has does not. So servers that are alike share
 *   what is known.
 *
 * That is the key. A unit that is not known is simulated and recorded; one that begins while an
 * equal one is recorded follows it. Nothing may come to the ports of a unit until it is over: all
 * other ranks that ever use them must be known to be idle for as long. Members that are done early
 * may begin something else, but not before its first flow could start (least latency): a unit whose
 * members end further apart is not remembered. Neither is one in which frames were lost or paused,
 * nor one that others have met after all.
 *
 * In a unit that is recorded, flows may all be over before others of it start: it goes by *steps*.
 * The steps of a ring are alike, but for the first one. So a step that is known is not simulated
 * either. Its key is the ports, sizes and starts of its flows, which wait for their latencies when
 * the first of them starts. One that a further flow joins is not remembered.
 *
 * Now and then a unit or step that is known is simulated all the same (audit). If its members are
 * done at other times than it was remembered, by 2 % of its length, it is not repeated any more.
 */
class WorkloadSimAiMemory
{
  public:
    /** All must outlive this. */
    WorkloadSimAiMemory(const WorkloadSimAiProgram& program,
                        const WorkloadSimAiGroups& groups,
                        WorkloadSimAiCollectives& collectives,
                        WorkloadRepeater& repeater,
                        WorkloadSimAiRanks& ranks);
    ~WorkloadSimAiMemory();

    /** A member takes part in the collective in \p slot. */
    void Joined(uint32_t slot);

    /** A flow of the collective in \p slot will start in \p delayPs. */
    void Waits(uint32_t slot, uint32_t flow, int64_t delayPs);

    /** It is about to start. \return whether it must not, for the
     * collective, or this step of it, goes as one did before */
    bool Repeats(uint32_t slot, uint32_t flow);

    /** \return whether fast-forward must leave the collective in \p slot alone: what it gets wrong
     * would be wrong each time */
    bool IsExact(uint32_t slot) const;

    /** What has happened to collectives that are simulated. @{ */
    void Delivered(uint32_t slot, uint32_t flow);
    void Ended(uint32_t slot, uint32_t flow);
    void Done(uint32_t slot, uint32_t end);
    void Over(uint32_t slot);
    /** @} */

    /** The run is over: transfers that ended before are recorded. */
    void Stop();

    /** What was scheduled is due. */
    void Due(uint32_t unit, uint32_t what);

  private:
    struct Footprint;
    struct Episode;
    struct Slot;
    struct Unit;
    using Key = std::vector<uint64_t>;

    static constexpr uint32_t NO_UNIT = UINT32_MAX;
    static constexpr uint32_t ALL_OVER = UINT32_MAX; //!< Due() is told: of the unit
    static constexpr uint32_t OF_STEP = 1U << 31;    //!< Due() is told: of a step

    void FindUsers();
    const Footprint& FootprintOf(uint32_t operation, uint32_t group);
    std::vector<uint32_t> OthersOf(const Unit& unit) const;
    bool Gather(uint32_t slot, Unit& unit);
    bool IsClosed(const Unit& unit) const;
    Key KeyOf(const Unit& unit) const;
    void Decide(uint32_t slot);
    uint32_t Take(Unit unit);
    void Record(uint32_t number, const Key& key);
    void BeginStep(Unit& unit, uint32_t number);
    void EndStep(const Unit& unit);
    void EmitStep(const Unit& unit);
    void StepMoves(Unit& unit, uint32_t slot, uint32_t flow, bool isEnd);
    void End(uint32_t unit);
    void Emit(const Unit& unit, int64_t until);
    void Finish(Unit& unit);
    void Compare(const Unit& unit);
    void Leave(uint32_t slot);

    const WorkloadSimAiProgram& m_program;
    const WorkloadSimAiGroups& m_groups;
    WorkloadSimAiCollectives& m_collectives;
    WorkloadRepeater& m_repeater;
    WorkloadSimAiRanks& m_ranks;
    bool m_isOn{true}; //!< collectives have few enough flows

    /** By flows, kind of group and group. */
    std::map<std::pair<const WorkloadSimAiFlowSet*, std::pair<WorkloadSimAiGroup, uint32_t>>,
             std::unique_ptr<Footprint>>
        m_footprints;
    std::map<std::vector<uint64_t>, uint64_t> m_shapes; //!< numbers of what is the same
    std::unordered_map<uint32_t, std::set<std::pair<WorkloadSimAiGroup, uint32_t>>>
        m_users;                                                   //!< groups, by port
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_slotsAt; //!< by port
    std::vector<Slot> m_slots;
    std::vector<Unit> m_units;
    std::vector<uint32_t> m_freeUnits;
    std::map<Key, std::shared_ptr<Episode>> m_episodes;
    std::map<Key, std::vector<std::shared_ptr<WorkloadKnownStep>>> m_steps;
    uint64_t m_waits{0}; //!< calls of Waits() so far
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_MEMORY_H
