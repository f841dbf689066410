/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_PASSING_H
#define RDMA_PORT_PASSING_H

#include "ns3/rdma-port.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * What passes at a port besides the frames that are simulated hop by hop (RdmaPort::Forward,
 * ForwardPfc, ChangeBackground, PassUnseen). Few ports have any.
 *
 * An acknowledgement that has waited behind a frame at one port comes right behind it to the next.
 * So where both are simulated, what passes at the second one comes as it left the first one. Ports
 * find out when they have something to do, and ask the ones before first.
 */
struct RdmaPort::Passing
{
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /** A frame that ForwardPfc lets pass. */
    struct PfcArrival final : public RdmaEvent
    {
        void Fire() override
        {
            to->ReceivePfc(std::exchange(frame, nullptr));
        }

        RdmaPort* to{nullptr};
        RdmaFrame* frame{nullptr}; //!< null: it has arrived
    };

    /** A frame that passes, see Forward; or, of no flow, one in the background (Come). */
    struct Coming
    {
        int64_t time;  //!< time steps
        int64_t start; //!< when it starts, by what was known when it was let pass
        uint32_t bytes;
        uint32_t serial{0}; //!< its number in the flow
        const RdmaQueuePair* qp{nullptr};
        RdmaPort* before{nullptr}; //!< null: it starts here, or has been seen to leave there
        RdmaPort* next{nullptr};   //!< null: it ends there
    };

    /** A part of the background that goes on to one port. */
    struct Onward
    {
        RdmaPort* next;
        int64_t rate; //!< bit/s
        double due;   //!< frames, less than 1
    };

    /** \return what has passed in the background by \p now, since meanSince; bit/s times time
     * steps */
    double GetPassed(int64_t now) const;

    /** Puts \p frame among those to come. */
    void Insert(const Coming& frame);

    /** \p frame comes \p delay time steps later, if it has not yet. */
    void Delay(const Coming& frame, int64_t delay);

    /** Forgets frames that have passed. */
    void ForgetPassed();

    /** \return bit/s that pass in the background at even intervals */
    int64_t GetOwn() const
    {
        return std::max<int64_t>(late ? background : background - carried, 0);
    }

    /** Passes \p frames in the background on. \param pass is told which port gets how many */
    template <typename F>
    void GoOn(int64_t frames, F&& pass)
    {
        for (size_t i = 0; carries && i < onward.size(); ++i)
        {
            Onward& part = onward[i];
            part.due += static_cast<double>(frames) * static_cast<double>(part.rate) /
                        static_cast<double>(std::max(background, part.rate));
            if (part.due >= 1)
            {
                const auto whole = static_cast<int64_t>(part.due);
                part.due -= static_cast<double>(whole);
                pass(*part.next, whole);
            }
        }
    }

    /** \return when the next frame passes, time steps; NEVER if none will */
    int64_t NextPass() const;

    uint64_t assumedQueue{0};      //!< besides what is queued, bytes
    std::vector<Coming> coming;    //!< that Forward let pass, by time; empty if all have passed
    uint32_t comingFirst{0};       //!< of these, the first one that has not
    uint32_t backgroundFrame{0};   //!< size of each frame in the background, bytes
    int64_t background{0};         //!< bit/s of acknowledgements that are not simulated
    int64_t carried{0};            //!< of these, what comes as it left another port; bit/s
    int64_t backgroundInterval{1}; //!< between two of the others, time steps
    int64_t passedUntil{0};        //!< when the last of those came; time steps
    std::vector<Onward> onward;    //!< of the background, by port
    std::vector<RdmaPort*> from;   //!< each port whose onward this one is
    int64_t askedAt{0};            //!< when these had passed all that had come; time steps
    int64_t unseen{0};             //!< bytes of PassUnseen, less than a unit of telemetry
    double passed{0};              //!< by passedAt, since meanSince; bit/s times time steps
    int64_t passedAt{0};           //!< time steps
    int64_t meanSince{0};          //!< time steps
    std::vector<std::unique_ptr<PfcArrival>> pfcArrivals;
    bool late{false};    //!< the port itself is in the past (RdmaPacketState::CatchUp)
    bool carries{true};  //!< the next ports take the background as it leaves this one
    bool passing{false}; //!< it is being asked, maybe by a port that it asks
};

} // namespace ns3

#endif // RDMA_PORT_PASSING_H
