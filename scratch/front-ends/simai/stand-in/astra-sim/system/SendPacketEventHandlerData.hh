/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SENDPACKETEVENTHANDLERDATA_HH
#define STAND_IN_SENDPACKETEVENTHANDLERDATA_HH

#include "astra-sim/system/AstraNetworkAPI.hh"

namespace AstraSim
{

class Workload;

enum class EventType
{
    PacketSent,
    PacketSentFinshed
};

/** What a handler is called with. */
class SendPacketEventHandlerData
{
  public:
    Workload* workload{nullptr};
    EventType event{EventType::PacketSentFinshed}; ///< whose handlers do not free it
    ncclFlowTag flowTag;
};

} // namespace AstraSim

#endif // STAND_IN_SENDPACKETEVENTHANDLERDATA_HH
