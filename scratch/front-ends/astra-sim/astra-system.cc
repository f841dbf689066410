/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The only file that includes ASTRA-sim's headers, and none of ns-3's own: both define LOG_INFO.

#include "astra-system.h"

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "astra-sim/common/Logging.hh"
#include "astra-sim/system/Sys.hh"
#include "extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh"

#include "ns3/input-error.h"

#include <exception>
#include <functional>

namespace wormhole
{

namespace
{

constexpr int64_t PS_PER_NS = 1000;

/** \return whole nanoseconds, which are ASTRA-sim's cycles */
int64_t
ToNs(const AstraSim::timespec_t& time)
{
    switch (time.time_res)
    {
    case AstraSim::SE:
        return static_cast<int64_t>(time.time_val * 1000000000);
    case AstraSim::MS:
        return static_cast<int64_t>(time.time_val * 1000000);
    case AstraSim::US:
        return static_cast<int64_t>(time.time_val * 1000);
    case AstraSim::NS:
        return static_cast<int64_t>(time.time_val);
    case AstraSim::FS:
        break;
    }
    return static_cast<int64_t>(time.time_val / 1000000);
}

/** The network as one NPU sees it. */
class AstraNetwork final : public AstraSim::AstraNetworkAPI
{
  public:
    AstraNetwork(int npu, ns3::WorkloadFrontEnd& network)
        : AstraNetworkAPI(npu),
          m_npu(static_cast<uint32_t>(npu)),
          m_network(network)
    {
    }

    int sim_send(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int dst,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*handler)(void*),
                 void* arg) override
    {
        m_network.Send({m_npu, static_cast<uint32_t>(dst), static_cast<uint32_t>(tag)},
                       count,
                       Call(handler, arg));
        return 0;
    }

    int sim_recv(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int src,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*handler)(void*),
                 void* arg) override
    {
        m_network.Receive({static_cast<uint32_t>(src), m_npu, static_cast<uint32_t>(tag)},
                          count,
                          Call(handler, arg));
        return 0;
    }

    void sim_schedule(AstraSim::timespec_t delta, void (*handler)(void*), void* arg) override
    {
        m_network.Schedule(m_npu, ToNs(delta), Call(handler, arg));
    }

    AstraSim::timespec_t sim_get_time() override
    {
        const int64_t ns = m_network.NowPs() / PS_PER_NS;
        return {AstraSim::NS, static_cast<long double>(ns)};
    }

    BackendType get_backend_type() override
    {
        return BackendType::NS3; // the nearest: packets, and no bandwidth per dimension
    }

    void sim_notify_finished() override
    {
        m_network.Finish(m_npu);
    }

  private:
    ns3::WorkloadFrontEnd::Action Call(void (*handler)(void*), void* arg)
    {
        if (!handler)
        {
            return {};
        }
        return [this, handler, arg] {
            try
            {
                handler(arg);
            }
            catch (const std::exception& error) // of the reader of traces, for example
            {
                m_network.Fail("ASTRA-sim, NPU " + std::to_string(m_npu) + ": " + error.what());
            }
        };
    }

    uint32_t m_npu;
    ns3::WorkloadFrontEnd& m_network;
};

/** All of ASTRA-sim; never freed, as in its own front ends: its objects refer to each other. */
struct AstraObjects
{
    std::unique_ptr<Analytical::AnalyticalRemoteMemory> memory;
    std::vector<std::unique_ptr<AstraNetwork>> networks;
    std::vector<std::unique_ptr<AstraSim::Sys>> systems;
};

class AstraSystem final : public FrontEnd
{
  public:
    AstraSystem(const AstraInputs& inputs, ns3::WorkloadFrontEnd& network)
        : m_objects(GetAll()),
          m_network(network)
    {
        NameInput("--logging-configuration " + inputs.logging,
                  [&] { AstraSim::LoggerFactory::init(inputs.logging); });
        m_objects.memory = std::make_unique<Analytical::AnalyticalRemoteMemory>(inputs.memory);
        for (uint32_t npu = 0; npu < network.GetRankCount(); ++npu)
        {
            m_objects.networks.push_back(
                std::make_unique<AstraNetwork>(static_cast<int>(npu), network));
            NameInput(inputs.workload + "." + std::to_string(npu) + ".et, " + inputs.system,
                      [&] { AddNpu(npu, inputs); });
        }
    }

    void Begin() override
    {
        try
        {
            for (const auto& system : m_objects.systems)
            {
                system->workload->fire();
            }
        }
        catch (const std::exception& error)
        {
            m_network.Fail(std::string("ASTRA-sim: ") + error.what());
        }
    }

    void End() override
    {
        AstraSim::LoggerFactory::shutdown(); // writes what its thread has not yet
    }

  private:
    /** Does what throws when ASTRA-sim does not like an input. \throws InputError that names it */
    static void NameInput(const std::string& input, const std::function<void()>& read)
    {
        try
        {
            read();
        }
        catch (const std::exception& error)
        {
            throw ns3::InputError(input + ": ASTRA-sim says: " + error.what());
        }
    }

    void AddNpu(uint32_t npu, const AstraInputs& inputs)
    {
        m_objects.systems.push_back(std::make_unique<AstraSim::Sys>(
            static_cast<int>(npu),
            inputs.workload,
            inputs.groups,
            inputs.system,
            m_objects.memory.get(),
            m_objects.networks.back().get(),
            inputs.dims,
            std::vector<int>(inputs.dims.size(), inputs.queuesPerDim),
            inputs.injectionScale,
            inputs.commScale,
            inputs.rendezvous));
    }

    static AstraObjects& GetAll()
    {
        static auto* const s_all = new AstraObjects;
        return *s_all;
    }

    AstraObjects& m_objects;
    ns3::WorkloadFrontEnd& m_network;
};

} // namespace

std::unique_ptr<FrontEnd>
MakeAstraSystem(const AstraInputs& inputs, ns3::WorkloadFrontEnd& network)
{
    return std::make_unique<AstraSystem>(inputs, network);
}

std::string
DescribeAstraTag(uint64_t tag)
{
    constexpr uint64_t COLLECTIVE = 500000000;
    constexpr uint64_t RENDEZVOUS = 1000000000;
    return tag >= RENDEZVOUS   ? "rendezvous of " + DescribeAstraTag(tag - RENDEZVOUS)
           : tag >= COLLECTIVE ? "collective stream " + std::to_string(tag - COLLECTIVE)
                               : "tag " + std::to_string(tag);
}

} // namespace wormhole
