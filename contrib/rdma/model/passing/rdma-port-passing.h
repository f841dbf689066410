/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_PASSING_H
#define RDMA_PORT_PASSING_H

#include "rdma-coming.h"

#include "ns3/rdma-port-flight.h"

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
 * What passes at a port besides the frames that it sends (RdmaPort::PassBy, ForwardPfc,
 * ChangeBackground, PassUnseen). Few ports have any.
 *
 * An acknowledgement that has waited behind a frame at one port comes right behind it to the next.
 * So where both are simulated, what passes in the background at the second one comes as it left the
 * first one. Ports find out when they have something to do, and ask the ones before first.
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

    /** A part of the background that goes on to one port. */
    struct Onward
    {
        RdmaPort* next;
        int64_t rate;   //!< bit/s
        uint64_t due;   //!< of a frame, in units of 1 / WHOLE
        uint64_t share; //!< of all of the background, at most WHOLE

        static constexpr uint32_t BITS = 32;
        static constexpr uint64_t WHOLE = uint64_t{1} << BITS;
    };

    /** \return what has passed in the background by \p now, since meanSince; bit/s times time
     * steps */
    double GetPassed(int64_t now) const;

    /** \return when something passes next, or other ports are to be asked; time steps */
    int64_t GetNextLook() const
    {
        return Asks() ? std::min(NextPass(), askedAt + fromDelay) : NextPass();
    }

    /** Sets the shares of onward. */
    void SetShares();

    /** \return whether some of the background comes as it leaves other ports, which have to be
     * asked for it */
    bool Asks() const
    {
        return carried > 0 && !late;
    }

    /** \return bit/s that pass in the background at even intervals */
    int64_t GetOwn() const
    {
        return std::max<int64_t>(late ? background : background - carried, 0);
    }

    /** A frame that has passed in a window, and is to be told of when that is over. */
    struct Left
    {
        RdmaPort* next;
        int64_t time; //!< when it comes there, time steps
    };

    /** Passes \p frames in the background on. \param pass is told which port gets how many */
    template <typename F>
    void GoOn(int64_t frames, F&& pass)
    {
        for (size_t i = 0; carries && i < onward.size(); ++i)
        {
            Onward& part = onward[i];
            // in whole numbers, so that it is of no matter how many pass at once
            part.due += static_cast<uint64_t>(frames) * part.share;
            if (part.due >= Onward::WHOLE)
            {
                pass(*part.next, static_cast<int64_t>(part.due >> Onward::BITS));
                part.due %= Onward::WHOLE;
            }
        }
    }

    /** \return when the next frame of the background comes at even intervals, time steps; NEVER if
     * none will */
    int64_t NextEven() const
    {
        return GetOwn() > 0 ? passedUntil + backgroundInterval + lag : NEVER;
    }

    /** \return when the next frame passes, time steps; NEVER if none will */
    int64_t NextPass() const
    {
        return coming.IsEmpty() ? NextEven() : std::min(NextEven(), coming.Front().time);
    }

    /** \return whether anything passes, now or later */
    bool IsAny() const
    {
        return background || !coming.IsEmpty();
    }

    // what each frame needs
    RdmaComing coming;             //!< of the background, and what PassAlone told of
    uint32_t backgroundFrame{0};   //!< size of each frame in the background, bytes
    bool passing{false};           //!< it is being asked, maybe by a port that it asks
    bool late{false};              //!< the port itself is in the past (RdmaPacketState::CatchUp)
    bool carries{true};            //!< the next ports take the background as it leaves this one
    uint64_t assumedQueue{0};      //!< besides what is queued, bytes
    double passed{0};              //!< by passedAt, since meanSince; bit/s times time steps
    int64_t unseen{0};             //!< bytes of PassUnseen, less than a unit of telemetry
    int64_t credited{0};           //!< the same of PassCredited
    int64_t background{0};         //!< bit/s of acknowledgements that are not simulated
    int64_t carried{0};            //!< of these, what comes as it left another port; bit/s
    int64_t backgroundInterval{1}; //!< between two of the others, time steps
    int64_t passedUntil{0};        //!< when the last of those was due; time steps
    int64_t lag{0};                //!< of the next one
    uint32_t disorder{0};          //!< that lags come from
    std::vector<Onward> onward;    //!< of the background, by port
    std::vector<Left> left;        //!< in this window
    bool listed{false};            //!< among RdmaContext::carriers
    int64_t askedAt{0};            //!< when ports of \c from had passed all that had come; steps
    int64_t fromDelay{0};          //!< of the shortest link from one of these, time steps
    std::vector<RdmaPort*> from;   //!< each port whose onward this one is
    int64_t passedAt{0};           //!< time steps
    int64_t meanSince{0};          //!< time steps
    Flight by;                     //!< what PassBy sent
    int64_t byLast{0};             //!< when the last of that arrives; time steps
    std::vector<std::pair<RdmaFrame*, RdmaDue>> leftBy; //!< of that, what passed in this window
    std::vector<std::unique_ptr<PfcArrival>> pfcArrivals;
};

/** \return what passes besides; from now on there is memory for it */
inline RdmaPort::Passing&
RdmaPort::GetPassing()
{
    return m_passing ? *m_passing : MakePassing();
}

} // namespace ns3

#endif // RDMA_PORT_PASSING_H
