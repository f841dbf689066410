/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_RECVPACKETEVENTHADNDLERDATA_HH
#define STAND_IN_RECVPACKETEVENTHADNDLERDATA_HH

#include "astra-sim/system/AstraNetworkAPI.hh"

namespace AstraSim
{

class Workload;

/** What a handler is called with. */
class RecvPacketEventHadndlerData
{
  public:
    Workload* workload{nullptr};
    int expected{-1}; ///< flow, of the stand-in
    ncclFlowTag flowTag;
};

} // namespace AstraSim

#endif // STAND_IN_RECVPACKETEVENTHADNDLERDATA_HH
