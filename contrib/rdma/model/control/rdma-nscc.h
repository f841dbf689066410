/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NSCC_H
#define RDMA_NSCC_H

#include "rdma-congestion-control.h"
#include "rdma-control-state.h"

#include "ns3/nstime.h"

#include <cmath>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief NSCC, the network-signalled congestion control of Ultra Ethernet's transport (UEC 1.0,
 * congestion management), with the rules and numbers of the consortium's simulator (htsim,
 * sim/uec.cpp, of 2025-08).
 *
 * Each acknowledgement is in one of four quadrants, by its mark and by how much longer than without
 * queues its round trip took: no mark and a short delay, increase in proportion to what is left to
 * the target, or fast once a window's worth came without delay; no mark and a long delay, increase
 * by the same for all; a mark and a short delay, nothing (only a path is left, which a flow here
 * does not choose); a mark and a long delay, decrease by how far the average delay is beyond the
 * target. Where next to nothing arrives in a round trip, the window becomes that at once (quick
 * adapt). Increases are collected, and applied once in a while.
 *
 * Windows count payload that has not arrived: with selective repeat, what came out of order is not
 * out any more. The window alone holds a flow back; its rate is the NIC's. The sender knows when it
 * sent, so nothing is added to frames.
 */
class RdmaNscc : public RdmaCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaNscc();
    ~RdmaNscc() override;

    // RdmaCongestionControl
    Ptr<RdmaCongestionControl> Fork() const override;
    void OnStart(RdmaQueuePair& qp) override;
    void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) override;
    void OnTimeout(RdmaQueuePair& qp) override;

    /** \return true, unless a class derived from this one does more */
    bool ActsAlone() const override
    {
        return GetInstanceTypeId() == GetTypeId();
    }

    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    /** \return congestion window, bytes of payload */
    double GetWindow() const
    {
        return m_state.cwnd;
    }

    /** \return averaged delay by queues, ns */
    double GetAverageDelayNs() const
    {
        return m_state.delay;
    }

  private:
    /** A point in time that may not have been yet. */
    struct Moment
    {
        bool was{false};
        int64_t ns{0};

        void Set(int64_t now)
        {
            was = true;
            ns = now;
        }

        /** \return ns from it to \p now; infinite if it has not been */
        double AgeNs(int64_t now) const
        {
            return was ? static_cast<double>(now - ns) : HUGE_VAL;
        }

        /** For RdmaStateWriter::Part. */
        void Save(RdmaStateWriter& writer) const
        {
            writer.Value(was);
            if (was)
            {
                writer.Time(ns);
            }
        }

        /** For RdmaStateReader::Part. */
        void Load(RdmaStateReader& reader)
        {
            reader.Value(was);
            if (was)
            {
                reader.Time(ns);
            }
        }
    };

    struct State
    {
        double cwnd{0};      //!< bytes
        double baseRtt{0};   //!< least round-trip time, ns
        double delay{0};     //!< averaged, ns
        int64_t arrived{0};  //!< bytes, in order or not
        double increase{0};  //!< collected, bytes^2: divided by the window when applied
        double received{0};  //!< bytes since increases were last applied
        Moment adjusted;     //!< when Eta was last added
        Moment decreased;    //!< when the window was last decreased
        bool fast{false};    //!< increasing fast
        double undelayed{0}; //!< bytes in a row that came without delay, until fast
        double achieved{0};  //!< bytes since the period of quick adapt began
        Moment period;       //!< of quick adapt: when it began
        bool lost{false};    //!< a loss that quick adapt has not answered
        double toIgnore{0};  //!< marked bytes to ignore after a quick adapt
        double ignored{0};   //!< bytes since then, at most these
    };

    /** What depends on the flow as asked for, not on its course. */
    struct Scale
    {
        double packet{0};     //!< payload of a full frame, bytes
        double networkRtt{0}; //!< ns
        double target{0};     //!< of the delay by queues, ns
        double product{
            0}; //!< bandwidth-delay product of networkRtt, in those of 100 Gb/s and 12 us
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    double MaxWindow(const RdmaQueuePair& qp) const;
    void Ignore(double bytes);
    void Learn(double rtt, bool marked);
    void Average(double delay);
    void React(const RdmaQueuePair& qp, int64_t now, double bytes, double delay, bool marked);
    bool QuickAdapt(const RdmaQueuePair& qp, int64_t now, double delay, bool marked, bool loss);
    void Increase(double bytes, double delay);
    bool IncreaseFast(double bytes, double delay);
    void Decrease(int64_t now);
    void Adjust(int64_t now);
    void Lose(const RdmaQueuePair& qp, int64_t now);
    void Bound(const RdmaQueuePair& qp);
    void Apply(RdmaQueuePair& qp);

    State m_state;
    Scale m_scale;
    uint64_t m_ahead{0}; //!< bytes that have arrived beyond a gap; 0 where states are saved

    // attributes
    Time m_targetDelay;
    Time m_fastDelay;
    double m_fastIncrease;
    double m_proportionalIncrease;
    double m_fairIncrease;
    double m_eta;
    double m_gamma;
    double m_maxDecrease;
    double m_delayGain;
    double m_adjustPackets;
    double m_maxWindow;
    bool m_quickAdapt;
    double m_quickAdaptShare;
    double m_quickAdaptDelay;
};

} // namespace ns3

#endif // RDMA_NSCC_H
