/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FRONT_END_SOURCE_H
#define WORMHOLE_CLI_FRONT_END_SOURCE_H

#include "workload-source.h"

#include "ns3/workload-front-end.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** Another simulator, which runs above our network and decides what its ranks send. */
class FrontEnd
{
  public:
    virtual ~FrontEnd() = default;

    /** The run begins: all ranks post their first operations. */
    virtual void Begin() = 0;

    /** The run is over: it writes what it has found. Only Explain() and GetSummary() are called
     * after that. */
    virtual void End() = 0;

    /** As Program::SetLook(). */
    virtual void SetLook(const std::function<void()>& look)
    {
        (void)look;
    }

    /** \return results of its own, for the summary; null if it has none */
    virtual nlohmann::ordered_json GetSummary() const
    {
        return {};
    }

    /** \return what has not finished, and why, at most so many lines; empty if the network knows
     * that best */
    virtual std::vector<std::string> Explain(size_t most) const
    {
        (void)most;
        return {};
    }
};

/** Makes a front end that posts to a network, which outlives it. \throws InputError if its input is
 * wrong */
using MakeFrontEnd = std::function<std::unique_ptr<FrontEnd>(ns3::WorkloadFrontEnd& network)>;

/**
 * \param options ranks, and when they are told of messages
 * \param nvSwitches whether the ranks after the hosts are NVSwitches
 * \param make makes the front end, once
 * \return the workload that the front end is, for WorkloadSource::replay
 */
std::shared_ptr<WorkloadReplay> MakeFrontEndReplay(const ns3::WorkloadFrontEndOptions& options,
                                                   bool nvSwitches,
                                                   MakeFrontEnd make);

/** Adds a kind of `--workload`, which has no keys of its own, for a program that brings its own
 * workloads; before any is read. \param name of the kind \param read fills in a source of it, and
 * throws InputError for any mistake */
void AddWorkloadSourceKind(const std::string& name, std::function<void(WorkloadSource&)> read);

} // namespace wormhole

#endif // WORMHOLE_CLI_FRONT_END_SOURCE_H
