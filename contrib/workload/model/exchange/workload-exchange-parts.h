/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_EXCHANGE_PARTS_H
#define WORKLOAD_EXCHANGE_PARTS_H

#include "workload-exchange-memory.h"

#include "ns3/workload-known-step.h"

#include <cstddef>
#include <utility>
#include <vector>

// What a WorkloadExchangeMemory is made of, for its own files.

namespace ns3
{

/** Where transfers from one end point to another may go. */
struct WorkloadExchangeMemory::Way
{
    std::vector<uint32_t> ports; //!< of data and acknowledgements
    bool isSure{false};          //!< one way, without losses
};

/** How an exchange went. */
struct WorkloadExchangeMemory::Known : WorkloadKnownStep
{
    std::vector<WorkloadTransfer> transfers; //!< by place: by pair, and then by start
    std::vector<uint32_t> turns;             //!< places, in the order of starts
    std::vector<uint32_t> ports;
    int64_t lastDelivery{0};
};

/** A transfer of an exchange that is under way. Times in ps; negative: it has not happened. */
struct WorkloadExchangeMemory::Member
{
    WorkloadTransfer transfer;
    uint64_t id{0};
    int64_t startPs{-1};
    int64_t deliveredPs{-1};
    int64_t endPs{-1};
    uint32_t order{0};           //!< repeated: in which it started
    uint32_t slot{NONE};         //!< simulated: while it is
    int64_t seenDeliveredPs{-1}; //!< audited: in truth; so is the next
    int64_t seenEndPs{-1};
    bool isRecorded{false}; //!< repeated: for results
};

struct WorkloadExchangeMemory::Exchange
{
    std::shared_ptr<Known> known; //!< how it goes, if it is repeated
    bool isRepeated{false};
    bool isAudited{false};        //!< repeated, and simulated, too
    bool isWrong{false};          //!< simulated, and not remembered: it has no members
    int64_t sincePs{0};           //!< start of the first
    std::vector<Member> members;  //!< repeated: by place; else in the order of starts
    std::vector<uint32_t> ports;  //!< that are its own
    std::vector<uint32_t> merged; //!< exchanges that became a part of this
    uint32_t into{NONE};          //!< that this became a part of
    size_t underWay{0};           //!< transfers that are not delivered
    size_t left{0};               //!< transfers that have not ended
    uint64_t troubles{0};         //!< when it began
    size_t simulated{0};          //!< audited: transfers that have not ended in truth
    uint32_t started{0};          //!< repeated: transfers
    uint32_t turn{0};             //!< repeated: the first that has not started
    uint32_t next{0};             //!< repeated: event
    uint32_t generation{0};       //!< of its timers
};

/** A transfer that is simulated. */
struct WorkloadExchangeMemory::Slot
{
    uint64_t id{0};
    uint32_t exchange{NONE};
    uint32_t member{NONE}; //!< of the exchange; none if that is wrong
    bool isDelivered{false};
    bool isDeliveryTold{false}; //!< to the client, before it was simulated; so is the next
    bool isEndTold{false};
    Lagging delivery{NONE, 0}; //!< audited: it was told, and is not so in truth; or NONE
    Lagging end{NONE, 0};      //!< likewise
};

/** A transfer that is to start once all is so in truth that its source was told before. */
struct WorkloadExchangeMemory::Held
{
    WorkloadTransfer transfer;
    uint32_t slot;
    uint64_t told;   //!< the first that it does not wait for
    int64_t untilPs; //!< it starts then in any case
};

template <typename P>
void
WorkloadExchangeMemory::StartHeld(P&& starts)
{
    std::vector<Held> started;
    std::vector<Held> kept;
    for (const Held& held : m_held)
    {
        (starts(held) ? started : kept).push_back(held);
    }
    m_held = std::move(kept);
    for (const Held& held : started)
    {
        m_transport.Start(held.transfer, held.slot);
    }
}

} // namespace ns3

#endif // WORKLOAD_EXCHANGE_PARTS_H
