/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EXTENSION_FAILED_H
#define RDMA_EXTENSION_FAILED_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup rdma
 * Throws what is being caught, which a class of the user's threw, again with who it was.
 * \param who the class, and for whom it was asked
 * \param nowNs the time, ns
 */
[[noreturn]] void RdmaExtensionFailed(const std::string& who, int64_t nowNs);

} // namespace ns3

#endif // RDMA_EXTENSION_FAILED_H
