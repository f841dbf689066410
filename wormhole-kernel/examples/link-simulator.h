/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EXAMPLE_LINK_SIMULATOR_H
#define WORMHOLE_EXAMPLE_LINK_SIMULATOR_H

#include "event-queue.h"
#include "wormhole/controller.h"
#include "wormhole/simulator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace example
{

using namespace wormhole;

constexpr Duration MICROSECOND{1'000'000};
constexpr Rate LINK_RATE = Rate::BitsPerSecond(100e9);
constexpr Bytes PACKET = 1000;
constexpr Duration HOST_DELAY = MICROSECOND;    // from the start of a flow to its first packet
constexpr Duration HOP_DELAY = 2 * MICROSECOND; // from a link to the next one
constexpr Duration ACK_DELAY = 8 * MICROSECOND; // from the last link to the receiver and back
constexpr Bytes MAX_IN_FLIGHT = 250 * PACKET;   // of a flow

/** One transfer. The first four members say what it is to do. */
struct Flow
{
    std::vector<PortId> path;
    Bytes left{0};              // not acknowledged yet
    std::size_t wave{0};        // flows start in waves, one when the last is done
    Duration offset{0};         // of its start from that of its wave
    Bytes delivered{0};         // acknowledged
    Bytes inFlight{0};          // of those left
    double window{10 * PACKET}; // bytes per round trip
    Duration waited{0};         // in queues, by the packet acknowledged last
    std::uint64_t events{0};
    Time started{};
    std::optional<Time> completed{};
};

/** A link with its queue. As a packet arrives, it is known when the link will be done with it. */
struct Port
{
    Time freeAt{};                  // the only time stamp outside of events
    std::optional<Time> pausedAt{}; // if it is
};

/**
 * \brief A packet-level simulator with the kernel attached, as small as one can be.
 *
 * Links with FIFO queues, senders with a pace that a congestion control sets, acknowledgements.
 * link-simulator.cc is what such a simulator has anyway, attach.cc what the kernel needs of it.
 */
class LinkSimulator : public Simulator
{
  public:
    LinkSimulator(std::vector<Flow> flows, std::size_t ports);

    /** Without, all packets are simulated. To be called before Run.
     *  \param controller outlives Run */
    void Attach(Controller* controller);

    /** To the end of the last wave. */
    void Run();

    /** \return by FlowId */
    const std::vector<Flow>& Flows() const;

    /** \return how many events happened; those of packets that were skipped did not */
    std::uint64_t EventsRun() const;

    FlowProgress Observe(FlowId id) const override;
    Bytes QueueOf(PortId id) const override;
    FlowAttributes Describe(FlowId id) const override;
    PortAttributes Describe(PortId id) const override;
    Duration SampleInterval(FlowId id) const override;
    Bytes TailOf(FlowId id, Rate rate) const override;
    void Pause(const Members& members) override;
    void Resume(const Members& members, Duration shift) override;
    void CatchUp(const Members& members, Time from, Time until, Duration shift) override;
    Bytes Credit(FlowId id, Bytes bytes) override;
    void Complete(FlowId id, Time time) override;
    std::optional<StateBlob> CaptureFlow(FlowId id) const override;
    std::optional<StateBlob> CapturePort(PortId id) const override;
    void Evict(const Members& members) override;
    void Restore(const std::vector<FlowState>& flows,
                 const std::vector<PortState>& ports,
                 Time at) override;

  private:
    void RunNextEvent();
    void Happen(const EventQueue::Entry& entry);
    void StartWave(std::size_t wave, Time time);
    void Start(Flow& flow);
    void Send(Flow& flow);
    void Forward(const Flow& flow, Event packet);
    void Acknowledge(Flow& flow, const Event& packet);
    void Finish(Flow& flow, Time time);
    void PlacePacket(Flow& flow, Bytes size, Rate rate, Time at);
    std::uint32_t IndexOf(const Flow& flow) const;
    static Duration BaseRtt(const Flow& flow);
    static Rate RateOfControl(const Flow& flow);

    std::vector<Flow> m_flows; // by FlowId
    std::vector<Port> m_ports; // by PortId
    EventQueue m_events;
    Controller* m_controller{nullptr};
    Time m_now{};    // of the event that happens
    Time m_latest{}; // the same, but within CatchUp
    std::size_t m_unfinished{0};
    std::uint64_t m_eventsRun{0};
};

} // namespace example

#endif // WORMHOLE_EXAMPLE_LINK_SIMULATOR_H
