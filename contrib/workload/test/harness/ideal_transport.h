/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_IDEAL_TRANSPORT_H
#define HARNESS_IDEAL_TRANSPORT_H

#include "ns3/workload-transport.h"

#include <cstdint>
#include <map>
#include <queue>
#include <vector>

namespace harness
{

/**
 * The least network on which closed forms hold exactly: transfers that leave by one port share it
 * evenly, and arrive a fixed time later. Hosts have one port for their server and one for all
 * others; an NVSwitch has one for each host. Packets of 9000 B take SimAI's whole nanoseconds:
 * those of the payload and 52 B of headers, cut off.
 */
class IdealTransport : public ns3::WorkloadTransport
{
  public:
    struct Options
    {
        uint32_t hosts{8};
        uint32_t switches{1};
        uint32_t hostsPerServer{8};
        uint64_t insideBps{1440000000000}; ///< of the ports inside a server
        uint64_t outsideBps{400000000000}; ///< of the others
        int64_t onewayPs{50000};           ///< after the last bit has left
        int64_t backPs{50000};             ///< of an acknowledgement
        bool loseFirst{false};             ///< the first transfer fails
    };

    explicit IdealTransport(const Options& options);

    void Start(const ns3::WorkloadTransfer& transfer, uint64_t id) override;
    void Schedule(int64_t delayPs, uint64_t timer) override;
    int64_t Now() const override;
    void Run() override;
    void Stop() override;
    uint64_t GetEventCount() const override;
    std::string Explain(uint64_t id) const override;

    /** \return time that the bytes occupy a port of this rate, ps */
    static int64_t PortTime(uint64_t bytes, uint64_t bps);

  private:
    enum class What : uint8_t
    {
        TIMER,
        LEFT,
        DELIVERED,
        ACKNOWLEDGED,
        FAILED
    };

    struct Event
    {
        int64_t time;
        uint64_t place;
        What what;
        uint64_t id;    //!< timer, transfer, or port
        uint64_t round; //!< LEFT: of the port

        bool operator>(const Event& o) const
        {
            return time > o.time || (time == o.time && place > o.place);
        }
    };

    struct Flow
    {
        ns3::WorkloadTransfer transfer;
        int64_t start{0};
        uint64_t port{0};
    };

    /** Serves its transfers evenly: each has had \c service when it leaves. */
    struct Port
    {
        std::multimap<double, uint64_t> leaves; //!< service at which a transfer has left, and which
        double service{0};                      //!< ps of the port that each has had
        int64_t settled{0};
        uint64_t round{0}; //!< counts changes
    };

    void Push(int64_t time, What what, uint64_t id, uint64_t round = 0);
    void Settle(Port& port) const;
    void Plan(uint64_t number);
    void Leave(uint64_t number, uint64_t round);
    void Deliver(uint64_t id);

    Options m_options;
    std::map<uint64_t, Flow> m_flows;
    std::map<uint64_t, Port> m_ports;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    int64_t m_now{0};
    uint64_t m_places{0};
    uint64_t m_count{0};
    uint64_t m_starts{0};
    bool m_stop{false};
};

} // namespace harness

#endif // HARNESS_IDEAL_TRANSPORT_H
