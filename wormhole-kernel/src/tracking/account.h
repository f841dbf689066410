/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ACCOUNT_H
#define WORMHOLE_ACCOUNT_H

#include "tracking/controller-context.h"
#include "tracking/work-budget.h"

#include <cstddef>
#include <optional>

namespace wormhole
{

/**
 * \brief What the Controller saves and what it costs, and so what it may do.
 *
 * Where packets are in chaos, as with short messages that share links, leaving out a few of them
 * changes all that follows, although it saves next to nothing. So nothing is left out before a
 * share of all events could have been, by what is known to have been missed. That is known without
 * a risk: partitions go on in packets, which show whether they are left alone for that long.
 */
class Account
{
  public:
    explicit Account(const ControllerContext& context);

    /** \return whether so much could have been saved so far, with \p gain (events), that it is
     * worth its error (ControllerOptions::minSaving) */
    bool PaysOff(double gain) const;

    /** \return whether what could have been saved so far, \p gain (events) and all that flows under
     * way stand for are together more than a trifle, however little was run so far; true where that
     * is all the same */
    bool IsAnything(double gain) const;

    /** \return whether it is less than half as much: what paid off once does not any more, by
     * more than comes and goes with a single episode */
    bool SavesLittle() const;

    /** \return whether errors are worth it by what could be saved so far, although what begins may
     * be other than what was: by as large a share of all that flows under way stand for, too */
    bool PaysOffForNew() const;

    /** Flows have come that stand for \p events; negative: they have gone. */
    void Await(double events)
    {
        m_awaited += events;
    }

    /** \p events could have been saved and were not. */
    void Miss(double events);

    void Spend(double work)
    {
        m_budget.Spend(work);
    }

    /** Flows are worth being watched that are still to cause \p events: the share of these that may
     * be spent may be spent in advance, once more. */
    void Expect(double events)
    {
        m_budget.Grant(m_context.options.overhead * events);
    }

    /** \return work done so far, in events' worth */
    double Spent() const
    {
        return m_budget.Spent();
    }

    /** \return whether \p work, in events' worth, is within the bounds of
     * ControllerOptions::overhead; it is spent then */
    bool Affords(double work);

    /** \return whether all that may be spent is, and more by \p debt */
    bool IsSpent(double debt = 0);

    /** Saves up for \p work, which is not spent. \return whether there is enough for it */
    bool SavesUpFor(double work);

    /** \return whether there is enough for \p work, by what SavesUpFor has seen */
    bool HasSaved(double work) const
    {
        return m_budget.Affords(work);
    }

    /** \return events that must still be run until there is enough for \p work */
    double EventsUntil(double work) const
    {
        return m_budget.EventsUntil(work);
    }

    /** There are \p flows flows now, one of which has just started and stands for \p events, if
     * that is known: as many can be watched once, however large the network is, if they are long;
     * and of their own events the share may be spent in advance, of many three times. */
    void SawFlow(std::size_t flows, std::optional<double> events);

    /** \return what may be spent in advance where many flows start at one time; nothing before one
     * of them was long enough to save anything */
    double LargestDebt() const;

    /** \return what it costs to get to know \p flows flows, and to watch them for as long as it
     * takes to find them steady */
    double WatchingWork(std::size_t flows) const;

    /** \return events of a flow that pay, as packets, for half of what it costs to watch it */
    double LeastOfLong() const;

  private:
    /** \return whether \p gain (events) and what could have been saved so far are at least \p share
     * of what was run while watched */
    bool IsShare(double gain, double share) const;
    /** \return events that were or could have been saved so far */
    double Saved() const;
    /** What was run, skipped and replayed so far may be spent from.
     *  \param wanted what is saved up for */
    void Earn(double wanted);
    double WorkPerFlow() const;

    const ControllerContext& m_context;
    WorkBudget m_budget;
    double m_awaited{0};       //!< that the flows there now stand for
    std::size_t m_maxFlows{0}; //!< that were there at one time
    double m_ungranted{0};     //!< for them, before one of them was long
    double m_advance{0};       //!< the same, by the events that they stand for
    bool m_sawLong{false};     //!< a flow that stands for enough events to be worth its work
};

} // namespace wormhole

#endif // WORMHOLE_ACCOUNT_H
