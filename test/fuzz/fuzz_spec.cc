/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"

#include <cstdlib>
#include <string>

using namespace ns3;

namespace
{

/** What every generated topology has. */
bool
IsSound(const RdmaTopology& topology)
{
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (link.a >= topology.nodes.size() || link.b >= topology.nodes.size() ||
            link.a == link.b || link.rate.GetBitRate() == 0 || link.delay.IsStrictlyNegative() ||
            !(link.errorRate >= 0 && link.errorRate <= 1))
        {
            return false;
        }
    }
    return topology.Count(RdmaNodeKind::HOST) > 0 && !topology.links.empty();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try
    {
        if (!IsSound(GenerateRdmaTopology(std::string(reinterpret_cast<const char*>(data), size))))
        {
            std::abort();
        }
    }
    catch (const InputError&)
    {
        // what a bad specification must lead to
    }
    return 0;
}
