/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-fingerprint.h"

#include "ns3/rdma-host.h"
#include "ns3/rdma-switch.h"
#include "ns3/string.h"

namespace ns3
{

namespace
{

/** Of what is stored: to be changed with the format of RdmaPacketState::Save, the models, or what
 * keys say. */
constexpr uint64_t FORMAT = 7;

/** Classes of delays and round-trip times are this far apart. */
constexpr double DELAY_STEP = 1.001;

} // namespace

uint64_t
WormholeFingerprint::OfObject(const Object& object)
{
    wormhole::SignatureBuilder builder;
    TypeId tid = object.GetInstanceTypeId();
    builder.Add(tid.GetName());
    while (true)
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(i);
            const Ptr<AttributeValue> value = info.checker->Create();
            if (info.accessor->HasGetter() && info.accessor->Get(&object, *value))
            {
                builder.Add(info.name);
                builder.Add(value->SerializeToString(info.checker));
            }
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            break;
        }
        tid = tid.GetParent();
    }
    return builder.Get().low;
}

wormhole::Signature
WormholeFingerprint::OfNetwork(const RdmaNetwork& network, const WormholeOptions& options)
{
    const RdmaContext& context = network.GetContext();
    const wormhole::ControllerOptions& c = options.controller;
    wormhole::SignatureBuilder builder;
    builder.Add("ns3::RdmaNetwork").Add(FORMAT);
    builder.Add(static_cast<uint64_t>(context.clock.GetTiming()))
        .Add(static_cast<uint64_t>(context.clock.StepsPerNs()))
        .Add(context.wire.l2Bytes)
        .Add(context.wire.sequenceBytes)
        .Add(context.intMultiplier);
    for (const double number : {c.steady.theta,
                                c.steady.queueTolerance,
                                c.rateStep,
                                c.queueStep,
                                options.sampleRtts,
                                options.watchTolerance})
    {
        builder.Add(std::to_string(number));
    }
    builder.Add(static_cast<uint64_t>(options.acknowledgements))
        .Add(c.steady.window)
        .Add(c.Expects())
        .Add(c.steady.maxPeriod)
        .Add(c.steady.periods)
        .Add(c.steady.queueSlack)
        .Add(static_cast<uint64_t>(c.detail))
        .Add(options.samplePackets);
    if (!options.code.empty())
    {
        builder.Add(options.code);
    }
    return builder.Get();
}

int32_t
WormholeFingerprint::ClassOf(int64_t delay)
{
    return wormhole::QuantiseLog(static_cast<double>(delay), DELAY_STEP);
}

uint64_t
WormholeFingerprint::OfControl(const RdmaQueuePair& qp)
{
    const Ptr<const Object> prototype = qp.GetSender().GetCongestionControl();
    if (!prototype)
    {
        return 0;
    }
    const auto known = m_known.find(prototype);
    return known != m_known.end() ? known->second
                                  : m_known.emplace(prototype, OfObject(*prototype)).first->second;
}

uint64_t
WormholeFingerprint::OfPort(const RdmaPort& port)
{
    const RdmaNode& owner = port.GetOwner();
    const Ptr<const Object> node(&owner);
    const auto known = m_known.find(node);
    const uint64_t attributes = known != m_known.end()
                                    ? known->second
                                    : m_known.emplace(node, OfObject(owner)).first->second;
    wormhole::SignatureBuilder builder;
    builder.Add(attributes);
    if (owner.IsTransit())
    {
        const auto ecn = static_cast<const RdmaSwitch&>(owner).GetEcnThresholds(port.GetRate());
        builder.Add(ecn.kmin).Add(ecn.kmax).Add(std::to_string(ecn.pmax));
    }
    return builder.Get().low;
}

} // namespace ns3
