/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_LOSS_WARNINGS_H
#define RDMA_LOSS_WARNINGS_H

#include "ns3/rdma-network.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \param network started
 * \return what its switches' buffers are too small for, a line each: headrooms and reserves, or what
 * still arrives after a pause
 */
std::vector<std::string> RdmaBufferWarnings(const RdmaNetwork& network);

/**
 * \ingroup rdma
 * \param network that has run
 * \return how many frames switches have lost to full buffers in spite of PFC, and where, on a line;
 * none if there is nothing to say
 */
std::vector<std::string> RdmaLossWarnings(const RdmaNetwork& network);

} // namespace ns3

#endif // RDMA_LOSS_WARNINGS_H
