/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_PROGRAM_H
#define WORMHOLE_CLI_WORKLOAD_PROGRAM_H

#include "fabric/fabric.h"
#include "rank-records.h"
#include "result/files.h"
#include "run/program.h"

#include "ns3/workload-observer.h"
#include "ns3/workload-results.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** The jobs of workloads. Its runners tell it of what they do. */
class WorkloadProgram : public Program, protected ns3::WorkloadObserver
{
  public:
    /**
     * Records what ranks do; before the run.
     * \param plan of the run; must outlive the program
     * \param options as given
     * \param fabric that the jobs run on; null at message level
     * \throws OutputError if a file cannot be created
     */
    void Record(const RunPlan& plan, const RunOptions& options, Fabric* fabric);

    void Run(const std::function<void()>& pulse) final;
    void Stop() final;
    double GetNowSeconds() const final;
    void AddProgress(ProgressState& state) const final;
    void Report(RunResult& result) final;
    void FlushFiles() final;
    void FinishFiles() final;

    /** \return operations completed so far */
    virtual uint64_t GetCompleted() const = 0;

    /** \return operations in all; 0 if that is not known */
    virtual uint64_t GetTotal() const = 0;

    /** \return whether the total may grow while the program runs, so that it says nothing of time
     * left */
    virtual bool IsTotalGrowing() const
    {
        return false;
    }

  protected:
    /** \return what results need to know about the jobs */
    virtual std::vector<ns3::WorkloadResultsJob> Describe() const = 0;

    /** \return node that a process runs on */
    virtual uint32_t GetNode(uint32_t process) const = 0;

    /** \return processes by end point of the transport; empty without one */
    virtual std::vector<std::vector<uint32_t>> GetHosts() const = 0;

    /** \return names of the labels of transfers */
    virtual std::vector<std::string> GetLabels() const = 0;

    /** \return what the program itself disturbed, for people; empty if nothing */
    virtual std::string GetDisturbed() const
    {
        return {};
    }

    /** \return when a process finished, ps */
    virtual int64_t GetFinish(uint32_t process) const = 0;

    /** \return simulated time, ps */
    virtual int64_t GetNow() const = 0;

    /** As Run(). \return whether all is done */
    virtual bool RunJobs(const std::function<void()>& pulse) = 0;

    /** Makes RunJobs() return soon. */
    virtual void StopJobs() = 0;

    /** \return results of its own, for the summary; null if it has none */
    virtual nlohmann::ordered_json GetSummary() const
    {
        return {};
    }

    /** Writes files of its own. \param files as its replay names them, with paths \throws
     * OutputError if that is impossible */
    virtual void WriteOutputs(const std::vector<NamedFile>& files) const
    {
        (void)files;
    }

  private:
    void Done(const ns3::WorkloadSpan& span) final;

    const RunPlan* m_plan{nullptr};
    Fabric* m_fabric{nullptr};
    std::unique_ptr<RankRecords> m_records; //!< null if nothing is recorded
    uint32_t m_processes{0};                //!< ranks of all jobs
    bool m_complete{false};
    bool m_stopped{false};
};

/**
 * \param plan of the run, whose schedules are moved from; must outlive the program
 * \param options as given
 * \param fabric that the jobs run on; null at message level
 * \return the plan's jobs, ready to run
 * \throws InputError if the topology does not fit
 * \throws OutputError if a file cannot be created
 */
std::unique_ptr<Program> MakeWorkload(RunPlan& plan, const RunOptions& options, Fabric* fabric);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_PROGRAM_H
