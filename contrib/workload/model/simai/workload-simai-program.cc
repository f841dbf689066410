/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-program.h"

#include "workload-simai-flows.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** SimAI's least size of a collective in the forward pass of HYBRID_TRANSFORMER_FWD_IN_BCKWD. */
constexpr uint64_t MIN_FORWARD_BYTES = 4096;

constexpr uint32_t NO_OPERATION = UINT32_MAX;

using Pass = WorkloadSimAiPass;
using Policy = WorkloadSimAiPolicy;

class Compiler
{
  public:
    Compiler(const WorkloadSimAiFile& file,
             const WorkloadSimAiOptions& options,
             const WorkloadSimAiGroups& groups)
        : m_file(file),
          m_options(options),
          m_groups(groups),
          m_layers(uint32_t(file.layers.size()))
    {
    }

    WorkloadSimAiProgram Compile()
    {
        switch (m_file.policy)
        {
        case Policy::MICRO:
            InTurn(Pass::WG);
            break;
        case Policy::DISTRIBUTED_INFERENCE:
            InTurn(Pass::FWD);
            break;
        case Policy::DATA:
        case Policy::HYBRID_DLRM:
        case Policy::HYBRID_DLRM_ENHANCED:
            DataParallel();
            break;
        case Policy::HYBRID_TRANSFORMER:
        case Policy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
            Transformer();
            break;
        case Policy::MODEL:
        case Policy::HYBRID_DATA_MODEL:
        case Policy::HYBRID_MODEL_DATA:
        case Policy::HYBRID_CUSTOMIZED:
            ModelParallel();
            break;
        }
        return std::move(m_program);
    }

  private:
    void InTurn(Pass pass)
    {
        for (uint32_t layer = 0; layer < m_layers; ++layer)
        {
            Blocking(layer, pass);
        }
    }

    void DataParallel()
    {
        for (uint32_t layer = 0; layer < m_layers; ++layer)
        {
            Compute(layer, Pass::FWD);
            Tick();
        }
        for (uint32_t layer = m_layers; layer-- > 0;)
        {
            Compute(layer, Pass::WG);
            Issue(layer, Pass::WG);
            Tick();
            if (layer > 0)
            {
                Compute(layer, Pass::IG);
                Tick();
            }
        }
    }

    void Transformer()
    {
        InTurn(Pass::FWD);
        for (uint32_t layer = m_layers; layer-- > 0;)
        {
            if (m_file.layers[layer].initiates)
            {
                Recompute(layer);
            }
            Blocking(layer, Pass::IG);
            Compute(layer, Pass::WG);
            Issue(layer, Pass::WG);
            Tick();
        }
    }

    /** Runs the layers from the nearest checkpoint up to this one forward again. */
    void Recompute(uint32_t layer)
    {
        Tick();
        uint32_t first = layer;
        while (!m_file.layers[first].checkpoint)
        {
            --first;
        }
        for (; first < layer; ++first)
        {
            Blocking(first, Pass::FWD);
        }
    }

    /** The input gradient's collective goes on during the weight gradient's computation; SimAI
     * leaves out that of layer 0, which nobody needs. */
    void ModelParallel()
    {
        InTurn(Pass::FWD);
        for (uint32_t layer = m_layers; layer-- > 0;)
        {
            Compute(layer, Pass::IG);
            const uint32_t inputs = layer > 0 ? Issue(layer, Pass::IG) : NO_OPERATION;
            Tick();
            Compute(layer, Pass::WG);
            Issue(layer, Pass::WG);
            Await(inputs);
            Tick();
        }
    }

    void Blocking(uint32_t layer, Pass pass)
    {
        Compute(layer, pass);
        Await(Issue(layer, pass));
        Tick();
    }

    void Compute(uint32_t layer, Pass pass)
    {
        const uint64_t ns = m_file.layers[layer].Part(pass).computeNs;
        if (ns > 0)
        {
            m_program.steps.push_back({WorkloadSimAiStep::Kind::COMPUTE, pass, layer, 0, ns});
            m_program.computeNs += ns;
        }
    }

    void Tick()
    {
        m_program.steps.push_back({WorkloadSimAiStep::Kind::TICK, Pass::FWD, 0, 0, 1});
    }

    /** \return the operation, or NO_OPERATION if there is nothing to communicate */
    uint32_t Issue(uint32_t layer, Pass pass)
    {
        const WorkloadSimAiPart& part = m_file.layers[layer].Part(pass);
        if (!Communicates(m_file.layers[layer], pass))
        {
            return NO_OPERATION;
        }
        WorkloadSimAiOperation operation;
        operation.layer = layer;
        operation.pass = pass;
        operation.kind = part.kind;
        operation.group = part.group;
        operation.bytes = Bytes(part, pass);
        operation.queue = m_file.HasParallelism() && pass != Pass::WG ? 0 : 1;
        operation.dimension = Dimension(pass);
        const uint32_t number = uint32_t(m_program.operations.size());
        m_program.operations.push_back(operation);
        m_program.steps.push_back({WorkloadSimAiStep::Kind::ISSUE, pass, layer, number, 0});
        return number;
    }

    void Await(uint32_t operation)
    {
        if (operation != NO_OPERATION)
        {
            const WorkloadSimAiOperation& awaited = m_program.operations[operation];
            m_program.steps.push_back(
                {WorkloadSimAiStep::Kind::AWAIT, awaited.pass, awaited.layer, operation, 0});
        }
    }

    bool Communicates(const WorkloadSimAiLayer& layer, Pass pass) const
    {
        const WorkloadSimAiPart& part = layer.Part(pass);
        if (part.kind == WorkloadSimAiKind::NONE || part.bytes == 0 ||
            m_groups.GetSize(part.group) < 2 || !WorkloadSimAiInvolves(layer.policy, pass))
        {
            return false;
        }
        return !m_options.literal || Dimension(pass) > 1;
    }

    uint32_t Dimension(Pass pass) const
    {
        const uint32_t nodes = m_groups.GetCount() + m_options.nvSwitches;
        const uint32_t tp = m_groups.GetSize(WorkloadSimAiGroup::TP);
        return !m_file.HasParallelism() ? nodes : pass == Pass::WG ? nodes / tp : tp;
    }

    uint64_t Bytes(const WorkloadSimAiPart& part, Pass pass) const
    {
        uint64_t bytes = part.bytes;
        if (m_file.policy == Policy::HYBRID_TRANSFORMER_FWD_IN_BCKWD && pass == Pass::FWD)
        {
            bytes = std::max(bytes, MIN_FORWARD_BYTES);
        }
        return m_options.literal ? WorkloadSimAiFloatBytes(bytes) : bytes;
    }

    const WorkloadSimAiFile& m_file;
    const WorkloadSimAiOptions& m_options;
    const WorkloadSimAiGroups& m_groups;
    uint32_t m_layers;
    WorkloadSimAiProgram m_program;
};

} // namespace

WorkloadSimAiProgram
MakeWorkloadSimAiProgram(const WorkloadSimAiFile& file,
                         const WorkloadSimAiOptions& options,
                         const WorkloadSimAiGroups& groups)
{
    return Compiler(file, options, groups).Compile();
}

} // namespace ns3
