/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_PROGRAM_TRANSPORT_H
#define WORMHOLE_CLI_WORKLOAD_PROGRAM_TRANSPORT_H

#include "workload-program.h"

#include "ns3/workload-transport.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/**
 * A run of one job whose rank r is host r of a transport: what SimAI's and Chakra's have in common.
 * \tparam Runner of ns3::WorkloadSimAiRunner and ns3::WorkloadChakraRunner
 * \tparam Input what the runner runs
 * \tparam Options of the runner
 */
template <typename Runner, typename Input, typename Options>
class TransportProgram : public WorkloadProgram
{
  public:
    /**
     * \param name of the job
     * \param input must outlive the program
     * \param options for the run
     * \param transport must outlive the program
     * \throws InputError if the topology does not fit
     */
    TransportProgram(std::string name,
                     const Input& input,
                     const Options& options,
                     ns3::WorkloadTransport& transport)
        : m_name(std::move(name)),
          m_input(input),
          m_transport(transport),
          m_runner(input, options, transport, this)
    {
    }

    uint64_t GetEventCount() const final
    {
        return m_transport.GetEventCount();
    }

    std::vector<std::string> Explain(size_t most) const final
    {
        return m_runner.ExplainStall(most);
    }

    uint64_t GetCompleted() const final
    {
        return m_runner.GetCompleted();
    }

  protected:
    /** \return ranks of the job */
    virtual size_t CountRanks() const = 0;

    const std::string& GetName() const
    {
        return m_name;
    }

    const Input& GetInput() const
    {
        return m_input;
    }

    const Runner& GetRunner() const
    {
        return m_runner;
    }

  private:
    std::vector<ns3::WorkloadResultsJob> Describe() const final
    {
        return {{m_name, static_cast<uint32_t>(CountRanks()), Runner::GetCategories(), {}}};
    }

    uint32_t GetNode(uint32_t process) const final
    {
        return process;
    }

    std::vector<std::vector<uint32_t>> GetHosts() const final
    {
        std::vector<std::vector<uint32_t>> hosts(CountRanks());
        for (size_t rank = 0; rank < hosts.size(); ++rank)
        {
            hosts[rank].push_back(static_cast<uint32_t>(rank));
        }
        return hosts;
    }

    std::vector<std::string> GetLabels() const final
    {
        return Runner::GetCategories();
    }

    std::string GetDisturbed() const final
    {
        return m_runner.GetDisturbed();
    }

    uint64_t GetTotal() const final
    {
        return m_runner.GetTotal();
    }

    int64_t GetNow() const final
    {
        return m_transport.Now();
    }

    bool RunJobs(const std::function<void()>& pulse) final
    {
        m_transport.SetPulse(pulse);
        return m_runner.Run();
    }

    void StopJobs() final
    {
        m_transport.Stop();
    }

    std::string m_name;
    const Input& m_input;
    ns3::WorkloadTransport& m_transport;
    Runner m_runner;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_PROGRAM_TRANSPORT_H
