/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CLASS_SCHEDULER_H
#define RDMA_CLASS_SCHEDULER_H

#include "rdma-egress-queues.h"
#include "rdma-egress-scheduler.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Strict classes first, the highest number before the others (IEEE 802.1Q, 8.6.8.1); then
 * weighted ones by deficit round robin (Shreedhar and Varghese, SIGCOMM 1995).
 *
 * In its turn a class may send its weight in largest frames of the network. It goes on until that
 * is used up; what its last frame takes beyond is taken off its next turn (surplus round robin), so
 * that sizes need not be known before. A class with nothing to send loses the rest of its turn. So
 * classes that always have something share a link's bytes as their weights.
 */
class RdmaClassScheduler : public RdmaEgressScheduler
{
  public:
    static constexpr uint32_t MAX_WEIGHT = 1000;

    /** \return the TypeId */
    static TypeId GetTypeId();

    // RdmaEgressScheduler
    Ptr<RdmaEgressScheduler> Fork() const override;
    void OnSent(uint32_t queue, uint32_t bytes) override;

  private:
    uint32_t DoChoose(const RdmaPort& port, uint32_t ready) override;
    void SetClasses(const std::string& text);
    std::string GetClasses() const;

    std::string m_text;
    uint32_t m_strict{0}; //!< bit q: class q is strict
    std::array<int64_t, RdmaEgressQueues::COUNT> m_weight{};
    std::array<int64_t, RdmaEgressQueues::COUNT> m_left{}; //!< of the turn, bytes; below 0: owed
    uint32_t m_turn{0};                                    //!< class whose turn it is
};

} // namespace ns3

#endif // RDMA_CLASS_SCHEDULER_H
