/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-results.h"

#include <algorithm>

namespace ns3
{

/** What is known of one process. */
struct WorkloadResults::Process
{
    struct Category
    {
        bool communication{false};
        uint64_t operations{0};
        int64_t end{0}; //!< of the last one
        WorkloadBusyTime busy;
        WorkloadBusyTime withComputation; //!< it or a computation; for communication only
    };

    /** \return the category, made if it is new */
    Category& Find(uint32_t number, bool isCommunication)
    {
        if (categories.size() <= number)
        {
            categories.resize(number + 1);
        }
        std::unique_ptr<Category>& category = categories[number];
        if (!category)
        {
            category = std::make_unique<Category>();
        }
        if (isCommunication && !category->communication)
        {
            category->communication = true;
            category->withComputation = computation;
            communicating.push_back(number);
        }
        return *category;
    }

    std::vector<std::unique_ptr<Category>> categories;
    std::vector<uint32_t> communicating; //!< those of communication
    WorkloadBusyTime computation;
    WorkloadBusyTime communication;
    WorkloadBusyTime all;
    WorkloadBusyTime moving;  //!< computation, or a transfer
    WorkloadBusyTime covered; //!< any of all these
    int64_t finish{0};
    uint64_t operations{0};
};

WorkloadResults::WorkloadResults(std::vector<WorkloadResultsJob> jobs)
    : m_jobs(std::move(jobs))
{
    uint32_t processes = 0;
    for (const WorkloadResultsJob& job : m_jobs)
    {
        m_first.push_back(processes);
        processes += job.ranks;
    }
    m_processes.resize(processes);
}

WorkloadResults::~WorkloadResults() = default;

void
WorkloadResults::Done(const WorkloadSpan& span)
{
    Process& process = m_processes[span.process];
    Process::Category& category = process.Find(span.category, span.communication);
    ++process.operations;
    ++category.operations;
    category.end = std::max(category.end, span.endPs);
    process.finish = std::max(process.finish, span.endPs);
    process.all.Add(span.beginPs, span.endPs);
    process.covered.Add(span.beginPs, span.endPs);
    category.busy.Add(span.beginPs, span.endPs);
    if (span.communication)
    {
        process.communication.Add(span.beginPs, span.endPs);
        category.withComputation.Add(span.beginPs, span.endPs);
        return;
    }
    process.computation.Add(span.beginPs, span.endPs);
    process.moving.Add(span.beginPs, span.endPs);
    for (uint32_t number : process.communicating)
    {
        process.categories[number]->withComputation.Add(span.beginPs, span.endPs);
    }
}

void
WorkloadResults::Record(const WorkloadTransferRecord& record)
{
    const uint32_t label = record.transfer.label;
    if (m_flows.size() <= label)
    {
        m_flows.resize(label + 1);
    }
    m_flows[label].bytes += record.transfer.bytes;
    m_flows[label].times.Add(record.deliveredPs - record.startPs);
    AddTransfer(record.transfer.src, record);
    AddTransfer(record.transfer.dst, record);
}

void
WorkloadResults::AddTransfer(uint32_t endpoint, const WorkloadTransferRecord& record)
{
    if (endpoint < m_hosts.size())
    {
        for (uint32_t process : m_hosts[endpoint])
        {
            m_processes[process].moving.Add(record.startPs, record.deliveredPs);
            m_processes[process].covered.Add(record.startPs, record.deliveredPs);
        }
    }
}

void
WorkloadResults::SetFinish(uint32_t process, int64_t ps)
{
    m_processes[process].finish = ps;
    // what a rank has sent eagerly may still be under way
    m_processes[process].moving.Cut(ps);
    m_processes[process].covered.Cut(ps);
}

WorkloadRankTimes
WorkloadResults::GetRank(uint32_t number) const
{
    const Process& process = m_processes[number];
    WorkloadRankTimes times;
    times.finish = process.finish;
    times.operations = process.operations;
    times.computation = process.computation.GetTotal();
    times.communication = process.communication.GetTotal();
    times.exposed = std::max<int64_t>(process.all.GetTotal() - times.computation, 0);
    const int64_t covered = process.covered.GetTotal();
    times.idle = std::max<int64_t>(times.finish - covered, 0);
    times.moving = std::max<int64_t>(process.moving.GetTotal() - times.computation, 0);
    times.waiting = std::max<int64_t>(covered - process.moving.GetTotal(), 0);
    const int64_t computing = process.computation.GetUncertainty();
    const int64_t moving = process.moving.GetUncertainty();
    times.uncertainty = std::max({process.communication.GetUncertainty(),
                                  process.all.GetUncertainty() + computing,
                                  process.covered.GetUncertainty() + moving,
                                  moving + computing});
    return times;
}

std::vector<WorkloadCategoryTimes>
WorkloadResults::GetCategories(uint32_t job) const
{
    std::vector<WorkloadCategoryTimes> list(m_jobs[job].categories.size());
    const double ranks = m_jobs[job].ranks;
    for (uint32_t rank = 0; rank < m_jobs[job].ranks; ++rank)
    {
        const Process& process = m_processes[m_first[job] + rank];
        for (size_t i = 0; i < process.categories.size() && i < list.size(); ++i)
        {
            const Process::Category* category = process.categories[i].get();
            if (!category)
            {
                continue;
            }
            WorkloadCategoryTimes& times = list[i];
            const int64_t busy = category->busy.GetTotal();
            const int64_t exposed = category->communication
                                        ? std::max<int64_t>(category->withComputation.GetTotal() -
                                                                process.computation.GetTotal(),
                                                            0)
                                        : 0;
            times.communication |= category->communication;
            times.operations += category->operations;
            ++times.ranks;
            times.mean += static_cast<double>(busy) / ranks;
            times.max = std::max(times.max, busy);
            times.end = std::max(times.end, category->end);
            times.exposedMean += static_cast<double>(exposed) / ranks;
            times.exposedMax = std::max(times.exposedMax, exposed);
        }
    }
    for (size_t i = 0; i < list.size(); ++i)
    {
        list[i].name = m_jobs[job].categories[i];
    }
    list.erase(std::remove_if(list.begin(),
                              list.end(),
                              [](const WorkloadCategoryTimes& c) { return c.operations == 0; }),
               list.end());
    std::stable_sort(list.begin(),
                     list.end(),
                     [](const WorkloadCategoryTimes& a, const WorkloadCategoryTimes& b) {
                         return a.mean > b.mean;
                     });
    return list;
}

int64_t
WorkloadResults::GetFinish() const
{
    int64_t finish = 0;
    for (const Process& process : m_processes)
    {
        finish = std::max(finish, process.finish);
    }
    return finish;
}

std::vector<WorkloadResultsJob>
DescribeWorkloadJobs(const WorkloadJobs& jobs)
{
    std::vector<WorkloadResultsJob> list;
    for (const WorkloadJob& job : jobs.GetJobs())
    {
        const WorkloadSchedule& schedule = job.schedule;
        list.push_back(
            {job.name, static_cast<uint32_t>(schedule.ranks.size()), schedule.categories, {}});
        list.back().volumes.resize(schedule.categories.size());
        for (const WorkloadRank& rank : schedule.ranks)
        {
            for (const WorkloadOperation& operation : rank.operations)
            {
                if (operation.kind == WorkloadKind::SEND)
                {
                    WorkloadResultsJob::Volume& volume = list.back().volumes[operation.category];
                    ++volume.messages;
                    volume.bytes += operation.size;
                }
            }
        }
    }
    return list;
}

} // namespace ns3
