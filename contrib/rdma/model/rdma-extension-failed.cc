/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-extension-failed.h"

#include <exception>
#include <new>
#include <stdexcept>

namespace ns3
{

void
RdmaExtensionFailed(const std::string& who, int64_t nowNs)
{
    try
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        throw; // whatever takes the memory
    }
    catch (const std::exception& error)
    {
        throw std::runtime_error(who + ", at " + std::to_string(nowNs) + " ns: " + error.what());
    }
}

} // namespace ns3
