/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The only file that includes SimAI's headers.

#include "simai-system.h"

#include "astra-sim/system/AstraNetworkAPI.hh"
#include "astra-sim/system/MockNcclChannel.h"
#include "astra-sim/system/MockNcclLog.h"
#include "astra-sim/system/RecvPacketEventHadndlerData.hh"
#include "astra-sim/system/SendPacketEventHandlerData.hh"
#include "astra-sim/system/Sys.hh"
#include "astra-sim/workload/Layer.hh"
#include "simai-flow-models.h"

#include <exception>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace wormhole
{

namespace
{

using ns3::WorkloadFrontEnd;
using ns3::WorkloadMatchChannel;

/** What all nodes share: the tags of messages that were sent, which a receiver is handed with the
 * bytes. */
class SimAiMessages
{
  public:
    void Push(const WorkloadMatchChannel& channel, AstraSim::ncclFlowTag tag)
    {
        // behind those of the same
        // NOLINTNEXTLINE(performance-move-const-arg): as SimAI is compiled, it has a list
        m_tags.emplace(Key{channel.src, channel.dst, channel.tag}, std::move(tag));
    }

    /** \return the tag of the first message of the channel, taken out */
    AstraSim::ncclFlowTag Pop(const WorkloadMatchChannel& channel)
    {
        const auto first = m_tags.lower_bound({channel.src, channel.dst, channel.tag});
        // NOLINTNEXTLINE(performance-move-const-arg): SimAI's own has a list
        AstraSim::ncclFlowTag tag = std::move(first->second);
        m_tags.erase(first);
        return tag;
    }

  private:
    using Key = std::tuple<uint32_t, uint32_t, uint64_t>; // a channel

    std::multimap<Key, AstraSim::ncclFlowTag> m_tags;
};

/** The network as one node sees it. */
class SimAiNetwork final : public AstraSim::AstraNetworkAPI
{
  public:
    SimAiNetwork(int node,
                 int64_t latencyNs,
                 WorkloadFrontEnd& network,
                 SimAiMessages& messages,
                 SimAiFlowModels& models)
        : AstraNetworkAPI(node),
          m_node(static_cast<uint32_t>(node)),
          m_latencyNs(latencyNs),
          m_network(network),
          m_messages(messages),
          m_models(models)
    {
    }

    int sim_comm_size(AstraSim::sim_comm /* comm */, int* /* size */) override
    {
        return 0;
    }

    /** The last GPU is done. */
    int sim_finish() override
    {
        for (uint32_t rank = 0; rank < m_network.GetRankCount(); ++rank)
        {
            m_network.Finish(rank);
        }
        return 0;
    }

    double sim_time_resolution() override
    {
        return 0;
    }

    int sim_init(AstraSim::AstraMemoryAPI* /* memory */) override
    {
        return 0;
    }

    AstraSim::timespec_t sim_get_time() override
    {
        constexpr int64_t PS_PER_NS = 1000;
        const int64_t ns = m_network.NowPs() / PS_PER_NS;
        return {AstraSim::NS, static_cast<double>(ns)};
    }

    void sim_schedule(AstraSim::timespec_t delta, void (*handler)(void*), void* arg) override
    {
        m_network.Schedule(m_node, static_cast<int64_t>(delta.time_val), [this, handler, arg] {
            Call(handler, arg);
        });
    }

    int sim_send(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int dst,
                 int /* tag */,
                 AstraSim::sim_request* request,
                 void (*handler)(void*),
                 void* arg) override
    {
        auto* const data = static_cast<AstraSim::SendPacketEventHandlerData*>(arg);
        const WorkloadMatchChannel channel{m_node,
                                           static_cast<uint32_t>(dst),
                                           static_cast<uint32_t>(request->flowTag.tag_id)};
        data->flowTag = request->flowTag; // which SimAI looks at when it is told
        // NOLINTNEXTLINE(performance-move-const-arg): the request is not looked at any more
        m_messages.Push(channel, std::move(request->flowTag));
        m_network.SendAfter(channel, count, m_latencyNs, [this, handler, data] {
            const bool isLeft = data->event == AstraSim::EventType::PacketSentFinshed;
            Call(handler, data);
            if (isLeft) // SimAI frees what comes with other events
            {
                delete data;
            }
        });
        return 0;
    }

    int sim_recv(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int src,
                 int /* tag */,
                 AstraSim::sim_request* /* request */,
                 void (*handler)(void*),
                 void* arg) override
    {
        std::unique_ptr<AstraSim::RecvPacketEventHadndlerData> data(
            static_cast<AstraSim::RecvPacketEventHadndlerData*>(arg));
        const WorkloadMatchChannel channel{static_cast<uint32_t>(src),
                                           m_node,
                                           static_cast<uint32_t>(data->flowTag.tag_id)};
        if (!m_awaited.try_emplace({channel.src, channel.tag}, std::move(data)).second)
        {
            return 0; // an all-to-all asks once for each flow that it sends, and is told once
        }
        m_network.Receive(channel, count, [this, channel, handler] {
            auto* const awaited = m_awaited.extract({channel.src, channel.tag}).mapped().release();
            awaited->flowTag = m_messages.Pop(channel);
            const int flow = awaited->flowTag.current_flow_id;
            Call(handler, awaited); // frees it
            m_models.Received(flow);
        });
        return 0;
    }

  private:
    void Call(void (*handler)(void*), void* arg)
    {
        try
        {
            handler(arg);
        }
        catch (const std::exception& error)
        {
            m_network.Fail("SimAI, node " + std::to_string(m_node) + ": " + error.what());
        }
    }

    uint32_t m_node;
    int64_t m_latencyNs;
    WorkloadFrontEnd& m_network;
    SimAiMessages& m_messages;
    SimAiFlowModels& m_models;
    /** What it asked for, by sources and tags. */
    std::map<std::pair<uint32_t, uint64_t>, std::unique_ptr<AstraSim::RecvPacketEventHadndlerData>>
        m_awaited;
};

GPUType
TypeOf(const std::string& name)
{
    return name == "A100"   ? GPUType::A100
           : name == "A800" ? GPUType::A800
           : name == "H100" ? GPUType::H100
           : name == "H800" ? GPUType::H800
                            : GPUType::NONE;
}

/** Makes SimAI take a collective for what it can run. */
void
Correct(AstraSim::Layer& layer, const SimAiCorrection& correction)
{
    const auto set = [&correction](AstraSim::ComType& type, uint64_t& bytes) {
        bytes = correction.bytes;
        type = bytes == 0 ? AstraSim::ComType::None : type;
    };
    switch (correction.pass)
    {
    case ns3::WorkloadSimAiPass::FWD:
        set(layer.fwd_pass_comm_type, layer.fwd_pass_comm_size);
        break;
    case ns3::WorkloadSimAiPass::IG:
        set(layer.input_grad_comm_type, layer.input_grad_comm_size);
        break;
    case ns3::WorkloadSimAiPass::WG:
        set(layer.weight_grad_comm_type, layer.weight_grad_comm_size);
        break;
    }
}

/** All of SimAI; never freed: its objects delete themselves. */
struct SimAiObjects
{
    SimAiMessages messages;
    SimAiFlowModels models;
    std::vector<std::unique_ptr<SimAiNetwork>> networks;
    std::vector<AstraSim::Sys*> systems;
};

class SimAiSystem final : public FrontEnd
{
  public:
    SimAiSystem(const SimAiInputs& inputs, WorkloadFrontEnd& network)
        : m_objects(GetAll()),
          m_network(network)
    {
        MockNcclLog::set_log_name("SimAI.log");
        const auto nodes = static_cast<int>(inputs.gpus + inputs.nvSwitches);
        const auto gpus = static_cast<int>(inputs.gpus);
        const auto perServer = static_cast<int>(inputs.gpusPerServer);
        std::vector<int> nvSwitches;
        for (int node = gpus; node < nodes; ++node)
        {
            nvSwitches.push_back(node);
        }
        for (int node = 0; node < nodes; ++node)
        {
            m_objects.networks.push_back(std::make_unique<SimAiNetwork>(node,
                                                                        inputs.sendLatencyNs,
                                                                        network,
                                                                        m_objects.messages,
                                                                        m_objects.models));
            auto* const system = new AstraSim::Sys(m_objects.networks.back().get(),
                                                   nullptr,
                                                   node,
                                                   0,
                                                   1,
                                                   {nodes},
                                                   {1},
                                                   "",
                                                   inputs.workload,
                                                   1,
                                                   1,
                                                   1,
                                                   1,
                                                   0,
                                                   inputs.results,
                                                   "test1",
                                                   true,
                                                   false,
                                                   TypeOf(inputs.gpuType),
                                                   {gpus},
                                                   nvSwitches,
                                                   perServer);
            system->nvswitch_id = node < gpus ? gpus + node / perServer : node;
            system->num_gpus = gpus;
            for (const SimAiCorrection& correction : inputs.corrections)
            {
                Correct(*system->workload->layers[correction.layer], correction);
            }
            m_objects.systems.push_back(system);
        }
        const auto& groups = m_objects.systems.front()->mock_nccl_comms;
        if (!groups.empty()) // all have the same
        {
            m_objects.models.SetGroup(*groups.begin()->second->GlobalGroup);
        }
    }

    void Begin() override
    {
        try
        {
            for (AstraSim::Sys* system : m_objects.systems)
            {
                system->workload->fire();
            }
        }
        catch (const std::exception& error)
        {
            m_network.Fail(std::string("SimAI: ") + error.what());
        }
    }

    void End() override
    {
    }

  private:
    static SimAiObjects& GetAll()
    {
        static auto* const s_all = new SimAiObjects;
        return *s_all;
    }

    SimAiObjects& m_objects;
    WorkloadFrontEnd& m_network;
};

} // namespace

std::unique_ptr<FrontEnd>
MakeSimAiSystem(const SimAiInputs& inputs, WorkloadFrontEnd& network)
{
    return std::make_unique<SimAiSystem>(inputs, network);
}

} // namespace wormhole
