/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-setup.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t SIMAI_SEQUENCE_BYTES = 8;
constexpr uint32_t ASTRA_L2_BYTES = 2;
constexpr uint32_t HPCC_ACK_PAUSE_CLASS = 3;
constexpr double HPCC_HEADROOM_FACTOR = 3;

TimeValue
Microseconds(double us)
{
    return TimeValue(NanoSeconds(static_cast<int64_t>(us * 1000)));
}

void
SetUpControl(const RdmaHpccConfig& c, const std::string& control, RdmaHelper& helper)
{
    helper.SetCongestionControl(control);
    auto set = [&helper](const char* name, const AttributeValue& value) {
        helper.SetCongestionControlAttribute(name, value);
    };
    const DataRateValue minRate{DataRate(c.minRate)};
    const DataRateValue increase{DataRate(c.rateAi)};
    const DataRateValue hyperIncrease{DataRate(c.rateHai)};
    if (control == "ns3::RdmaHpcc")
    {
        set("UtilizationTarget", DoubleValue(c.uTarget));
        set("MaxStage", UintegerValue(c.miThresh));
        set("AdditiveIncrease", increase);
        set("MinRate", minRate);
        set("FastReact", BooleanValue(c.fastReact));
        set("SampleFeedback", BooleanValue(c.sampleFeedback));
        set("MultiRate", BooleanValue(c.multiRate));
    }
    else if (control == "ns3::RdmaHpccPint")
    {
        helper.SetNetworkAttribute("PintLogBase", DoubleValue(c.pintLogBase));
        set("UtilizationTarget", DoubleValue(c.uTarget));
        set("MaxStage", UintegerValue(c.miThresh));
        set("AdditiveIncrease", increase);
        set("MinRate", minRate);
        set("Probability", DoubleValue(c.pintProb));
    }
    else if (control == "ns3::RdmaDcqcn")
    {
        set("Gain", DoubleValue(c.ewmaGain));
        set("AlphaInterval", Microseconds(c.alphaResumeInterval));
        set("DecreaseInterval", Microseconds(c.rateDecreaseInterval));
        set("IncreaseInterval", Microseconds(c.rpTimer));
        set("FastRecoveryTimes", UintegerValue(c.fastRecoveryTimes));
        set("ActiveIncrease", increase);
        set("HyperIncrease", hyperIncrease);
        set("MinRate", minRate);
        set("ClampTarget", BooleanValue(c.clampTargetRate));
    }
    else if (control == "ns3::RdmaTimely")
    {
        set("Increase", increase);
        set("HyperIncrease", hyperIncrease);
        set("MinRate", minRate);
    }
    else if (control == "ns3::RdmaDctcp")
    {
        set("Gain", DoubleValue(c.ewmaGain));
        set("Increase", DataRateValue(DataRate(c.dctcpRateAi)));
        set("MinRate", minRate);
    }
}

/** Thresholds for the rates at which switches mark; NVSwitches do not. */
void
SetUpEcn(const RdmaHpccConfig& c, const RdmaTopology& topology, RdmaHelper& helper)
{
    std::set<uint64_t> rates;
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (topology.nodes[link.a] == RdmaNodeKind::SWITCH ||
            topology.nodes[link.b] == RdmaNodeKind::SWITCH)
        {
            rates.insert(link.rate.GetBitRate());
        }
    }
    for (uint64_t rate : rates)
    {
        const RdmaHpccEcn ecn = c.EcnAt(rate);
        helper.SetEcnThresholds(rate, {ecn.kminBytes, ecn.kmaxBytes, ecn.pmax});
    }
}

} // namespace

std::string
RdmaControlFromHpcc(const RdmaHpccConfig& config)
{
    switch (config.Control())
    {
    case RdmaHpccControl::DCQCN:
        return "ns3::RdmaDcqcn";
    case RdmaHpccControl::HPCC:
        return "ns3::RdmaHpcc";
    case RdmaHpccControl::HPCC_PINT:
        return "ns3::RdmaHpccPint";
    case RdmaHpccControl::TIMELY:
        return "ns3::RdmaTimely";
    case RdmaHpccControl::DCTCP:
        return "ns3::RdmaDctcp";
    case RdmaHpccControl::NONE:
        break;
    }
    return "";
}

RdmaFlowOptions
RdmaFlowOptionsFromHpcc(const RdmaHpccConfig& config)
{
    // SimAI's driver reads GLOBAL_T and then sets it
    const bool largest = config.globalT || config.Flavour() == RdmaHpccFlavour::SIMAI;
    return {config.hasWin, largest};
}

void
SetUpRdmaFromHpcc(const RdmaHpccConfig& c,
                  const RdmaTopology& topology,
                  const std::string& control,
                  const std::string& timing,
                  uint64_t seed,
                  RdmaHelper& helper)
{
    helper.SetNetworkAttribute("Timing", StringValue(timing));
    helper.SetNetworkAttribute("Seed", UintegerValue(seed));
    helper.SetNetworkAttribute("IntMultiplier", UintegerValue(c.intMulti));
    helper.SetNetworkAttribute("CollapseParallelLinks", BooleanValue(true));
    if (c.Flavour() == RdmaHpccFlavour::ASTRA)
    {
        helper.SetNetworkAttribute("L2HeaderBytes", UintegerValue(ASTRA_L2_BYTES));
    }
    if (c.Flavour() == RdmaHpccFlavour::SIMAI)
    {
        helper.SetNetworkAttribute("SequenceBytes", UintegerValue(SIMAI_SEQUENCE_BYTES));
    }
    helper.SetDefaultErrorRate(c.errorRatePerLink);

    helper.SetHostAttribute("PayloadSize", UintegerValue(c.packetPayloadSize));
    helper.SetHostAttribute("AckInterval", UintegerValue(c.l2AckInterval));
    helper.SetHostAttribute("ChunkSize", UintegerValue(c.l2ChunkSize));
    helper.SetHostAttribute("BackToZero", BooleanValue(c.l2BackToZero));
    helper.SetHostAttribute("RateBound", BooleanValue(c.rateBound));
    helper.SetHostAttribute("VarWindow", BooleanValue(c.varWin));
    helper.SetHostAttribute("AckHighPriority", BooleanValue(c.ackHighPrio));
    helper.SetHostAttribute("AckPauseClass", UintegerValue(HPCC_ACK_PAUSE_CLASS));
    helper.SetHostAttribute("CnpInterval", TimeValue(Time(0)));

    helper.SetSwitchAttribute("BufferSize",
                              UintegerValue(static_cast<uint64_t>(c.bufferSize) << 20));
    helper.SetSwitchAttribute("HeadroomFactor", DoubleValue(HPCC_HEADROOM_FACTOR));
    helper.SetSwitchAttribute("Ecn", BooleanValue(c.enableQcn));
    helper.SetSwitchAttribute("PauseTime", UintegerValue(c.pauseTime));

    SetUpControl(c, control.empty() ? RdmaControlFromHpcc(c) : control, helper);
    if (c.enableQcn)
    {
        SetUpEcn(c, topology, helper);
    }
}

} // namespace ns3
