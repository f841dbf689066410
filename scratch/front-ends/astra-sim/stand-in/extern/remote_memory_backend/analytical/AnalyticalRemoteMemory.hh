/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_ANALYTICAL_REMOTE_MEMORY_HH
#define STAND_IN_ANALYTICAL_REMOTE_MEMORY_HH

#include <string>

namespace AstraSim
{

class AstraRemoteMemoryAPI
{
};

} // namespace AstraSim

namespace Analytical
{

class AnalyticalRemoteMemory : public AstraSim::AstraRemoteMemoryAPI
{
  public:
    explicit AnalyticalRemoteMemory(const std::string& /* configuration */)
    {
    }
};

} // namespace Analytical

#endif // STAND_IN_ANALYTICAL_REMOTE_MEMORY_HH
