/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRANSPORT_H
#define WORKLOAD_TRANSPORT_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload Bytes to be moved from one end point to another. */
struct WorkloadTransfer
{
    uint32_t src{0};    ///< end point: see WorkloadTransport::GetEndpointCount
    uint32_t dst{0};    ///< end point, not \c src
    uint64_t bytes{0};  ///< 0: a packet without payload, at flow level only
    uint32_t label{0};  ///< kind of traffic, for results only
    uint32_t stream{0}; ///< which of the connections from \c src to \c dst, if they persist
    uint16_t dport{0};  ///< UDP destination port; 0 for the transport's
    bool exact{false};  ///< not to be fast-forwarded; so must all be that it meets
};

/** \ingroup workload A transfer that has ended. */
struct WorkloadTransferRecord
{
    WorkloadTransfer transfer;
    int64_t startPs{0};
    int64_t deliveredPs{0}; ///< when the receiver had all bytes
};

/** \ingroup workload A transfer that was to start at a time which is past. */
struct WorkloadLateTransfer
{
    WorkloadTransfer transfer;
    uint64_t id{0}; ///< handed back to the client
    int64_t ps{0};  ///< that time
};

class WorkloadRepeater;

/**
 * \ingroup workload
 * \brief Moves bytes between end points of a topology, and keeps the time: packet level or flow
 * level.
 *
 * End points 0 to H-1 are the topology's hosts in the order of their node ids (GPUs in SimAI's
 * files); H to H+V-1 are its NVSwitches, in that order. One client at a time uses it.
 */
class WorkloadTransport
{
  public:
    /** Who is told. Each function may start transfers and timers. */
    class Client
    {
      public:
        virtual ~Client() = default;

        /** The receiver has all bytes. \param id as given to Start */
        virtual void Delivered(uint64_t id) = 0;

        /** The sender knows (packet level: its last acknowledgement; flow level: one way later).
         * Comes once per transfer, not before Delivered. */
        virtual void Acknowledged(uint64_t id) = 0;

        /** A timer is due. \param timer as given to Schedule */
        virtual void Due(uint64_t timer) = 0;

        /** A transfer was given up (retries exhausted, or no route). */
        virtual void Failed(uint64_t id, const std::string& reason) = 0;

        /** \return where a transfer that is under way comes from and what it is, for an error:
         * "FILE:LINE: a send of 8 bytes" */
        virtual std::string DescribeTransfer(uint64_t id) const
        {
            return "transfer " + std::to_string(id);
        }

        /** \return the same of a timer that is not due yet */
        virtual std::string DescribeTimer(uint64_t timer) const
        {
            return "timer " + std::to_string(timer);
        }
    };

    /** Receives a record of every transfer that is delivered; see SetRecorder. */
    class Recorder
    {
      public:
        virtual ~Recorder() = default;
        virtual void Record(const WorkloadTransferRecord& record) = 0;
    };

    virtual ~WorkloadTransport() = default;

    /** \param client told from now on; must outlive Run() */
    void SetClient(Client& client)
    {
        m_client = &client;
    }

    /** \param recorder told of every delivery; null for none */
    void SetRecorder(Recorder* recorder)
    {
        m_recorder = recorder;
    }

    /** \param pulse called every few thousand events while Run() runs, for progress and signals; it
     * may call Stop(); empty for none */
    void SetPulse(std::function<void()> pulse)
    {
        m_pulse = std::move(pulse);
    }

    /** \return hosts of the topology */
    uint32_t GetHostCount() const
    {
        return m_hosts;
    }

    /** \return end points: hosts, then NVSwitches */
    uint32_t GetEndpointCount() const
    {
        return m_endpoints;
    }

    /** Starts a transfer now. \param id handed back to the client */
    virtual void Start(const WorkloadTransfer& transfer, uint64_t id) = 0;

    /**
     * Starts transfers that were to start at times which are past, as if they had: where nothing
     * that has happened since could have met them. Whom that concerns is told now (GetToldPs()).
     * \param transfers at least one, in the order of their times
     * \return whether that is so; if not, nothing has changed
     */
    virtual bool StartLate(const std::vector<WorkloadLateTransfer>& transfers)
    {
        (void)transfers;
        return false;
    }

    /** \return when that happened of which the client is just told, ps: now, or before if it comes
     * of what was started late */
    virtual int64_t GetToldPs() const
    {
        return Now();
    }

    /** Calls Due(timer) in \p delayPs picoseconds, at least 0; timers of one instant in the order
     * of the calls. */
    virtual void Schedule(int64_t delayPs, uint64_t timer) = 0;

    /** \return the time, ps */
    virtual int64_t Now() const = 0;

    /** Runs until nothing is under way any more, or Stop() was called. \throws InputError if
     * something would be over at RDMA_END_OF_TIME or later */
    virtual void Run() = 0;

    /** Makes Run() return after the current event. */
    virtual void Stop() = 0;

    /** \return events run so far */
    virtual uint64_t GetEventCount() const = 0;

    /** \return what a client may leave transfers out by that go as others did; null: nothing */
    virtual WorkloadRepeater* GetRepeater()
    {
        return nullptr;
    }

    /** \return why a transfer has not ended, for people */
    virtual std::string Explain(uint64_t id) const = 0;

  protected:
    /**
     * \param hosts of the topology
     * \param endpoints hosts and NVSwitches
     */
    WorkloadTransport(uint32_t hosts, size_t endpoints)
        : m_hosts(hosts),
          m_endpoints(static_cast<uint32_t>(endpoints))
    {
    }

    Client* m_client{nullptr};
    Recorder* m_recorder{nullptr};
    std::function<void()> m_pulse; //!< empty for none

  private:
    uint32_t m_hosts;
    uint32_t m_endpoints;
};

} // namespace ns3

#endif // WORKLOAD_TRANSPORT_H
