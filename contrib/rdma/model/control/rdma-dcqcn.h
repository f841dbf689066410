/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_DCQCN_H
#define RDMA_DCQCN_H

#include "rdma-congestion-control.h"
#include "rdma-paced-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rdma-timers.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief DCQCN (Zhu et al., SIGCOMM 2015, section 3) in the variant of NICs as HPCC's public
 * simulator has it.
 *
 * Notifications set flags that timers look at: alpha moves every AlphaInterval, the rate is cut at
 * most every DecreaseInterval, and raised every IncreaseInterval in three stages (fast recovery,
 * active and hyper increase). There is no byte counter. Timers run only while they can have an
 * effect; alpha is caught up when it is needed, with the same result.
 */
class RdmaDcqcn : public RdmaCongestionControl, public RdmaPaced
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaDcqcn();
    RdmaDcqcn(const RdmaDcqcn& other);
    ~RdmaDcqcn() override;

    // RdmaCongestionControl
    Ptr<RdmaCongestionControl> Fork() const override;
    void OnStart(RdmaQueuePair& qp) override;
    void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) override;

    /** \return true, unless a class derived from this one does more */
    bool ActsAlone() const override
    {
        return GetInstanceTypeId() == GetTypeId();
    }

    bool TakesCnps() const override;
    void OnCongestionNotification(RdmaQueuePair& qp) override;
    void OnEnd(RdmaQueuePair& qp) override;
    int64_t GetPeriodNs(const RdmaQueuePair& qp) const override;
    bool MeasuresDelay() const override;
    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override;
    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override;

    // RdmaPaced
    std::unique_ptr<RdmaPacedCourse> GetCourse(const RdmaQueuePair& qp) const override;
    bool HasRisenFor(const RdmaQueuePair& qp, int64_t ns) const override;

    /** \return alpha as of the last step that needed it */
    double GetAlpha() const
    {
        return m_state.alpha;
    }

    /** \return target rate, bit/s */
    uint64_t GetTargetRate() const
    {
        return m_state.target;
    }

  private:
    struct State
    {
        double alpha{1};
        uint64_t target{0};       //!< bit/s
        uint32_t stage{0};        //!< increases since the last cut
        bool notified{false};     //!< ever
        bool alphaFlag{false};    //!< notified since the last step of alpha
        bool decreaseFlag{false}; //!< notified since the last cut, so m_decrease is pending
        int64_t nextAlpha{0};     //!< when alpha moves next, ns
        int64_t decreaseBase{0};  //!< cuts happen at this time and whole intervals later, ns
        bool increasing{false};   //!< the rate has been cut, so m_increase is pending
        bool increaseLast{false}; //!< m_increase was scheduled after m_decrease
        int64_t decreaseAt{0};    //!< when m_decrease fires, ps; if decreaseFlag
        int64_t increaseAt{0};    //!< when m_increase fires, ps; if increasing
    };

    template <typename Stream, typename T>
    static void Fields(Stream& stream, T& state);

    class Course;

    /** A notification comes to \p state at \p nowNs. \param behind of a step of alpha at that time
     * \return whether it is the first one */
    bool Notice(State& state, int64_t nowNs, bool behind) const;

    /** As SaveState, of \p saved. */
    void Save(const RdmaQueuePair& qp, State saved, std::vector<uint8_t>& bytes) const;

    /** Steps of alpha before \p nowNs. */
    void CatchUpAlpha(State& state, int64_t nowNs) const;

    /** \return \p rate, bit/s, as \p state cuts it */
    uint64_t Cut(State& state, uint64_t rate) const;

    /** \return \p rate, bit/s, as \p state increases it to \p maxRate at most */
    uint64_t Raise(State& state, uint64_t rate, uint64_t maxRate) const;

    /** \return whether a notification comes after a periodic timer's tick of the same nanosecond:
     * what was scheduled first goes first, the tick one interval ago or the frame when it entered
     * the last link */
    bool IsBehindTick(const Time& interval) const;

    /** \return ns until a cut may happen, 0 or more */
    int64_t GetDecreaseWait(const State& state, int64_t nowNs) const;

    void ScheduleDecrease(int64_t nowNs);
    void ScheduleIncrease();
    void ResumeTimers();
    void Decrease();
    void Increase();

    RdmaQueuePair* m_qp{nullptr};
    State m_state;
    RdmaMemberTimer<RdmaDcqcn> m_decrease;
    RdmaMemberTimer<RdmaDcqcn> m_increase;

    // attributes
    double m_g;
    double m_initialAlpha;
    double m_rateOnFirst;
    Time m_alphaInterval;
    Time m_decreaseInterval;
    Time m_increaseInterval;
    uint32_t m_fastRecoveries;
    DataRate m_activeIncrease;
    DataRate m_hyperIncrease;
    DataRate m_minRate;
    bool m_clampTarget;
};

} // namespace ns3

#endif // RDMA_DCQCN_H
