/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SAVED_FLOW_H
#define RDMA_SAVED_FLOW_H

#include "ns3/rdma-egress-queues.h"
#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame.h"
#include "ns3/rdma-nic-scheduler.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \file
 * \ingroup rdma
 * What RdmaPacketState saves of flows and ports, and the bytes that it becomes.
 *
 * Times are relative to the time of saving (time steps), places to the one that is next then,
 * sequence numbers to what the receiver has: so that the same state is the same bytes at another
 * time and for another flow.
 */

/** \ingroup rdma When an event is due. */
struct RdmaSavedDue
{
    bool pending{false};
    int64_t time{0};
    int64_t place{0};

    RdmaSavedDue() = default;

    /** Of \p due, at the time \p now, when \p nextPlace is next. */
    RdmaSavedDue(const RdmaDue& due, int64_t now, uint64_t nextPlace)
        : pending(due)
    {
        if (pending)
        {
            time = due.time - now;
            place = static_cast<int64_t>(due.place - nextPlace);
        }
    }
};

/** \ingroup rdma A frame, and where it is. */
struct RdmaSavedFrame
{
    static constexpr uint32_t FLYING = RdmaEgressQueues::COUNT; //!< in place of a queue: on the
                                                                //!< wire, ...
    static constexpr uint32_t PIPED = FLYING + 1;               //!< ... or in the flow's pipe

    uint64_t hop{0}; //!< at which port: of the data's route, then of the acknowledgements'
    uint32_t queue{FLYING};
    int64_t time{0};  //!< when it arrives; queued: which one in its queue
    int64_t order{0}; //!< among equal times: its place
    RdmaFrameKind kind{RdmaFrameKind::DATA};
    bool ce{false};
    bool echo{false};
    bool telemetry{false};
    int64_t seq{0};
    uint32_t payloadBytes{0};
    uint32_t wireBytes{0};
    int64_t timestamp{0};
    RdmaIntHeader intHeader{}; //!< times of records are their ages, ns; without rates
};

/** \ingroup rdma A flow with its frames. */
struct RdmaSavedFlow
{
    uint64_t rate{0};
    uint64_t window{0};
    std::vector<uint8_t> control; //!< by RdmaCongestionControl::SaveState
    uint32_t lastWireBytes{0};
    bool pacingKnown{false};
    int64_t pacing{0};         //!< a duration
    int64_t nextAvailable{0};  //!< when it may send next
    int64_t nextSeq{0};        //!< to send
    int64_t unacknowledged{0}; //!< bytes that the receiver has
    uint64_t inChunk{0};       //!< bytes that the receiver has of a chunk
    int64_t lastProgress{0};
    int64_t sinceArrival{-1}; //!< a duration, as the next; -1 if there was none
    int64_t sinceCnp{-1};
    RdmaSavedDue retransmission;
    RdmaNicScheduler::Turn turn; //!< at its NIC; only the order among flows that are saved counts
    std::vector<RdmaSavedFrame> frames;
};

/** \ingroup rdma An acknowledgement of a flow that was delivered, and is not saved: of no matter
 * but for the time that it takes of the link. */
struct RdmaSavedPassing
{
    int64_t time{0}; //!< when it comes to the port
    uint32_t bytes{0};
};

/** \ingroup rdma A port but for its frames. */
struct RdmaSavedPort
{
    uint64_t txBytes{0};
    RdmaSavedDue txEnd;                    //!< of the frame that is being sent
    bool watched{false};                   //!< whether the port's owner waits for that
    RdmaSavedDue wake;                     //!< of the NIC
    std::vector<RdmaSavedPassing> passing; //!< in the order of time
};

/** \return \p flow as bytes */
std::string EncodeRdmaFlow(const RdmaSavedFlow& flow);

/** \return what \p text says; what is missing is 0 */
RdmaSavedFlow DecodeRdmaFlow(const std::string& text);

/** \return \p port as bytes */
std::string EncodeRdmaPort(const RdmaSavedPort& port);

/** \return what \p text says; what is missing is 0 */
RdmaSavedPort DecodeRdmaPort(const std::string& text);

/** \return \p latency as bytes: how long an acknowledgement is under way, 0 or more; time steps */
std::string EncodeRdmaLatency(int64_t latency);

/** \return what \p text says; what is missing is 0 */
int64_t DecodeRdmaLatency(const std::string& text);

} // namespace ns3

#endif // RDMA_SAVED_FLOW_H
