/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SIMAI_SYS_HH
#define STAND_IN_SIMAI_SYS_HH

#include "astra-sim/system/AstraNetworkAPI.hh"
#include "astra-sim/system/MockNcclChannel.h"
#include "astra-sim/system/MockNcclLog.h"
#include "astra-sim/system/RecvPacketEventHadndlerData.hh"
#include "astra-sim/system/SendPacketEventHandlerData.hh"
#include "astra-sim/workload/Layer.hh"

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

enum class GPUType
{
    A100,
    A800,
    H100,
    H800,
    NONE,
    H20
};

namespace AstraSim
{

/**
 * The workload of a node: a text with a line for each step, "NODE STEP", one after the other.
 *
 *     compute NS
 *     send NODE TAG BYTES ID      goes on when the network says that it is sent
 *     receive NODE TAG BYTES ID   goes on when it has come, which must be flow ID
 *     ask NODE TAG BYTES ID       as receive, but goes on at once, too: more than one may wait
 *     model NAME FLOWS            makes the model of a collective, with its next flows
 *     count                       prints how many models there are
 *     level                       prints the level of its log
 *
 * Or one of SimAI's own: node 0 prints the collectives of its layers, and nothing runs.
 */
class Workload
{
  public:
    Workload(int node, const std::string& file, std::string results, AstraNetworkAPI& network)
        : m_node(node),
          m_results(std::move(results)),
          m_network(network)
    {
        ++Left();
        std::ifstream in(file);
        if (in.peek() == 'H') // HYBRID_...
        {
            ReadLayers(in);
            return;
        }
        for (std::string line; std::getline(in, line);)
        {
            std::istringstream words(line);
            int of = -1;
            words >> of;
            if (of == node)
            {
                std::getline(words, line);
                m_steps.push_back(line);
            }
        }
    }

    void fire()
    {
        if (m_next == m_steps.size())
        {
            PrintLayers();
            Finish();
            return;
        }
        std::istringstream step(m_steps[m_next++]);
        std::string verb;
        step >> verb;
        if (verb == "compute")
        {
            double ns = 0;
            step >> ns;
            m_network.sim_schedule({NS, ns}, GoOn, this);
            return;
        }
        if (verb == "model" || verb == "count")
        {
            std::string name;
            int flows = 0;
            if (step >> name >> flows)
            {
                GetGroup().Make(name, flows);
            }
            else
            {
                std::printf("%zu models\n", GetGroup().flow_models.size());
            }
            fire();
            return;
        }
        if (verb == "level")
        {
            std::printf("level %d\n", MockNcclLog::GetLevel());
            fire();
            return;
        }
        int peer = 0;
        uint64_t count = 0;
        sim_request request;
        step >> peer >> request.flowTag.tag_id >> count >> m_expected;
        if (verb == "send")
        {
            request.flowTag.current_flow_id = m_expected;
            auto* const sent = new SendPacketEventHandlerData;
            sent->workload = this;
            m_network
                .sim_send(nullptr, count, 0, peer, request.flowTag.tag_id, &request, Sent, sent);
            return;
        }
        auto* const received = new RecvPacketEventHadndlerData;
        received->workload = this;
        received->expected = m_expected;
        received->flowTag.tag_id = request.flowTag.tag_id;
        m_network.sim_recv(nullptr, count, 0, peer, 0, &request, Received, received);
        if (verb == "ask")
        {
            fire();
        }
    }

    Layer** layers{nullptr};

    static MockNccl::MockNcclGroup& GetGroup()
    {
        static MockNccl::MockNcclGroup s_group;
        return s_group;
    }

  private:
    static int& Left()
    {
        static int s_left = 0;
        return s_left;
    }

