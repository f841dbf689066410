/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-keys.h"

namespace ns3
{

const RdmaHpccKey*
FindRdmaHpccKey(const std::string& name)
{
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        if (key.name == name)
        {
            return &key;
        }
    }
    return nullptr;
}

} // namespace ns3
