/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PACED_CONTROL_H
#define RDMA_PACED_CONTROL_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/**
 * \ingroup rdma
 * \brief The course of a control that paces its sender, and that nothing but its timers and
 * congestion notifications moves, apart from packets (RdmaFluid). Times are ns of the simulation,
 * and never go back.
 */
class RdmaPacedCourse
{
  public:
    virtual ~RdmaPacedCourse() = default;

    /** \return the same, to go on by itself */
    virtual std::unique_ptr<RdmaPacedCourse> Copy() const = 0;

    /** A notification comes at \p ns. */
    virtual void Notify(int64_t ns) = 0;

    /** Timers up to \p ns, that one included, fire. */
    virtual void Advance(int64_t ns) = 0;

    /** \return bit/s on the wire */
    virtual uint64_t GetRate() const = 0;

    /** \return whether a notification has ever come */
    virtual bool IsNotified() const = 0;

    /** \return whether notifications move the rate by small steps now, as in a steady state */
    virtual bool IsCalm() const = 0;

    /** \return the least time between two steps of the rate, ns; positive */
    virtual int64_t GetStepNs() const = 0;

    /** As RdmaCongestionControl::SaveState, of this course. */
    virtual void Save(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const = 0;
};

/** \ingroup rdma A congestion control derives from it, too, if it has such a course. */
class RdmaPaced
{
  public:
    virtual ~RdmaPaced() = default;

    /** \return its course from now on, as long as the control lives; null if this class, or one
     * derived from it, does more */
    virtual std::unique_ptr<RdmaPacedCourse> GetCourse(const RdmaQueuePair& qp) const = 0;

    /** \return whether timers have raised the rate for \p ns now, with nothing to cut it, and will
     * go on to */
    virtual bool HasRisenFor(const RdmaQueuePair& qp, int64_t ns) const = 0;
};

} // namespace ns3

#endif // RDMA_PACED_CONTROL_H
