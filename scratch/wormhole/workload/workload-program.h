/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_PROGRAM_H
#define WORMHOLE_CLI_WORKLOAD_PROGRAM_H

#include "result/files.h"

#include "ns3/workload-observer.h"
#include "ns3/workload-results.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** What runs on a network: the jobs of a workload, ready to go. */
class WorkloadProgram
{
  public:
    virtual ~WorkloadProgram() = default;

    /** \return what results need to know about the jobs */
    virtual std::vector<ns3::WorkloadResultsJob> Describe() const = 0;

    /** \return node that a process runs on */
    virtual uint32_t GetNode(uint32_t process) const = 0;

    /** \return processes by end point of the transport; empty without one */
    virtual std::vector<std::vector<uint32_t>> GetHosts() const = 0;

    /** \return names of the labels of transfers */
    virtual std::vector<std::string> GetLabels() const = 0;

    /** \return what the user should know before the run, a line each */
    virtual std::vector<std::string> GetWarnings() const
    {
        return {};
    }

    /** \return what the program itself disturbed, for people; empty if nothing */
    virtual std::string GetDisturbed() const
    {
        return {};
    }

    /** Runs until all is done, nothing can go on, or Stop(). \return whether all is done */
    virtual bool Run(ns3::WorkloadObserver& observer, const std::function<void()>& pulse) = 0;

    /** Makes Run() return soon. */
    virtual void Stop() = 0;

    /** \return operations completed so far */
    virtual uint64_t GetCompleted() const = 0;

    /** \return operations in all; 0 if that is not known */
    virtual uint64_t GetTotal() const = 0;

    /** \return simulated time, ps */
    virtual int64_t GetNow() const = 0;

    /** \return events run so far */
    virtual uint64_t GetEventCount() const = 0;

    /** \return who waits for whom if Run() did not complete, at most so many lines */
    virtual std::vector<std::string> Explain(size_t most) const = 0;

    /** \return when a process finished, ps */
    virtual int64_t GetFinish(uint32_t process) const = 0;

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
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_PROGRAM_H
