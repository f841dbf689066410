/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_OVER_TIME_H
#define WORMHOLE_CLI_RECORD_OVER_TIME_H

#include "record-pauses.h"
#include "record/record-files.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace wormhole
{

/**
 * Writes over-time.csv: how fair the flows are to each other, how full the links are and how many
 * ports are paused, interval by interval.
 *
 * An interval is SAMPLES periods long, of the period at its end: within a single period, flows that
 * share a link deliver whole packets in turn, and look unfair. What is written is not merged when
 * the period doubles, since indices of fairness cannot be.
 */
class RecordedOverTime
{
  public:
    static constexpr int64_t SAMPLES = 16;

    /** \return bytes that the receiver of a flow has */
    using Delivered = std::function<uint64_t(const ns3::RdmaQueuePair&)>;

    /**
     * \param plan where to
     * \param network to record, which outlives this
     * \throws OutputError if the file cannot be created
     */
    RecordedOverTime(const RecordPlan& plan, const ns3::RdmaNetwork& network);

    /** The first interval begins. */
    void Start(int64_t ns)
    {
        m_beginNs = ns;
    }

    /** \param ns now */
    void FlowStarted(const ns3::RdmaQueuePair& qp, int64_t ns)
    {
        m_underWay.emplace(qp.GetId(), UnderWay{&qp, 0, ns == m_beginNs});
    }

    /** \param bytes that its receiver has */
    void FlowEnded(const ns3::RdmaQueuePair& qp, uint64_t bytes);

    /** \return whether the interval is over at \p ns */
    bool IsDue(int64_t ns, int64_t periodNs) const
    {
        return ns - m_beginNs >= SAMPLES * periodNs;
    }

    /** The interval ends, and the next one begins. \param pauses so far */
    void EndInterval(int64_t ns, const RecordedPauses& pauses, const Delivered& delivered);

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish();

  private:
    /** A flow that has not ended. */
    struct UnderWay
    {
        const ns3::RdmaQueuePair* qp;
        uint64_t bytes; //!< delivered before the interval
        bool whole;     //!< was there when it began
    };

    uint64_t Move(UnderWay& flow, uint64_t bytes);
    void CountFrames();
    void WriteLine(int64_t ns, const std::vector<double>& moved, int64_t pausedNs);

    const ns3::RdmaNetwork& m_network;
    std::map<uint64_t, UnderWay> m_underWay;   //!< by number of the flow
    std::vector<const ns3::RdmaPort*> m_ports; //!< by number of the port
    std::vector<uint64_t> m_carried;           //!< bytes in this interval, by port
    std::vector<uint64_t> m_sent;              //!< by ports up to it, where frames are counted
    int64_t m_beginNs{0};
    int64_t m_pausedNs{0}; //!< of all ports together, up to m_beginNs
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_OVER_TIME_H
