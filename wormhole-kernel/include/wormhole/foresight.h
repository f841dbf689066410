/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FORESIGHT_H
#define WORMHOLE_FORESIGHT_H

#include "wormhole/simulator-types.h"
#include "wormhole/units.h"

#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** What flows of a partition come to, as the simulator foresees it (Foreseer::Foresee). */
struct Foresight
{
    Duration span{0};           //!< for so long; positive
    std::vector<Bytes> bytes;   //!< that each flow delivers meanwhile
    bool completes{false};      //!< a flow delivers its last byte at the end of it
    bool goesOn{false};         //!< it could be longer
    std::shared_ptr<void> what; //!< the simulator's own
};

/** The members of a Simulator that look ahead. One that cannot leaves them as they are here. */
class Foreseer
{
  public:
    virtual ~Foreseer() = default;

    /**
     * Looks ahead without packets, in detail: controls, queues, what is drawn. Single flows may
     * come out otherwise than with packets, as by another seed.
     * \param members running
     * \param atMost for so long
     * \param draws whether what is drawn may be; else up to before that
     * \return what they come to, if nothing happens to them: up to when a flow ends, or what comes
     * is only known with packets; nullopt if that is so from the start. Nothing changes
     */
    virtual std::optional<Foresight> Foresee(const Members& members, Duration atMost, bool draws)
    {
        (void)members;
        (void)atMost;
        (void)draws;
        return std::nullopt;
    }

    /** \p foresight, which could be longer, is, to \p atMost from its start. */
    virtual void Prolong(Foresight& foresight, Duration atMost)
    {
        (void)foresight;
        (void)atMost;
    }

    /**
     * \p members, paused when \p foresight was made, have come to what it says, as far as they
     * would come in \p elapsed. They stay paused, with packets as of now; but if it \p ends with
     * flows that deliver their last byte, these are evicted.
     * \return bytes that each flow has delivered, and been credited
     */
    virtual std::vector<Bytes> Realise(const Members& members,
                                       Foresight& foresight,
                                       Duration elapsed,
                                       bool ends)
    {
        (void)foresight;
        (void)elapsed;
        (void)ends;
        return std::vector<Bytes>(members.flows.size());
    }
};

} // namespace wormhole

#endif // WORMHOLE_FORESIGHT_H