    void ReadLayers(std::ifstream& in)
    {
        std::string line;
        std::getline(in, line);
        std::getline(in, line);
        while (std::getline(in, line))
        {
            std::istringstream words(line);
            Layer layer;
            std::string skipped;
            const auto read = [&](ComType& type, uint64_t& bytes) {
                std::string name;
                words >> skipped >> name >> bytes;
                type = name == "ALLREDUCE" ? ComType::All_Reduce : ComType::None;
            };
            words >> layer.id >> skipped;
            read(layer.fwd_pass_comm_type, layer.fwd_pass_comm_size);
            read(layer.input_grad_comm_type, layer.input_grad_comm_size);
            read(layer.weight_grad_comm_type, layer.weight_grad_comm_size);
            m_layers.push_back(layer);
        }
        for (Layer& layer : m_layers)
        {
            m_pointers.push_back(&layer);
        }
        layers = m_pointers.data();
    }

    void PrintLayers() const
    {
        for (const Layer& layer : m_layers)
        {
            if (m_node == 0)
            {
                std::printf("%s", layer.id.c_str());
                Print(layer.fwd_pass_comm_type, layer.fwd_pass_comm_size);
                Print(layer.input_grad_comm_type, layer.input_grad_comm_size);
                Print(layer.weight_grad_comm_type, layer.weight_grad_comm_size);
                std::printf("\n");
            }
        }
    }

    static void Print(ComType type, uint64_t bytes)
    {
        std::printf(" %s %llu",
                    type == ComType::None ? "none" : "all-reduce",
                    static_cast<unsigned long long>(bytes));
    }

    static void GoOn(void* workload)
    {
        static_cast<Workload*>(workload)->fire();
    }

    static void Sent(void* data)
    {
        auto* const sent = static_cast<SendPacketEventHandlerData*>(data);
        sent->workload->Check(sent->flowTag);
    }

    static void Received(void* data)
    {
        const std::unique_ptr<RecvPacketEventHadndlerData> received(
            static_cast<RecvPacketEventHadndlerData*>(data));
        if (received->expected == received->flowTag.current_flow_id)
        {
            received->workload->Check(received->flowTag);
        }
    }

    /** Goes on if it is the flow of this step; otherwise the node is stuck. */
    void Check(const ncclFlowTag& tag)
    {
        if (tag.current_flow_id == m_expected)
        {
            fire();
        }
    }

    /** The last node writes the report, and ends the run. */
    void Finish()
    {
        const auto ns = static_cast<long long>(m_network.sim_get_time().time_val);
        std::printf("node %d finished at %lld\n", m_node, ns);
        std::fflush(stdout);
        if (--Left() == 0)
        {
            std::ofstream(m_results + "EndToEnd.csv") << "Total time," << ns << "\n";
            m_network.sim_finish();
        }
    }

    int m_node;
    std::string m_results;
    AstraNetworkAPI& m_network;
    std::vector<Layer> m_layers;
    std::vector<Layer*> m_pointers; //!< to m_layers
    std::vector<std::string> m_steps;
    size_t m_next{0};
    int m_expected{-1};
};

/** The system layer: here, its workload alone. */
class Sys
{
  public:
    Sys(AstraNetworkAPI* network,
        AstraMemoryAPI* /* memory */,
        int id,
        int /* npu_offset */,
        int /* num_passes */,
        const std::vector<int>& /* physical_dims */,
        const std::vector<int>& /* queues_per_dim */,
        const std::string& /* my_sys */,
        const std::string& my_workload,
        float /* comm_scale */,
        float /* compute_scale */,
        float /* injection_scale */,
        int /* total_stat_rows */,
        int /* stat_row */,
        const std::string& path,
        const std::string& /* run_name */,
        bool /* separate_log */,
        bool /* rendezvous_enabled */,
        GPUType /* gpu_type */,
        const std::vector<int>& /* all_gpus */,
        const std::vector<int>& /* nvSwitches */,
        int /* ngpus_per_node */)
        : workload(new Workload(id, my_workload, path, *network)),
          mock_nccl_comms{{MockNccl::TP, new MockNccl::MockNcclComm{&Workload::GetGroup()}}}
    {
    }

    Workload* workload;
    std::map<MockNccl::GroupType, MockNccl::MockNcclComm*> mock_nccl_comms;
    int nvswitch_id{0};
    int num_gpus{0};
};

} // namespace AstraSim

#endif // STAND_IN_SIMAI_SYS_HH
