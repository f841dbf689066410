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
    uint32_t m_payloadSize;
    Time m_nackIntervalTime;
    Time m_timeoutTime;
    Time m_timeoutLowTime;
    Time m_timeoutHighTime;
    uint32_t m_timeoutLowPackets;
    uint32_t m_nackThreshold;
    uint32_t m_retryCount;
    Time m_cnpIntervalTime;
    uint32_t m_nonRdmaLimit;
    TypeId m_controlType;
    RdmaEntropyRule m_entropyRule;
    uint32_t m_entropyValues;
    Time m_freezingTime;

    // attributes that frames ask for, beside what RdmaHost begins with
    uint32_t m_ackInterval;
    uint32_t m_chunkSize;
    bool m_backToZero;
    bool m_rateBound;
    bool m_varWindow;
    bool m_ackHighPriority;
    bool m_selectiveRepeat;
    uint32_t m_ackPauseClass;

    // attributes, worked out
    int64_t m_nackInterval{0}; //!< time steps
    int64_t m_timeout{0};      //!< time steps; 0 for none
    int64_t m_timeoutLow{0};   //!< with selective repeat; time steps
    int64_t m_timeoutHigh{0};  //!< with selective repeat; time steps
    int64_t m_cnpInterval{0};  //!< time steps; 0 for echoes on acknowledgements instead of CNPs
};

} // namespace ns3

#endif // RDMA_HOST_SETTINGS_H
