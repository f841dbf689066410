/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ENTROPY_H
#define RDMA_ENTROPY_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup rdma How a sender chooses the values that switches hash (RdmaBalancing::ENTROPY). */
enum class RdmaEntropyRule : uint8_t
{
    RANDOM, ///< a draw for each packet
    REPS    ///< values that came back unmarked are used again
};

/** \param name random or reps \return what it stands for; aborts if there is no such name */
RdmaEntropyRule RdmaEntropyRuleFromName(const std::string& name);

/** \return "random" or "reps" */
std::string RdmaEntropyRuleName(RdmaEntropyRule rule);

/**
 * \ingroup rdma
 * \brief The entropy values of a flow's packets: by draws, or REPS (Bonato et al., "REPS: Recycled
 * Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation", 2024, algorithms 1
 * and 2).
 *
 * REPS keeps the values of acknowledgements without a mark in a ring of eight, and gives each to
 * one packet. Where there is none it tries a new one, as it does for the first bandwidth-delay
 * product. After a time-out it freezes: it goes round among the values of the ring, good once, and
 * tries none, until an acknowledgement comes after the time of freezing.
 */
class RdmaEntropy
{
  public:
    static constexpr uint32_t KEPT = 8; ///< values

    /**
     * \param rule how values are chosen
     * \param values how many there are: 0 to values - 1; 1 to 65536
     * \param explore packets that try new values at first, and after a freeze
     * \param freezing how long no new value is tried after a time-out; time steps
     */
    RdmaEntropy(RdmaEntropyRule rule, uint32_t values, uint32_t explore, int64_t freezing);

    /** \param key of draws of this flow \param serial of the packet \return its value */
    uint16_t Next(uint64_t key, uint32_t serial);

    /** An ACK or NACK came. \param value of the packet that it answers \param marked whether that
     * was \param now time steps */
    void OnReply(uint16_t value, bool marked, int64_t now);

    /** Nothing came for long. \param now time steps */
    void OnTimeout(int64_t now);

    /** \return whether it tries no new values */
    bool IsFrozen() const
    {
        return m_frozen;
    }

  private:
    uint16_t Recycle();

    RdmaEntropyRule m_rule;
    uint32_t m_values;
    uint32_t m_toExplore;     //!< after a freeze
    uint32_t m_explore;       //!< packets that still try new values
    int64_t m_freezing;       //!< time steps
    int64_t m_frozenUntil{0}; //!< time steps
    bool m_frozen{false};
    std::array<uint16_t, KEPT> m_kept{};
    std::array<bool, KEPT> m_valid{}; //!< of each kept one, whether it is still to be used
    uint32_t m_filled{0};             //!< of these, how many were ever kept
    uint32_t m_head{0};               //!< where the next is kept
    uint32_t m_countValid{0};
};

} // namespace ns3

#endif // RDMA_ENTROPY_H
