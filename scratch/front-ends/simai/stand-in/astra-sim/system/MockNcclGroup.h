/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_MOCK_NCCL_GROUP_H
#define STAND_IN_MOCK_NCCL_GROUP_H

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace MockNccl
{

enum GroupType
{
    TP
};

struct SingleFlow
{
    int flow_id;
};

using FlowModels = std::map<std::pair<int, int>, SingleFlow>; ///< by channel and flow

/** The models of collectives. */
class MockNcclGroup
{
  public:
    int g_flow_id{0}; ///< number of the next flow
    std::map<std::string, std::map<int, std::shared_ptr<FlowModels>>> flow_models;

    /** Makes a model of some flows from rank 0 to rank 1, each in the parts of both. */
    void Make(const std::string& name, int flows)
    {
        auto part = std::make_shared<FlowModels>();
        for (; flows > 0; --flows, ++g_flow_id)
        {
            (*part)[{0, g_flow_id}] = {g_flow_id};
        }
        flow_models[name] = {{0, part}, {1, part}};
    }
};

} // namespace MockNccl

#endif // STAND_IN_MOCK_NCCL_GROUP_H
