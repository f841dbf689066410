/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SYS_HH
#define STAND_IN_SYS_HH

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh"

#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace AstraSim
{

/**
 * The trace of an NPU, PREFIX.NPU.et, which here is a text: a line for each step, one after the
 * other.
 *
 *     compute NS
 *     send NPU TAG BYTES      goes on at once
 *     deliver NPU TAG BYTES   sends, and goes on when the network says that it is sent
 *     receive NPU TAG BYTES   goes on when the network says that it has come
 *     fail                    throws, as the reader of traces does
 *
 * One that ends with "endless" throws as it is read.
 */
class Workload
{
  public:
    Workload(const std::string& prefix, AstraNetworkAPI& network)
        : m_network(network)
    {
        std::ifstream in(prefix + "." + std::to_string(network.rank) + ".et");
        for (std::string line; std::getline(in, line);)
        {
            m_steps.push_back(line);
        }
        if (!m_steps.empty() && m_steps.back() == "endless")
        {
            throw std::runtime_error("no end");
        }
    }

    void fire()
    {
        while (m_next < m_steps.size())
        {
            std::istringstream step(m_steps[m_next++]);
            std::string verb;
            int peer = 0;
            int tag = 0;
            uint64_t count = 0;
            step >> verb;
            if (verb == "compute")
            {
                step >> count;
                m_network.sim_schedule({NS, static_cast<long double>(count)}, GoOn, this);
                return;
            }
            step >> peer >> tag >> count;
            if (verb == "fail")
            {
                throw std::runtime_error("no such attribute");
            }
            if (verb == "receive")
            {
                m_network.sim_recv(nullptr, count, 0, peer, tag, nullptr, GoOn, this);
                return;
            }
            const bool waits = verb == "deliver";
            m_network.sim_send(nullptr, count, 0, peer, tag, nullptr, waits ? GoOn : nullptr, this);
            if (waits)
            {
                return;
            }
        }
        std::cout << "sys[" << m_network.rank << "] finished, "
                  << static_cast<uint64_t>(m_network.sim_get_time().time_val) << " cycles"
                  << std::endl;
        m_network.sim_notify_finished();
    }

  private:
    static void GoOn(void* workload)
    {
        static_cast<Workload*>(workload)->fire();
    }

    AstraNetworkAPI& m_network;
    std::vector<std::string> m_steps;
    size_t m_next{0};
};

/** The system layer: here, its workload alone. */
class Sys
{
  public:
    Sys(int /* id */,
        const std::string& workload_configuration,
        const std::string& /* comm_group_configuration */,
        const std::string& /* system_configuration */,
        AstraRemoteMemoryAPI* /* remote_mem */,
        AstraNetworkAPI* comm_NI,
        const std::vector<int>& /* physical_dims */,
        const std::vector<int>& /* queues_per_dim */,
        double /* injection_scale */,
        double /* comm_scale */,
        bool /* rendezvous_enabled */)
        : m_workload(workload_configuration, *comm_NI),
          workload(&m_workload)
    {
    }

  private:
    Workload m_workload;

  public:
    Workload* workload;
};

} // namespace AstraSim

#endif // STAND_IN_SYS_HH
