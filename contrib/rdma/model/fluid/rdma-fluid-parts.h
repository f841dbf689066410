/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLUID_PARTS_H
#define RDMA_FLUID_PARTS_H

#include "rdma-fluid.h"

#include "ns3/rdma-timing.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

// What a fluid is made of: for the files of RdmaFluid alone.

namespace ns3
{

constexpr double RDMA_FLUID_BITS = 8e9; //!< of a byte each ns, in a second

/** \return how fast frames of \p bytes follow each other at \p rate, bit/s, by a clock that may
 * count whole nanoseconds; bytes/ns */
double GetRdmaFluidRate(const RdmaClock& clock, uint64_t rate, uint32_t bytes);

/** \return how long a frame is on the link of \p port, ns */
double GetRdmaFluidDelay(const RdmaPort& port);

/** Where a flow's data, or its acknowledgements, wait for a port. */
struct RdmaFluid::Place
{
    uint32_t queue;
    uint32_t flow;
    uint32_t hop;
    bool data;
    bool last;                 //!< of its way, as far as that is looked at
    bool follows{false};       //!< it has its turn after the place before it on its way
    uint32_t lag{0};           //!< whole steps that the link from that place takes, ...
    double rest{0};            //!< ... and the part of a step beyond these
    double delay;              //!< of the link that follows, ns
    double bytes{0};           //!< that wait
    double coming{0};          //!< that come in this step
    double next{0};            //!< that come in the next one
    std::vector<double> later; //!< that come in others, in turn, if there is a lag
    double passed{0};          //!< that have left so far, of the whole flow
    uint64_t key{0};           //!< of draws for its frames
};

/** A flow. */
struct RdmaFluid::Lane
{
    const RdmaQueuePair* qp{nullptr};
    std::unique_ptr<RdmaPacedCourse> course;
    double unsent{0};
    double pace{0};    //!< bytes/ns that its control allows now
    double allowed{0}; //!< bytes that its control allows in this step
    double ackShare{0};
    uint32_t frame{0}; //!< bytes
    double left{0};    //!< bytes that have left it
    double back{0};    //!< how long a notification is under way, ns
    double endsAt{-1}; //!< ns; negative: not yet
    int64_t cnpInterval{0};
    double lastCnp{0};                //!< ns; when its receiver sent one
    uint32_t first{0};                //!< place of its data
    uint32_t firstAck{0};             //!< place of its acknowledgements
    uint32_t ackPlaces{0};            //!< 0: they are not looked at
    std::deque<double> marks;         //!< under way on frames: when they come to the receiver, ns
    std::deque<double> notifications; //!< under way: when they come, ns

    Lane() = default;
    Lane(Lane&&) = default;
    Lane& operator=(Lane&&) = default;

    Lane(const Lane& other)
        : qp(other.qp),
          course(other.course->Copy()),
          unsent(other.unsent),
          pace(other.pace),
          allowed(other.allowed),
          ackShare(other.ackShare),
          frame(other.frame),
          left(other.left),
          back(other.back),
          endsAt(other.endsAt),
          cnpInterval(other.cnpInterval),
          lastCnp(other.lastCnp),
          first(other.first),
          firstAck(other.firstAck),
          ackPlaces(other.ackPlaces),
          marks(other.marks),
          notifications(other.notifications)
    {
    }
};

/** A port. */
struct RdmaFluid::Queue
{
    uint32_t port{0};
    double load{0};  //!< bytes/ns of others
    double rate{0};  //!< bytes/ns that is left to its flows
    double limit{0}; //!< bytes
    bool nic{false}; //!< data wait at their senders
    double kmin{0};
    double kmax{0};
    double pmax{0};
    double bytes{0};  //!< that wait
    uint32_t turn{0}; //!< ports that data have crossed before, at most
    std::vector<uint32_t> places;
};

} // namespace ns3

#endif // RDMA_FLUID_PARTS_H
