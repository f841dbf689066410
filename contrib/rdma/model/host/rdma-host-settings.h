/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HOST_SETTINGS_H
#define RDMA_HOST_SETTINGS_H

#include "rdma-entropy.h"

#include "ns3/nstime.h"
#include "ns3/rdma-node.h"
#include "ns3/type-id.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief The attributes of an RdmaHost, and what it works out of them; RdmaHost::GetTypeId() says
 * what they mean.
 */
class RdmaHostSettings : public RdmaNode
{
  protected:
    uint32_t m_payloadSize{0};
    Time m_nackIntervalTime;
    Time m_timeoutTime;
    Time m_timeoutLowTime;
    Time m_timeoutHighTime;
    uint32_t m_timeoutLowPackets{0};
    uint32_t m_nackThreshold{0};
    uint32_t m_retryCount{0};
    Time m_cnpIntervalTime;
    uint32_t m_nonRdmaLimit{0};
    TypeId m_controlType;
    RdmaEntropyRule m_entropyRule{RdmaEntropyRule::RANDOM};
    uint32_t m_entropyValues{0};
    Time m_freezingTime;

    // attributes that frames ask for, beside what RdmaHost begins with
    uint32_t m_ackInterval{0};
    uint32_t m_chunkSize{0};
    bool m_backToZero{false};
    bool m_rateBound{false};
    bool m_varWindow{false};
    bool m_ackHighPriority{false};
    bool m_selectiveRepeat{false};
    uint32_t m_ackPauseClass{0};

    // attributes, worked out
    int64_t m_nackInterval{0}; //!< time steps
    int64_t m_timeout{0};      //!< time steps; 0 for none
    int64_t m_timeoutLow{0};   //!< with selective repeat; time steps
    int64_t m_timeoutHigh{0};  //!< with selective repeat; time steps
    int64_t m_cnpInterval{0};  //!< time steps; 0 for echoes on acknowledgements instead of CNPs
};

} // namespace ns3

#endif // RDMA_HOST_SETTINGS_H
