/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_AUDITING_H
#define WORMHOLE_AUDITING_H

#include "tracking/partition-table.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormhole
{

class Settling;

/** What was left out of a partition. */
struct LeftOut
{
    Time from;                //!< when its packets stopped
    double events;            //!< that it stands for
    std::vector<Bytes> bytes; //!< that each flow is said to have delivered since, ascending
    double single{1};         //!< what a difference of one flow counts; less than 1: draws decide
                              //!< which flow gets how much, so their sum counts in full
};

/**
 * \brief Simulates a share of what is left out, aside, and compares (self-audit).
 *
 * A partition touches nobody else while it is left out, so its packets can catch up at the end of
 * a replay or skip as they do when one is disturbed. That is done in a copy of the simulation, so
 * nothing else depends on it. What was to be credited is compared with what was delivered there:
 * the error is the sum of the differences, relative to the sum of what was to be credited. A flow
 * that has completed sooner counts as having gone on at its rate; what differs by less than a
 * quarter of its tail (Simulator::TailOf) does not count.
 *
 * Which are drawn depends on what was drawn before alone, so it is the same in each run. All audits
 * together simulate no more than a part of what was saved, and of what was run, besides a small
 * amount that is free (ControllerOptions::audit). An episode that has not been audited so far goes
 * before one that has.
 *
 * What has an error of more than ControllerOptions::auditBound is simulated after all, and an
 * episode is thrown out: it is not replayed again. After the second one of as many flows and ports,
 * none of these is. What is foreseen (Foreseeing) of as many flows and ports is not believed again,
 * if it has been refuted once.
 */
class Auditing
{
  public:
    /** An episode: its key, and how it ends. */
    using Subject = std::pair<Signature, EpisodeEnd>;

    Auditing(const ControllerContext& context, PartitionTable& table, Settling& settling);

    /** \return whether a replay of \p subject that stands for \p events is to be audited */
    bool DrawReplay(const Subject& subject, double events);

    /** \return whether a skip that stands for \p events is to be audited */
    bool DrawSkip(double events);

    /** \param subject what \p what comes from, if it does: if packets contradict, it is not to be
     *                replayed again
     *  \return whether packets of \p record do not do \p what */
    bool Refutes(PartitionRecord& record,
                 const LeftOut& what,
                 const std::optional<Subject>& subject);

    /** \return whether \p subject may be replayed for \p record */
    bool Trusts(const Subject& subject, const PartitionRecord& record) const;

    /** What was foreseen of \p record is refuted. */
    void ThrowOutForeseen(const PartitionRecord& record);

    /** \return whether what is foreseen of \p record may take the place of its packets */
    bool TrustsForeseen(const PartitionRecord& record) const;

    /** \p flow has delivered its last byte at \p at. */
    void FlowEnded(FlowId flow, Time at);

  private:
    /** What is known of an episode. */
    struct Known
    {
        bool audited{false};
        bool thrownOut{false};
    };

    using Shape = std::pair<std::size_t, std::size_t>; // flows, ports

    static Shape ShapeOf(const PartitionRecord& record);
    bool Affords(double events) const;
    bool Draw(double probability);

    /** Lets the packets of \p record catch up. \return by how many bytes \p what is wrong */
    double Compare(PartitionRecord& record, const LeftOut& what);
    void ThrowOut(const Subject& subject, const PartitionRecord& record);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Settling& m_settling;
    std::map<Subject, Known> m_records;
    std::map<Shape, std::uint32_t> m_thrownOut; //!< episodes
    std::set<Shape> m_notForeseen;
    std::uint64_t m_draws{0};
    std::optional<std::unordered_map<FlowId, Time>> m_ends; //!< of flows, in an audit
};

} // namespace wormhole

#endif // WORMHOLE_AUDITING_H
