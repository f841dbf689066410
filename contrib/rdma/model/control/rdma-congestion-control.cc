/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaCongestionControl);

uint32_t
RdmaTelemetryBytes(RdmaTelemetry telemetry, uint32_t pintBytes)
{
    switch (telemetry)
    {
    case RdmaTelemetry::TIMESTAMP:
        return 8;
    case RdmaTelemetry::INT:
        return RdmaIntHeader::WIRE_BYTES;
    case RdmaTelemetry::PINT:
        return pintBytes;
    case RdmaTelemetry::NONE:
        break;
    }
    return 0;
}

TypeId
RdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaCongestionControl").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

RdmaTelemetry
RdmaCongestionControl::GetTelemetry() const
{
    return RdmaTelemetry::NONE;
}

void
RdmaCongestionControl::OnStart(RdmaQueuePair&)
{
}

bool
RdmaCongestionControl::TakesCnps() const
{
    return false;
}

void
RdmaCongestionControl::OnCongestionNotification(RdmaQueuePair&)
{
}

void
RdmaCongestionControl::OnTimeout(RdmaQueuePair&)
{
}

void
RdmaCongestionControl::OnEnd(RdmaQueuePair&)
{
}

bool
RdmaCongestionControl::ActsAlone() const
{
    return false;
}

bool
RdmaCongestionControl::MeasuresDelay() const
{
    return true;
}

bool
RdmaCongestionControl::HeedsMarks() const
{
    return true;
}

int64_t
RdmaCongestionControl::GetPeriodNs(const RdmaQueuePair&) const
{
    return 0;
}

RdmaLinkUse
RdmaCongestionControl::GetLinkUse() const
{
    return {};
}

uint64_t
RdmaCongestionControl::GetAdditiveIncrease() const
{
    return 0;
}

double
RdmaCongestionControl::GetCongestionAverage() const
{
    return 0;
}

bool
RdmaCongestionControl::CanScale() const
{
    return false;
}

void
RdmaCongestionControl::Scale(RdmaQueuePair&, double)
{
}

void
RdmaCongestionControl::OnSkipped(RdmaQueuePair&, uint64_t, uint64_t)
{
}

bool
RdmaCongestionControl::GoesOnUnseen() const
{
    return false;
}

bool
RdmaCongestionControl::SaveState(const RdmaQueuePair&, std::vector<uint8_t>&) const
{
    return false;
}

bool
RdmaCongestionControl::LoadState(RdmaQueuePair&, const std::vector<uint8_t>&)
{
    return false;
}

} // namespace ns3
