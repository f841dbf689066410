/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_MEMORY_PARTS_H
#define WORKLOAD_SIMAI_MEMORY_PARTS_H

#include "workload-simai-memory.h"

#include "ns3/workload-known-step.h"

// What a WorkloadSimAiMemory is made of, for its own files.

namespace ns3
{

/** Where the flows of a collective go. */
struct WorkloadSimAiMemory::Footprint
{
    std::vector<uint32_t> ports; //!< each once, in the order in which flows come to them
    uint64_t shape{0};           //!< equal if all is, but for the numbers of ports
    bool isSure{true};           //!< each pair has one way, without losses
};

/** How a unit went. Times since it was decided about, ps. */
struct WorkloadSimAiMemory::Episode
{
    struct Flow
    {
        uint32_t place; //!< of its slot in the unit
        uint32_t flow;
        uint32_t order;
        int64_t start;
        int64_t delivered;
        int64_t end;
    };

    struct Done
    {
        uint32_t place;
        uint32_t end;
        int64_t at;
    };

    std::vector<Flow> flows; //!< in the order of their starts; when it is over, of their ends
    std::vector<Done> dones; //!< in time order
    int64_t length{0};
    uint64_t hops{0};
    uint64_t uses{0};
    bool isOver{false};
    bool isWrong{false}; //!< as an audit said
    bool isAudited{false};
    uint32_t leader{NO_UNIT}; //!< the unit that is being recorded
};

/** A collective that at least one member takes part in. */
struct WorkloadSimAiMemory::Slot
{
    struct Wait
    {
        int64_t until;
        uint64_t number;
        uint32_t flow;
    };

    const Footprint* footprint{nullptr};
    bool isDecided{false};
    uint32_t unit{NO_UNIT};   //!< none: simulated, and not remembered
    uint32_t place{0};        //!< in its unit
    std::vector<uint32_t> at; //!< of each flow, its place in the episode
    std::vector<Wait> waits;  //!< flows that will start
};

struct WorkloadSimAiMemory::Unit
{
    std::vector<uint32_t> slots;
    std::shared_ptr<Episode> episode;
    std::shared_ptr<Episode> audited; //!< what it should be; null unless this is an audit
    bool isRecorded{false};           //!< else repeated
    bool isExact{false};              //!< recorded of all packets
    bool isMet{false};                //!< something else came to its ports
    int64_t since{0};                 //!< ps
    size_t left{0};                   //!< collectives that are not over
    uint64_t troubles{0};             //!< when it began
    Key key;                          //!< of what is recorded
    std::vector<uint32_t> followers;  //!< units

    /** One of a step. */
    struct Flow
    {
        uint32_t slot;
        uint32_t flow;
        uint32_t place; //!< in the episode
    };

    std::shared_ptr<WorkloadKnownStep> step; //!< that is under way; null: it is not remembered
    std::shared_ptr<WorkloadKnownStep>
        auditedStep;         //!< what it should be; null unless this is an audit
    std::vector<Flow> flows; //!< of the step, in the order of their starts
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> flowOf; //!< the same, by slot and flow
    bool isStepRepeated{false};
    int64_t stepSince{0};     //!< ps
    size_t stepLeft{0};       //!< flows of it that have not ended
    uint64_t stepTroubles{0}; //!< when it began
    size_t underWay{0};       //!< flows that have started and not ended
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_MEMORY_PARTS_H
