/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_H
#define RDMA_EVENT_H

#include <cstdint>

namespace ns3
{

class RdmaArrivals;
class RdmaEventQueue;
class RdmaPort;
class RdmaProcesses;

/** \ingroup rdma When something pending is due. */
struct RdmaDue
{
    int64_t time{0};   ///< time steps
    uint64_t place{0}; ///< in the order of scheduling; 0 if nothing is pending

    explicit operator bool() const
    {
        return place != 0;
    }
};

/**
 * \ingroup rdma
 * \brief Something that happens at a time, as an object that lives as long as its owner.
 *
 * It is pending at most once; scheduling it again moves it. Nothing is allocated. To destroy one
 * while the queue holds entries of it costs O(entries): for what comes and goes there is RdmaTimer.
 */
class RdmaEvent
{
  public:
    RdmaEvent() = default;
    virtual ~RdmaEvent();
    RdmaEvent(const RdmaEvent&) = delete;
    RdmaEvent& operator=(const RdmaEvent&) = delete;

    /** \return true from being scheduled until it fires or is cancelled */
    bool IsPending() const
    {
        return m_seq != 0;
    }

    /** \return when it will fire, in time steps; meaningful while pending */
    int64_t GetTime() const
    {
        return m_time;
    }

    /** \return whether it fires then; one that was moved does not when it would have, although it
     * may keep its place */
    bool FiresAt(int64_t time, uint64_t place) const
    {
        return m_seq == place && m_time == time;
    }

    /** \return when it will fire */
    RdmaDue GetDue() const
    {
        return {m_time, m_seq};
    }

    /** \param process that it belongs to (RdmaProcesses), from 1; 0 for the network as a whole;
     * only while not pending */
    void SetProcess(uint32_t process)
    {
        m_process = process;
    }

    uint32_t GetProcess() const
    {
        return m_process;
    }

  protected:
    /** What happens. */
    virtual void Fire() = 0;

    /**
     * The event is among the next that fire: lets memory be fetched that Fire will touch. Changes
     * nothing.
     * \param stage 1 to RDMA_FETCH_STAGES, one after the other; what a stage asked for has mostly
     * come by the next
     */
    virtual void Fetch(uint32_t stage) const;

    /** \return the port, at whose other end another thread is, that the event is the first arrival
     * from; null if it is not */
    virtual RdmaPort* GetCutPort();

    /** If the event is the first of the arrivals by a link: lets \p arrivals take those. \return
     * whether it is */
    virtual bool HandOver(RdmaArrivals& arrivals);

  private:
    friend class RdmaEventQueue;
    friend class RdmaProcesses;

    RdmaEventQueue* m_queue{nullptr}; //!< where entries of it are
    int64_t m_time{0};                //!< of the valid entry
    uint64_t m_seq{0};                //!< of the valid entry; 0 if none
    uint32_t m_entries{0};            //!< entries in the queue, outdated ones included
    uint32_t m_process{0};            //!< that it belongs to; 0 for the network as a whole
};

/** \ingroup rdma How often an event is told that it is among the next: as often as one address is
 * read from what the one before leads to. */
constexpr uint32_t RDMA_FETCH_STAGES = 5;

/** \ingroup rdma An event that calls a member function of its owner; \c FETCH, unless null, is
 * RdmaEvent::Fetch, \c CUT is RdmaEvent::GetCutPort, and \c HAND_OVER is RdmaEvent::HandOver. */
template <typename Owner,
          void (Owner::*FUNCTION)(),
          void (Owner::*FETCH)(uint32_t) const = nullptr,
          RdmaPort* (Owner::*CUT)() = nullptr,
          void (Owner::*HAND_OVER)(RdmaArrivals&) = nullptr>
class RdmaMemberEvent final : public RdmaEvent
{
  public:
    explicit RdmaMemberEvent(Owner* owner)
        : m_owner(owner)
    {
    }

  private:
    void Fire() override
    {
        (m_owner->*FUNCTION)();
    }

    void Fetch(uint32_t stage) const override
    {
        if constexpr (FETCH != nullptr)
        {
            (m_owner->*FETCH)(stage);
        }
    }

    RdmaPort* GetCutPort() override
    {
        if constexpr (CUT != nullptr)
        {
            return (m_owner->*CUT)();
        }
        return nullptr;
    }

    bool HandOver(RdmaArrivals& arrivals) override
    {
        if constexpr (HAND_OVER != nullptr)
        {
            (m_owner->*HAND_OVER)(arrivals);
        }
        return HAND_OVER != nullptr;
    }

    Owner* m_owner;
};

} // namespace ns3

#endif // RDMA_EVENT_H
