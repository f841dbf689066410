/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLUID_H
#define RDMA_FLUID_H

#include "ns3/rdma-paced-control.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RdmaPort;
class RdmaQueuePair;

/** \ingroup rdma A flow as RdmaFluid takes it over. Bytes are on the wire, headers included. */
struct RdmaFluidFlow
{
    const RdmaQueuePair* qp{nullptr};
    std::unique_ptr<RdmaPacedCourse> course;
    std::vector<double> before; //!< bytes that have yet to leave each port of its data's route, and
                                //!< have left the one before
    std::vector<double> flying; //!< of these, bytes on the link that leads to each port
    double unsent{0};           //!< bytes that its sender has not begun to send
    double ackShare{0};         //!< bytes of acknowledgements for each byte of data; 0: they are
                                //!< not to be looked at
    int64_t cnpIntervalNs{0};   //!< between notifications at least
    int64_t sinceCnpNs{-1};     //!< since the receiver sent one; negative: it has not
    uint64_t frames{0};         //!< of data that have left its sender so far
};

/**
 * \ingroup rdma
 * \brief Flows whose senders are paced (RdmaPaced) carried on without packets.
 *
 * What flows send is a fluid that runs through the queues of its ports in small steps of time. Each
 * step, each sender adds what its control allows, and each port takes what its rate lets it from
 * what is there, of each flow as much as its part of the queue. Where a switch's queue is long
 * enough to mark frames, each frame is drawn, by the draw that it has as a packet (RdmaUniform),
 * and its sender's control learns of a mark when its notification would come. Rates and queues are
 * taken to move evenly within a step. Of the control
 * nothing is simplified.
 *
 * It says what packets say, but for the order of single frames: in queues of many frames, with
 * rates that controls set, this does not matter. Not for controls that windows or acknowledgements
 * move, for losses, nor for pauses.
 */
class RdmaFluid
{
  public:
    /** Why it has stopped. */
    enum class Stop
    {
        TIME,      //!< it has come to the time that was given
        COMPLETED, //!< a flow has delivered its last byte
        UNREST     //!< what comes is not for a fluid: a control is not calm, is notified for the
                   //!< first time, or a queue is too long
    };

    /** \param nowNs the time, ns
     *  \param seed of the draws
     *  \param draws whether marks are drawn; else it stops before any could be */
    RdmaFluid(int64_t nowNs, uint64_t seed, bool draws);
    ~RdmaFluid();

    RdmaFluid(const RdmaFluid& other);
    RdmaFluid(RdmaFluid&&) noexcept;
    RdmaFluid& operator=(RdmaFluid&&) noexcept;
    RdmaFluid& operator=(const RdmaFluid&) = delete;

    /**
     * Before Run and any flow.
     * \param port that the data of flows cross
     * \param load of other frames there, bit/s
     * \param limit of its queue, bytes: what is longer is not for a fluid
     */
    void AddPort(const RdmaPort& port, double load, double limit);

    /** Before Run, after all ports of its data. Its acknowledgements are looked at where they cross
     * such ports. */
    void AddFlow(RdmaFluidFlow flow);

    /** Before Run and after all flows: a frame of flow number \p flow, as added, is marked and on
     * its way. \param hop port of its data's route at which it waits, or that it has left
     * \param before bytes that go there before it; 0 if it has left */
    void AddMark(size_t flow, size_t hop, double before);

    /**
     * Goes on.
     * \param untilNs to this time at most, ns
     * \return why it has not gone on. O(time * flows * ports on the way of each)
     */
    Stop Run(int64_t untilNs);

    /** \return how far Run comes with \p work: steps of time, times ports on the way of each flow;
     * ns, positive. 1e6 take some 10 ms */
    int64_t GetNsFor(uint64_t work) const;

    int64_t GetNowNs() const;

    /** \return when the first flow that has ended did so, ns, or else the time: steps go a little
     * beyond that */
    int64_t GetEndNs() const;

    /** \return bytes of flow number \p flow, as added, that have left the last port of its way */
    double GetLeft(size_t flow) const;

    /** \return whether all of it has, and has come to its receiver */
    bool IsComplete(size_t flow) const;

    /** \return as RdmaFluidFlow::before, of now */
    std::vector<double> GetBefore(size_t flow) const;

    /** \return ns until a frame comes to its receiver, as AddMark */
    double GetWay(size_t flow, size_t hop, double before) const;

    /** \return ns until each mark on its way comes to its receiver, in order */
    std::vector<double> GetMarks(size_t flow) const;

    /** \return its control */
    const RdmaPacedCourse& GetCourse(size_t flow) const;

    /** \return for how long its receiver has not sent a notification, ns; negative: never */
    int64_t GetSinceCnpNs(size_t flow) const;

  private:
    struct Place;
    struct Lane;
    struct Queue;

    void AddPlaces(const std::vector<RdmaPort*>& route, size_t flow, bool data);
    double DelayFrom(const std::vector<RdmaPort*>& route, size_t hop) const;
    void SettleEnd(size_t flow);
    bool Send(Lane& lane, double ns);
    void Pass(uint32_t i, double passing, double ns);
    bool Serve(Queue& queue, double ns);
    static double MarksOf(const Queue& queue, double bytes);
    double Sending(const Queue& queue, double room) const;
    void Mark(const Place& place, double passing, double before, double ns);
    void Receive(Lane& lane, double end) const;
    void TakeTurns();
    void Come(Place& place, double bytes);

    int64_t m_now; //!< ns
    uint64_t m_seed;
    bool m_draws;
    uint64_t m_steps{0};           //!< that it has gone
    int64_t m_step{0};             //!< ns; 0: before the first flow
    std::vector<Queue> m_queues;   //!< in the order in which ports were added
    std::vector<uint32_t> m_turns; //!< queues, in the order in which they go on
    std::unordered_map<const RdmaPort*, uint32_t> m_queueOf;
    std::vector<Place> m_places; //!< one after the other on the way of data, or acknowledgements
    std::vector<Lane> m_lanes;   //!< by flow
};

} // namespace ns3

#endif // RDMA_FLUID_H
