/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRANSPORT_TEST_ON_PACKETS_H
#define WORKLOAD_TRANSPORT_TEST_ON_PACKETS_H

#include "ns3/rdma-helper.h"
#include "ns3/workload-rdma-transport.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>

/** Transfers on the packet level. */
namespace transport_test
{

inline constexpr uint64_t GBPS = 1000000000;
inline constexpr const char* NATIVE = "ns3::RdmaSimulatorImpl";
inline constexpr const char* DEFAULT = "ns3::DefaultSimulatorImpl";

using Work = std::function<nlohmann::json(ns3::WorkloadRdmaTransport&, ns3::RdmaNetwork&)>;

/** Builds a network in a process of its own and works on it. */
nlohmann::json OnPackets(const ns3::RdmaTopology& topology,
                         const Work& work,
                         const char* simulator = NATIVE,
                         const ns3::WorkloadRdmaOptions& options = {},
                         bool nvSwitches = false,
                         const std::function<void(ns3::RdmaHelper&)>& setup = {});

} // namespace transport_test

#endif // WORKLOAD_TRANSPORT_TEST_ON_PACKETS_H
