/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

// Attributes of a network, and what is set by a word.

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNetwork);

TypeId
RdmaNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaNetwork")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaNetwork>()
            .AddAttribute("Seed",
                          "Of the random draws for ECN marks and link errors. [number]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaNetwork::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Timing",
                          "How transmission times become whole time steps: exact (nearest step), "
                          "hpcc, round or truncate (whole "
                          "nanoseconds as in HPCC's, ASTRA-sim's and SimAI's simulators).",
                          StringValue("exact"),
                          MakeStringAccessor(&RdmaNetwork::SetTiming, &RdmaNetwork::GetTiming),
                          MakeStringChecker())
            .AddAttribute(
                "L2HeaderBytes",
                "Link-layer header: 14 as HPCC's and SimAI's simulators, 2 as ASTRA-sim's. [B]",
                UintegerValue(14),
                MakeUintegerAccessor(&RdmaNetwork::m_l2Bytes),
                MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("SequenceBytes",
                          "Sequence number in data frames: 4, or 8 as in SimAI's simulator. [B]",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RdmaNetwork::m_sequenceBytes),
                          MakeUintegerChecker<uint32_t>(4, 8))
            .AddAttribute("IntMultiplier",
                          "Coarsens the units in which telemetry counts bytes. [factor]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaNetwork::m_intMultiplier),
                          MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("PintLogBase",
                          "A code of PINT stands for so many times the utilisation of the one "
                          "before: (1 + e)^2 for an error of e at most. Codes take 1 B, or 2 B "
                          "below 1.0499. [factor]",
                          DoubleValue(1.05),
                          MakeDoubleAccessor(&RdmaNetwork::m_pintLogBase),
                          MakeDoubleChecker<double>(1.0002, 1000))
            .AddAttribute(
                "FlowControl",
                "What keeps frames from finding a full buffer: pfc (switches pause "
                "senders, RdmaSwitch::Pfc) or credits (senders know what room is left, "
                "per link and class, as in InfiniBand; what RdmaSwitch says of its buffer "
                "has no effect then).",
                StringValue("pfc"),
                MakeStringAccessor(&RdmaNetwork::SetFlowControl, &RdmaNetwork::GetFlowControl),
                MakeStringChecker())
            .AddAttribute("CreditBuffer",
                          "With FlowControl=credits, what the receiving end of each link keeps for "
                          "each class; 0 for as much as keeps the link busy. [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaNetwork::m_creditBuffer),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 40))
            .AddAttribute("CreditUpdate",
                          "With FlowControl=credits, a sender is told of room in its class as soon "
                          "as there is so much. [B]",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RdmaNetwork::m_creditUpdate),
                          MakeUintegerChecker<uint32_t>(1, 1 << 30))
            .AddAttribute("CollapseParallelLinks",
                          "Of parallel links between two nodes only the last carries traffic, as "
                          "in HPCC's simulator.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNetwork::m_collapseParallel),
                          MakeBooleanChecker());
    return tid;
}

void
RdmaNetwork::SetTiming(const std::string& name)
{
    for (RdmaTiming timing :
         {RdmaTiming::EXACT, RdmaTiming::HPCC_NS, RdmaTiming::ROUND_NS, RdmaTiming::TRUNCATE_NS})
    {
        if (RdmaTimingName(timing) == name)
        {
            m_timing = timing;
            return;
        }
    }
    NS_ABORT_MSG("RdmaNetwork::Timing: \"" << name << "\" is none of exact, hpcc, round, truncate");
}

std::string
RdmaNetwork::GetTiming() const
{
    return RdmaTimingName(m_timing);
}

void
RdmaNetwork::SetFlowControl(const std::string& name)
{
    NS_ABORT_MSG_IF(name != "pfc" && name != "credits",
                    "RdmaNetwork::FlowControl: \"" << name << "\" is neither pfc nor credits");
    m_credits = name == "credits";
}

std::string
RdmaNetwork::GetFlowControl() const
{
    return m_credits ? "credits" : "pfc";
}

} // namespace ns3
