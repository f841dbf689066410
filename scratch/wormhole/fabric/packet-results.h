/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_PACKET_RESULTS_H
#define WORMHOLE_PACKET_RESULTS_H

#include "ns3/rdma-network.h"
#include "ns3/rdma-ranks.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/workload-repeater.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace wormhole
{

// What a run of packets says of how it ran.

/** \return the simulator implementation; null if it is ns-3's */
ns3::Ptr<ns3::RdmaSimulatorImpl> NativeSimulator();

/** \return why all events were in one queue; null if they were not, or if that is how the default
 * simulator has it */
const char* WhyInOneQueue(const ns3::RdmaNetwork& network);

/** \return what became of so many threads that were \p asked for */
nlohmann::ordered_json ThreadsPart(uint32_t asked, const ns3::RdmaNetwork& network);

/** \return what became of several ranks */
nlohmann::ordered_json RanksPart(const ns3::RdmaRanks& ranks,
                                 const ns3::RdmaSimulatorImpl& simulator);

/** Adds what became of collectives to what fast-forward says of itself. */
void AddRepeats(const ns3::WorkloadRepeats& repeats, nlohmann::ordered_json& fast);

} // namespace wormhole

#endif // WORMHOLE_PACKET_RESULTS_H
