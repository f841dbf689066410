/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_ANALYTICAL_TRANSPORT_H
#define HARNESS_ANALYTICAL_TRANSPORT_H

#include "ns3/workload-transport.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace harness
{

/**
 * A link of its own from every host to every other one, first come first served, in whole
 * nanoseconds: a message occupies it for bytes / bandwidth, rounded down, and arrives a latency
 * later. For neighbours of a ring that is ASTRA-sim's congestion-aware analytical network. The
 * sender knows of the arrival at once.
 */
class AnalyticalTransport : public ns3::WorkloadTransport
{
  public:
    /** \param gibps bandwidth, GiB/s */
    AnalyticalTransport(uint32_t hosts, double gibps, int64_t latencyNs);

    /** Delays every message by up to \p mostNs more, at random: messages overtake each other. */
    void SetJitter(uint64_t seed, uint64_t mostNs);

    /** \return bytes of all messages so far */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** \return messages so far */
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    void Start(const ns3::WorkloadTransfer& transfer, uint64_t id) override;
    void Schedule(int64_t delayPs, uint64_t timer) override;
    int64_t Now() const override;
    void Run() override;
    void Stop() override;
    uint64_t GetEventCount() const override;
    std::string Explain(uint64_t id) const override;

  private:
    struct Event
    {
        bool timer;
        uint64_t id;
    };

    double m_bytesPerNs;
    int64_t m_latencyNs;
    uint64_t m_random{0};
    uint64_t m_jitterNs{0};
    std::map<std::pair<uint32_t, uint32_t>, int64_t> m_busyUntilNs;
    std::map<std::pair<int64_t, uint64_t>, Event> m_events; //!< by time, ps, and number
    uint64_t m_scheduled{0};
    uint64_t m_run{0};
    int64_t m_nowPs{0};
    bool m_stopped{false};
    uint64_t m_bytes{0};
    uint64_t m_messages{0};
};

} // namespace harness

#endif // HARNESS_ANALYTICAL_TRANSPORT_H
