/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGE_TABLE_H
#define WORKLOAD_MESSAGE_TABLE_H

#include "ns3/workload-jobs.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload A message from its send to the end of its receive. */
struct WorkloadMessage
{
    /** No operation. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** What it waits for. */
    enum class Phase : uint8_t
    {
        FREE,
        REQUEST, ///< its request is on its way
        RECEIVE, ///< a receive: its request has come, or without a handshake its bytes
        GRANT,   ///< the clear-to-send is on its way
        DATA,    ///< its bytes are on their way
        TAKEN,   ///< the receiver's stream
        FAILED
    };

    WorkloadStep send;
    uint32_t receiver{0};   ///< process
    uint32_t receive{NONE}; ///< operation there
    Phase phase{Phase::FREE};
    bool handshake{false}; ///< whether a request and a clear-to-send go before the data
    uint32_t serial{0};    ///< of its last transfer: what is told of earlier ones is old
    uint32_t failure{0};   ///< index among the failures

    /** \return whether something of it is on its way */
    bool IsMoving() const
    {
        return phase == Phase::REQUEST || phase == Phase::GRANT || phase == Phase::DATA;
    }
};

/** \ingroup workload \brief Messages by numbers that are used again; their serials go on. */
class WorkloadMessageTable
{
  public:
    /** \return number of a new message */
    uint32_t Add(WorkloadStep send, uint32_t receiver)
    {
        auto index = static_cast<uint32_t>(m_messages.size());
        if (m_free.empty())
        {
            m_messages.emplace_back();
        }
        else
        {
            index = m_free.back();
            m_free.pop_back();
        }
        WorkloadMessage& message = m_messages[index];
        message.send = send;
        message.receiver = receiver;
        message.receive = WorkloadMessage::NONE;
        return index;
    }

    void Remove(uint32_t index)
    {
        m_messages[index].phase = WorkloadMessage::Phase::FREE;
        m_free.push_back(index);
    }

    WorkloadMessage& operator[](uint32_t index)
    {
        return m_messages[index];
    }

    const WorkloadMessage& operator[](uint32_t index) const
    {
        return m_messages[index];
    }

    /** \return numbers given out so far, free ones included */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_messages.size());
    }

  private:
    std::vector<WorkloadMessage> m_messages;
    std::vector<uint32_t> m_free;
};

} // namespace ns3

#endif // WORKLOAD_MESSAGE_TABLE_H
