/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_WORK_BUDGET_H
#define WORMHOLE_WORK_BUDGET_H

namespace wormhole
{

/**
 * \brief What the Controller may cost, and has cost.
 *
 * All in *events' worth*: the processor time that the simulator needs for one event, which for a
 * network is a packet crossing a link. A share of all events that were run, skipped or replayed may
 * be spent. What was not spent is kept, but not without bound: however much was skipped once, a
 * later phase in which nothing repeats does not cost much more than its share.
 */
class WorkBudget
{
  public:
    /** \param share what may be spent per event; 0 or more; infinity: there is no bound
     *  \param free what may be spent at the beginning, in events' worth; 0 or more */
    WorkBudget(double share, double free);

    /** \param events run, skipped or replayed so far
     *  \param wanted for which is saved up, however much it is */
    void Earn(double events, double wanted = 0);

    /** What is still to be earned may be spent now, once more. */
    void Advance(double work)
    {
        m_balance += work;
    }

    /** More is free. */
    void Grant(double work)
    {
        m_max += MAX_KEPT * work;
        Advance(work);
    }

    void Spend(double work)
    {
        m_balance -= work;
        m_spent += work;
    }

    /** \return so far, in all */
    double Spent() const
    {
        return m_spent;
    }

    bool Affords(double work) const
    {
        return m_balance >= work;
    }

    /** \return events that must still be run until it affords \p work; infinity if nothing is
     * earned by them */
    double EventsUntil(double work) const;

  private:
    /** What is kept at most, in what is free. */
    static constexpr double MAX_KEPT = 50;

    double m_share;
    double m_max; //!< that is kept
    double m_balance;
    double m_events{0};
    double m_spent{0};
};

/** \name What the Controller's work costs, in events' worth
 *
 * Roughly, as measured under ns-3, where an event takes some 200 ns.
 * @{ */

constexpr double START_WORK = 10;   //!< a flow is registered and gets a record, ...
constexpr double END_WORK = 6;      //!< ... or goes
constexpr double SEARCH_WORK = 0.2; //!< a flow or port that PartitionMap looks at when one ends
constexpr double MEMBER_WORK = 0.5; //!< a flow or port that is listed as a member
constexpr double KEY_WORK = 12;     //!< a flow as part of keys, and of what they are compared with
constexpr double RECORDING_WORK = 60; //!< a flow of an episode, with its packet state
constexpr double SAMPLE_WORK = 2.5;   //!< a flow is sampled and judged
constexpr double LEAP_WORK = 8;       //!< a flow is paused, credited and resumed or completed
constexpr double ALARM_WORK = 2;      //!< of any kind

/** @} */

} // namespace wormhole

#endif // WORMHOLE_WORK_BUDGET_H
