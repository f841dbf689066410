/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FLOW_LEVEL_FILES_H
#define WORMHOLE_CLI_FLOW_LEVEL_FILES_H

#include "record-flow-level.h"
#include "result/link-loads.h"
#include "run/run-options.h"
#include "run/run-plan.h"

#include "ns3/input-line-file.h"
#include "ns3/workload-flow-transport.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** Writes what the flow level knows of each flow, in the files that packet level writes. */
class FlowLevelFiles
{
  public:
    using OnEnd = std::function<void(const ns3::WorkloadFlowEnd&)>;

    /**
     * Creates the files.
     * \param plan of the run; outlives it
     * \param transport whose transfers are written; not kept
     * \param payload of a full packet, bytes
     * \param onEnd told of every transfer that has ended, too; may be empty
     * \throws OutputError if a file cannot be created
     */
    FlowLevelFiles(const RunPlan& plan,
                   ns3::WorkloadFlowTransport& transport,
                   uint32_t payload,
                   OnEnd onEnd = {});

    /** \return what --record writes; null if it is not given */
    RecordedFlowLevel* GetRecord() const
    {
        return m_record.get();
    }

    /** Hands what there is to the operating system. \return what the user should know of that, each
     * once */
    std::vector<std::string> Flush();

    /** Completes the files. \throws OutputError for the first that is incomplete; the others
     * are completed all the same */
    void Finish();

  private:
    void Ended(const ns3::WorkloadFlowEnd& end);
    uint64_t HpccStandaloneNs(const ns3::WorkloadFlowEnd& end) const;

    const ns3::RdmaTopology& m_topology;
    uint32_t m_payload; //!< of a full packet, bytes
    OnEnd m_onEnd;

    ns3::LineFile m_fct;
    std::unique_ptr<LinkLoads> m_links;
    std::unique_ptr<RecordedFlowLevel> m_record;
    bool m_warned{false};
};

/** \return what the flow level takes over from options and config.txt */
ns3::WorkloadFlowOptions FlowLevelOptions(const RunPlan& plan, const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_FLOW_LEVEL_FILES_H
