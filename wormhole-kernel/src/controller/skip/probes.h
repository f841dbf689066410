/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PROBES_H
#define WORMHOLE_PROBES_H

#include "tracking/partition-table.h"
#include "tracking/recorder.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/** What packets did while a partition was looked at. */
struct SharedLook
{
    Time from;                              //!< when it began
    std::shared_ptr<const Episode> episode; //!< what has happened since
    std::vector<PartitionId> waiting;       //!< who were where it was then
};

/**
 * Partitions that came from the same episode and are skipped alike: one of them looks for all
 * whether rates hold. Those whose stretches ended together are still alike, and take over what its
 * packets did: otherwise its flows would end at other times than theirs.
 */
class Probes
{
  public:
    Probes(const ControllerContext& context, PartitionTable& table, const Recorder& recorder);

    /** \return until when \p record, at the end of a stretch, may leave it to another one to look
     * whether its rates hold; nullopt if it must look itself: it is then the probe for others that
     * came from the same episode, no earlier */
    std::optional<Time> NextLook(const PartitionRecord& record);

    /** \p record begins to look. */
    void Begin(const PartitionRecord& record);

    /** \p record has looked, and its packets still run. \return what it saw if others wait for it,
     * and can go on from it */
    std::optional<SharedLook> End(const PartitionRecord& record);

    /** \return whether both came from the same episode, or seemed steady together */
    static bool AreOfOneSource(const PartitionRecord& record, const PartitionRecord& probe);

    /** \return for each flow of \p record its counterpart in \p probe, with which it was skipped;
     * empty: it is not known */
    static std::vector<std::uint32_t> Counterparts(const PartitionRecord& record,
                                                   const PartitionRecord& probe);

    /** All partitions are gone. */
    void Forget();

  private:
    struct Probe
    {
        PartitionId partition;
        std::unique_ptr<Recording> recording; //!< of its look
        std::vector<PartitionId> waiting;     //!< as in SharedLook
    };

    /** \return who looks for all that are like \p record, if that is \p record itself */
    Probe* Find(const PartitionRecord& record);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    const Recorder& m_recorder;
    std::unordered_map<Signature, Probe>
        m_probes; //!< by signature of the key of their episodes: who looks for all
};

} // namespace wormhole

#endif // WORMHOLE_PROBES_H
