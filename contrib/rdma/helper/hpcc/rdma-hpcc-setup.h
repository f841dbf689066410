/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_SETUP_H
#define RDMA_HPCC_SETUP_H

#include "rdma-hpcc-config.h"

#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"

#include <string>

namespace ns3
{

/**
 * Makes \p helper build what a config.txt describes.
 * \param config the configuration
 * \param topology to be built; for ECN thresholds of its links' rates
 * \param control TypeId to use instead of the one of CC_MODE; empty for that
 * \param timing how transmission times become whole time steps: "hpcc" for agreement with HPCC's simulator
 * \param seed of random draws
 * \param helper to set up
 * \throws InputError if the maps have no thresholds for a link's rate
 */
void SetUpRdmaFromHpcc(const RdmaHpccConfig& config,
                       const RdmaTopology& topology,
                       const std::string& control,
                       const std::string& timing,
                       uint64_t seed,
                       RdmaHelper& helper);

/** \return windows as a config.txt says */
RdmaFlowOptions RdmaFlowOptionsFromHpcc(const RdmaHpccConfig& config);

/** \return TypeId of the congestion control that CC_MODE selects; empty for none */
std::string RdmaControlFromHpcc(const RdmaHpccConfig& config);

} // namespace ns3

#endif // RDMA_HPCC_SETUP_H
