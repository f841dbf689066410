/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_FAST_H
#define WORMHOLE_CLI_RECORD_FAST_H

#include "record-files.h"
#include "record-intervals.h"
#include "record-series.h"
#include "record/network/record-network.h"

#include "ns3/rdma-network.h"
#include "ns3/wormhole-network.h"

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace wormhole
{

/** Writes what fast-forward decides: decisions.csv, partitions.csv, stretches.csv. */
class RecordedDecisions
{
  public:
    /**
     * \param plan where to
     * \param network that is recorded
     * \param underWay flows whose partitions stretches.csv tells of; kept up by the caller
     * \return null if the simulator does not fast-forward
     * \throws OutputError if a file cannot be created
     */
    static std::unique_ptr<RecordedDecisions> Make(
        const RecordPlan& plan,
        const ns3::RdmaNetwork& network,
        const std::vector<RecordedFlowUnderWay>& underWay);

    /** As Make. \param fast null: fast-forward is disabled */
    RecordedDecisions(const RecordPlan& plan,
                      const ns3::RdmaNetwork& network,
                      const ns3::WormholeNetwork* fast,
                      const std::vector<RecordedFlowUnderWay>& underWay);

    /** \return bytes that the receiver of \p qp has at \p time (time steps), an estimate while it
     * is skipped or replayed */
    uint64_t GetDelivered(const ns3::RdmaQueuePair& qp, int64_t time) const;

    /** Takes a sample. */
    void Sample(int64_t number);

    /** Every second sample is dropped. */
    void Thin();

    /** The simulation is over. */
    void End(const RecordTimes& times, int64_t ns);

    /** Adds what is known to the summary. */
    void Describe(nlohmann::ordered_json& summary) const;

    /** Writes the files. \param pairs as numbered in RecordedFlowUnderWay \throws OutputError
     * if that is impossible */
    void Finish(const RecordTimes& times, const RecordedPairs& pairs);

  private:
    static constexpr size_t STATES = PARTITION_STATES + 1; //!< the last one: suspended
    static constexpr size_t MOST_FIRST_DECISIONS = 20000;
    static constexpr size_t MOST_OTHER_DECISIONS = 20000;
    static constexpr size_t MOST_STRETCHES = 2048; //!< of a pair

    /** What is in a state. */
    struct Census
    {
        uint32_t partitions{0};
        uint32_t flows{0};

        bool operator==(const Census& o) const
        {
            return partitions == o.partitions && flows == o.flows;
        }
    };

    /** How the packets of a pair are replaced. */
    struct Stretches
    {
        PartitionState state{PartitionState::Running}; //!< now
        int64_t sinceNs{0};
        RecordIntervals list{MOST_STRETCHES};
    };

    void Decided(const ns3::WormholeNetwork& network, const Decision& decision);
    void FlowDelivered(const ns3::RdmaQueuePair& qp);
    void Update(size_t pair, int64_t ns);
    PartitionState StateOf(size_t pair) const;
    std::array<Census, STATES> TakeCensus() const;
    void WriteDecisions();
    void WritePartitions(const RecordTimes& times);
    void WriteStretches(const RecordedPairs& pairs);

    const ns3::WormholeNetwork* m_fast;
    const std::vector<RecordedFlowUnderWay>& m_underWay;
    const ns3::RdmaContext& m_context;
    int64_t m_stepsPerNs;
    RecordThinned<Decision> m_decisions{MOST_FIRST_DECISIONS, MOST_OTHER_DECISIONS};
    std::array<RecordSeries<Census>, STATES> m_partitions;
    std::vector<Stretches> m_stretches; //!< by pair
    ns3::LineFile m_decisionsFile;
    ns3::LineFile m_partitionsFile;
    ns3::LineFile m_stretchesFile;
    bool m_over{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_FAST_H
