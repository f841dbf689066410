/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_FLOW_MODELS_H
#define WORMHOLE_SIMAI_FLOW_MODELS_H

#include "astra-sim/system/MockNcclChannel.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <map>
#include <string>

namespace wormhole
{

/**
 * Frees SimAI's models of collectives, which it keeps to its end: half of its memory. A model is
 * not needed any more once all its flows have come: all its members have fetched it, and a pass
 * asks for it once.
 */
class SimAiFlowModels
{
  public:
    /** \param group that holds the models, and outlives this */
    void SetGroup(MockNccl::MockNcclGroup& group)
    {
        m_group = &group;
    }

    /** A flow of a collective has come. \param flow its number; O(log models) on average */
    void Received(int flow)
    {
        if (m_group && flow >= m_known)
        {
            Learn();
        }
        auto model = m_models.upper_bound(flow);
        if (model == m_models.begin() || --(--model)->second.left > 0)
        {
            return;
        }
        m_group->flow_models.erase(model->second.name);
        m_models.erase(model);
    }

  private:
    struct Model
    {
        std::string name;
        size_t left{0}; //!< flows that have not come
    };

    /** Takes note of models that are new. The flows of one are numbered one after the other. */
    void Learn()
    {
        for (const auto& [name, parts] : m_group->flow_models)
        {
            int first = INT_MAX;
            size_t ends = 0; // each flow is in the parts of its sender and its receiver
            for (const auto& [rank, part] : parts)
            {
                if (!part)
                {
                    continue; // a switch without flows
                }
                ends += part->size();
                for (const auto& flow : *part)
                {
                    first = std::min(first, flow.second.flow_id);
                }
            }
            if (ends > 0 && first >= m_known)
            {
                m_models[first] = {name, ends / 2};
            }
        }
        m_known = m_group->g_flow_id;
    }

    MockNccl::MockNcclGroup* m_group{nullptr}; //!< null: there are no models
    int m_known{0};                            //!< number of the first flow that is not known
    std::map<int, Model> m_models;             //!< by the number of their first flow
};

} // namespace wormhole

#endif // WORMHOLE_SIMAI_FLOW_MODELS_H
