/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-shape.h"

#include <algorithm>

namespace ns3
{

uint32_t
WorkloadSimAiShape::Count() const
{
    size_t count = 0;
    for (const std::vector<uint32_t>& local : servers)
    {
        count += local.size();
    }
    return uint32_t(count);
}

uint32_t
WorkloadSimAiShape::Channels() const
{
    size_t min = servers.empty() ? 1 : servers.front().size();
    for (const std::vector<uint32_t>& local : servers)
    {
        min = std::min(min, local.size());
    }
    return uint32_t(min);
}

WorkloadSimAiShape
MakeWorkloadSimAiShape(const std::vector<uint32_t>& ranks,
                       uint32_t gpusPerServer,
                       uint32_t switchesPerServer)
{
    WorkloadSimAiShape shape;
    uint32_t server = UINT32_MAX;
    for (uint32_t member = 0; member < ranks.size(); ++member)
    {
        if (ranks[member] / gpusPerServer != server)
        {
            server = ranks[member] / gpusPerServer;
            shape.servers.emplace_back();
        }
        shape.servers.back().push_back(member);
    }
    shape.switches = shape.servers.size() == 1 ? switchesPerServer : 0;
    return shape;
}

} // namespace ns3
