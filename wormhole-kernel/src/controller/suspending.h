/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SUSPENDING_H
#define WORMHOLE_SUSPENDING_H

#include "tracking/partition-table.h"

#include <optional>
#include <vector>

namespace wormhole
{

class Following;
class Settling;
class Skipping;

/**
 * \brief How the Controller suspends its work when that costs too much.
 *
 * While it is suspended the simulator runs as without a controller. What its events earn is saved
 * up until it pays for getting to know the flows that are there then, and for watching them for as
 * long as it takes to find them steady. So what the controller costs stays within bounds, and a
 * phase in which all is steady is found after a share of it, however chaotic the beginning was.
 *
 * Many short flows must not keep long ones that they never meet in packets. So where it pays for
 * long flows alone, short ones elsewhere are passed over from then on, until no flow is known or it
 * is suspended again.
 */
class Suspending
{
  public:
    Suspending(const ControllerContext& context,
               PartitionTable& table,
               Account& account,
               Settling& settling,
               Skipping& skipping,
               Following& following);

    bool IsSuspended() const
    {
        return m_suspension.has_value();
    }

    /** \return when to look next; nullopt: not before a flow starts. Only while suspended */
    std::optional<Time> NextLook() const
    {
        return m_suspension->look;
    }

    /** Forgets all partitions, until it can be afforded to know of them. */
    void Suspend();

    /** Looks whether that has been for long enough, and goes on if so. */
    void Look();

    /** A flow starts. */
    void FlowStarted();

    /** \return as Controller::LeastEvents */
    double LeastEvents() const
    {
        return m_table.FlowCount() > 0 ? m_least : 0;
    }

    /** Where no flow is known there is none beside which others are to be passed over. */
    void MayKnowAll()
    {
        m_least = LeastEvents();
    }

    /** Brings ControllerStatistics::eventsSuspended up to date. */
    void Count();

  private:
    /** Since when, and what for. */
    struct Suspension
    {
        Time since;
        std::uint64_t events;     //!< run until then
        std::uint64_t seen;       //!< run until the last look
        std::uint64_t counted;    //!< run until #Count was called
        std::uint64_t countFrom;  //!< run when flows may be gone through again
        double wanted;            //!< that going on costs, as far as is known
        double target;            //!< events run in all when it will be affordable
        std::optional<Time> look; //!< whether that is affordable; nullopt: nobody is there
    };

    /** Sets the time of the next look.
     *  \param run events so far, in all */
    void Await(std::uint64_t run);
    bool MayGoOn(std::uint64_t run);
    void GoOn(std::vector<FlowPath> flows);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    Account& m_account;
    Settling& m_settling;
    Skipping& m_skipping;
    Following& m_following;
    std::optional<Suspension> m_suspension;
    double m_least{0}; //!< events of flows that are known, at least
};

} // namespace wormhole

#endif // WORMHOLE_SUSPENDING_H
