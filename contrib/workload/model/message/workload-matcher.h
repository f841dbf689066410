/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MATCHER_H
#define WORKLOAD_MATCHER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Brings messages and posted receives together, by source and tag, first come first served.
 *
 * A message takes the receive posted first of those that match it; a receive takes the message that
 * arrived first of those that match it. A receive may leave its source or its tag open
 * (WORKLOAD_ANY). Each call costs O(1) on average, however much waits; the first open receive of a
 * process costs O(messages waiting there) once. Memory: what waits.
 */
class WorkloadMatcher
{
  public:
    /** No match. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** \param processes how many */
    explicit WorkloadMatcher(uint32_t processes);

    /**
     * A message arrives.
     * \param process where
     * \param source process that sent it
     * \param tag of the message
     * \param message the caller's number for it
     * \return the receive that it matches, which is gone then; NONE if it waits for one
     */
    uint32_t Arrive(uint32_t process, uint32_t source, uint32_t tag, uint32_t message);

    /**
     * A receive is posted.
     * \param process where
     * \param source process, or WORKLOAD_ANY
     * \param tag or WORKLOAD_ANY
     * \param receive the caller's number for it
     * \return the message that it matches, which is gone then; NONE if it waits for one
     */
    uint32_t Post(uint32_t process, uint32_t source, uint32_t tag, uint32_t receive);

    /** \return receives and messages that wait */
    uint64_t CountWaiting() const
    {
        return m_waiting;
    }

  private:
    /** What waits stands in up to four lists: by source and tag, by one of them, and by neither. A
     * receive stands in one. */
    static constexpr uint32_t WAYS = 4;

    struct Key
    {
        uint32_t process{0};
        uint32_t source{0};
        uint32_t tag{0};

        bool operator==(const Key& o) const
        {
            return process == o.process && source == o.source && tag == o.tag;
        }
    };

    struct Queue
    {
        uint32_t head{NONE};
        uint32_t tail{NONE};
    };

    /** Queues of a key; free if both are empty. */
    struct Slot
    {
        Key key;
        Queue receives;
        Queue messages;

        bool IsFree() const
        {
            return receives.head == NONE && messages.head == NONE;
        }
    };

    /** A link of a doubly linked list. */
    struct Link
    {
        uint32_t previous{NONE};
        uint32_t next{NONE};
    };

    struct Receive
    {
        uint64_t order{0};
        uint32_t number{0};
        uint32_t next{NONE};
    };

    struct Message
    {
        Key key;
        uint32_t number{0};
        std::array<Link, WAYS> links;
    };

    static Key KeyOf(const Key& key, uint32_t way);
    size_t HomeOf(const Key& key) const;
    size_t Find(const Key& key) const;
    size_t FindOrAdd(const Key& key);
    void Release(size_t slot);
    void Grow();
    void AddReceive(const Key& key, uint32_t receive);
    void AddMessage(const Key& key, uint32_t message);
    void LinkMessage(uint32_t entry, uint32_t way);
    void UnlinkMessage(uint32_t entry, uint32_t way);
    void Open(uint32_t process);
    Queue* MessagesOf(const Key& key);

    std::vector<Slot> m_slots; //!< open addressing; a power of two
    size_t m_used{0};          //!< slots that are not free
    std::vector<Receive> m_receives;
    std::vector<uint32_t> m_freeReceives;
    std::vector<Message> m_messages;
    std::vector<uint32_t> m_freeMessages;
    std::vector<Queue> m_all; //!< of each process: all messages that wait
    std::vector<bool> m_open; //!< of each process: whether a receive ever left something open
    uint64_t m_posted{0};     //!< counts
    uint64_t m_waiting{0};
};

} // namespace ns3

#endif // WORKLOAD_MATCHER_H
