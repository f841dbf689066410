/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_PASSING_H
#define RDMA_PORT_PASSING_H

#include "rdma-port.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/** What passes at a port besides the frames that are simulated hop by hop (RdmaPort::Forward,
 * ForwardPfc, ChangeBackground, PassUnseen). Few ports have any. */
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

    /** A frame that passes, see Forward. */
    struct Coming
    {
        int64_t time; //!< time steps
        uint32_t bytes;
    };

    /** \return what has passed in the background by \p now, since meanSince; bit/s times time
     * steps */
    double GetPassed(int64_t now) const;

    /** Forgets frames that have passed. */
    void ForgetPassed();

    /** \return when the next frame passes, time steps; NEVER if none will */
    int64_t NextPass() const;

    uint64_t assumedQueue{0};      //!< besides what is queued, bytes
    std::vector<Coming> coming;    //!< that Forward let pass, by time; empty if all have passed
    uint32_t comingFirst{0};       //!< of these, the first one that has not
    uint32_t backgroundFrame{0};   //!< size of each frame in the background, bytes
    int64_t background{0};         //!< bit/s of acknowledgements that are not simulated
    int64_t backgroundInterval{1}; //!< between two of these, time steps
    int64_t passedUntil{0};        //!< when the last of these came; time steps
    int64_t unseen{0};             //!< bytes of PassUnseen, less than a unit of telemetry
    double passed{0};              //!< by passedAt, since meanSince; bit/s times time steps
    int64_t passedAt{0};           //!< time steps
    int64_t meanSince{0};          //!< time steps
    std::vector<std::unique_ptr<PfcArrival>> pfcArrivals;
    bool late{false}; //!< the port itself is in the past (RdmaPacketState::CatchUp)
};

} // namespace ns3

#endif // RDMA_PORT_PASSING_H
