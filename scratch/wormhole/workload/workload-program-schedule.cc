/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program-schedule.h"

#include "ns3/workload-loggops-network.h"
#include "ns3/workload-message-network.h"
#include "ns3/workload-runner.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{

namespace
{

constexpr size_t CATEGORIES = 256; // that a job may have, in labels of transfers

ns3::WorkloadMessageOptions
MessageOptions(const WorkloadOptions& options)
{
    ns3::WorkloadMessageOptions message;
    message.eagerBytes = options.eagerLimit.value_or(message.eagerBytes);
    message.handshakeBytes = options.handshakeBytes.value_or(message.handshakeBytes);
    message.overheadPs = static_cast<int64_t>(std::llround(options.overheadNs.value_or(0) * 1000));
    return message;
}

/** \return how many more sends than receives there are, 0 if fewer */
uint64_t
CountUnreceived(const ns3::WorkloadSchedule& schedule)
{
    uint64_t sends = 0;
    uint64_t receives = 0;
    for (const ns3::WorkloadRank& rank : schedule.ranks)
    {
        for (const ns3::WorkloadOperation& operation : rank.operations)
        {
            sends += operation.kind == ns3::WorkloadKind::SEND;
            receives += operation.kind == ns3::WorkloadKind::RECV;
        }
    }
    return sends - std::min(sends, receives);
}

class ScheduleProgram final : public WorkloadProgram
{
  public:
    ScheduleProgram(std::vector<ns3::WorkloadJob> jobs,
                    const WorkloadOptions& options,
                    ns3::WorkloadTransport* transport)
        : m_jobs(std::move(jobs)),
          m_transport(transport),
          m_eagerBytes(MessageOptions(options).eagerBytes)
    {
        if (transport)
        {
            m_messages =
                std::make_unique<ns3::WorkloadMessageNetwork>(*transport, MessageOptions(options));
        }
        else
        {
            m_logGops = std::make_unique<ns3::WorkloadLogGopsNetwork>(options.logGops);
        }
        ns3::WorkloadObserver* observer = this;
        m_runner = std::make_unique<ns3::WorkloadRunner>(m_jobs, Network(), observer);
    }

    std::vector<ns3::WorkloadResultsJob> Describe() const override
    {
        return ns3::DescribeWorkloadJobs(m_jobs);
    }

    uint32_t GetNode(uint32_t process) const override
    {
        return m_jobs.GetNode(process);
    }

    std::vector<std::vector<uint32_t>> GetHosts() const override
    {
        std::vector<std::vector<uint32_t>> hosts(m_transport ? m_transport->GetEndpointCount() : 0);
        const uint32_t nics = m_jobs.GetNicCount();
        for (uint32_t process = 0; !hosts.empty() && process < m_jobs.GetProcessCount(); ++process)
        {
            for (uint32_t nic = 0; nic < nics; ++nic)
            {
                const size_t host = size_t{m_jobs.GetNode(process)} * nics + nic;
                if (host < hosts.size()) // else the network says what is wrong
                {
                    hosts[host].push_back(process);
                }
            }
        }
        return hosts;
    }

    std::vector<std::string> GetLabels() const override
    {
        std::vector<std::string> labels;
        const bool several = m_jobs.GetJobs().size() > 1;
        for (const ns3::WorkloadJob& job : m_jobs.GetJobs())
        {
            labels.resize((labels.size() + CATEGORIES - 1) / CATEGORIES * CATEGORIES);
            for (const std::string& category : job.schedule.categories)
            {
                labels.push_back(several ? job.name + ": " + category : category);
            }
        }
        return labels;
    }

    std::vector<std::string> GetWarnings() const override
    {
        std::vector<std::string> warnings;
        for (const ns3::WorkloadJob& job : m_jobs.GetJobs())
        {
            const uint64_t left = CountUnreceived(job.schedule);
            if (left > 0)
            {
                warnings.push_back("job " + job.name + " has " + std::to_string(left) +
                                   " more sends than receives: eager messages that nobody "
                                   "receives go unnoticed (wormhole goal validate names them)");
            }
        }
        return warnings;
    }

    bool RunJobs(const std::function<void()>& pulse) override
    {
        Network().SetPulse(pulse);
        return m_runner->Run();
    }

    void StopJobs() override
    {
        Network().Stop();
    }

    uint64_t GetCompleted() const override
    {
        return m_runner->GetCompleted();
    }

    uint64_t GetTotal() const override
    {
        return m_runner->GetTotal();
    }

    int64_t GetNow() const override
    {
        return Network().Now();
    }

    uint64_t GetEventCount() const override
    {
        return m_transport ? m_transport->GetEventCount() : m_logGops->GetEventCount();
    }

    std::vector<std::string> Explain(size_t most) const override
    {
        std::vector<std::string> lines;
        if (m_messages)
        {
            const std::vector<std::string>& failures = m_messages->GetFailures();
            const auto count = static_cast<std::ptrdiff_t>(std::min(most, failures.size()));
            lines.assign(failures.begin(), failures.begin() + count);
        }
        const std::vector<std::string> stall = m_runner->ExplainStall(most);
        lines.insert(lines.end(), stall.begin(), stall.end());
        if (m_messages && m_messages->AwaitsReceive())
        {
            lines.push_back("messages of at most --eager-limit bytes, " +
                            std::to_string(m_eagerBytes) +
                            " here, do not wait for their receive: a larger one may help");
        }
        return lines;
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return Network().GetFinish(process);
    }

  private:
    ns3::WorkloadNetwork& Network() const
    {
        if (m_messages)
        {
            return *m_messages;
        }
        return *m_logGops;
    }

    ns3::WorkloadJobs m_jobs;
    ns3::WorkloadTransport* m_transport;
    const uint64_t m_eagerBytes;                             //!< of messages on a transport
    std::unique_ptr<ns3::WorkloadMessageNetwork> m_messages; //!< on a transport
    std::unique_ptr<ns3::WorkloadLogGopsNetwork> m_logGops;  //!< without one
    std::unique_ptr<ns3::WorkloadRunner> m_runner;
};

} // namespace

std::unique_ptr<WorkloadProgram>
MakeScheduleProgram(std::vector<ns3::WorkloadJob> jobs,
                    const WorkloadOptions& options,
                    ns3::WorkloadTransport* transport)
{
    return std::make_unique<ScheduleProgram>(std::move(jobs), options, transport);
}

} // namespace wormhole
