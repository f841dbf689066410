/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-fingerprint.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-switch.h"
#include "ns3/uinteger.h"

#include <cstring>

namespace ns3
{

namespace
{

/** Of what is stored: to be changed with the format of RdmaPacketState::Save, the models, or what
 * keys say. */
constexpr uint64_t FORMAT = 11;

/** Classes of delays and round-trip times are this far apart. */
constexpr double DELAY_STEP = 1.001;

/** \return the bits of \p value, if it is a number whose text follows from these */
std::optional<uint64_t>
BitsOf(const AttributeValue& value)
{
    if (const auto* natural = dynamic_cast<const UintegerValue*>(&value))
    {
        return natural->Get();
    }
    if (const auto* truth = dynamic_cast<const BooleanValue*>(&value))
    {
        return truth->Get() ? 1 : 0;
    }
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return static_cast<uint64_t>(time->Get().GetTimeStep());
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        uint64_t bits = 0;
        const double real = number->Get();
        std::memcpy(&bits, &real, sizeof(bits));
        return bits;
    }
    return std::nullopt;
}

} // namespace

std::vector<WormholeAttributeReader::Attribute>&
WormholeAttributeReader::AttributesOf(TypeId type)
{
    const auto [place, isNew] = m_classes.try_emplace(type);
    for (bool more = isNew; more; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            if (info.accessor->HasGetter())
            {
                place->second.push_back({info.name, info.accessor, info.checker, {}, {}});
            }
        }
        more = type.HasParent() && type.GetParent() != type;
    }
    return place->second;
}

uint64_t
WormholeAttributeReader::Read(const Object& object)
{
    wormhole::SignatureBuilder builder;
    const TypeId type = object.GetInstanceTypeId();
    builder.Add(type.GetName());
    for (Attribute& attribute : AttributesOf(type))
    {
        const Ptr<AttributeValue> value = attribute.checker->Create();
        if (attribute.accessor->Get(&object, *value))
        {
            const std::optional<uint64_t> bits = BitsOf(*value);
            if (!bits || attribute.latest != bits)
            {
                attribute.latest = bits;
                attribute.text = value->SerializeToString(attribute.checker);
            }
            builder.Add(attribute.name);
            builder.Add(attribute.text);
        }
    }
    return builder.Get().low;
}

uint64_t
WormholeFingerprint::OfObject(const Object& object)
{
    return WormholeAttributeReader().Read(object);
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
    return known != m_known.end()
               ? known->second
               : m_known.emplace(prototype, m_reader.Read(*prototype)).first->second;
}

uint64_t
WormholeFingerprint::OfPort(const RdmaPort& port)
{
    const RdmaNode& owner = port.GetOwner();
    const Ptr<const Object> node(&owner);
    const auto known = m_known.find(node);
    const uint64_t attributes = known != m_known.end()
                                    ? known->second
                                    : m_known.emplace(node, m_reader.Read(owner)).first->second;
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
