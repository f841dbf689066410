/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_EXCHANGE_MEMORY_H
#define WORKLOAD_EXCHANGE_MEMORY_H

#include "ns3/workload-repeater.h"
#include "ns3/workload-transport.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Remembers how exchanges went, and lets equal ones go likewise without a transfer. It
 * stands between a client and its transport.
 *
 * An *exchange* is all transfers that share ports, data or acknowledgements, with each other while
 * they are under way, and with nothing else: an all-to-all, a step of a ring. It begins with a
 * transfer whose ports are idle, and its ports are its own until all is delivered. (By then, all
 * acknowledgements have left their hosts, so that frames of what starts now are behind them.)
 *
 * One is remembered if each pair of end points has one way, without losses; if no frame was lost or
 * paused; and if all its ports were idle when it came to them. A transfer that starts as an early
 * one of a known exchange, with all ports of that idle, is not simulated, and neither are the
 * others, if they are of the same pairs and sizes and start at the same times, relative to the
 * first one, within 0.05 % of its length. What the client does meanwhile cannot be known before. If
 * it starts something else on these ports, or does not start what it should, then all of the
 * exchange starts late (WorkloadTransport::StartLate), and is simulated from its beginning up to
 * now and on: nothing of what was told so far would have been otherwise. That costs, so it must be
 * earned by others that are repeated.
 *
 * Known ones are audited as WorkloadRepeater says: they are simulated, too. What the client is told
 * is the same. In truth that may be some nanoseconds later: what an end point starts by then waits
 * for it, so that the acknowledgement is before the data, as it would be without the memory.
 */
class WorkloadExchangeMemory final : public WorkloadTransport::Client
{
  public:
    /** All must outlive this. \param client whose timers are below 2^63 */
    WorkloadExchangeMemory(WorkloadTransport& transport,
                           WorkloadRepeater& repeater,
                           WorkloadTransport::Client& client);
    ~WorkloadExchangeMemory() override;

    /** Instead of WorkloadTransport::Start. */
    void Start(const WorkloadTransfer& transfer, uint64_t id);

    /** Instead of WorkloadTransport::Explain. */
    std::string Explain(uint64_t id) const;

    /** The run stops: transfers that ended before are recorded. */
    void Stop();

    // WorkloadTransport::Client
    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;
    std::string DescribeTransfer(uint64_t id) const override;
    std::string DescribeTimer(uint64_t timer) const override;

  private:
    struct Way;
    struct Known;
    struct Member;
    struct Exchange;
    struct Slot;
    struct Held;
    using Lagging = std::pair<uint32_t, uint64_t>; //!< end point, and order of what it was told

    static constexpr uint32_t NONE = UINT32_MAX;
    using Key = std::array<uint64_t, 2>; //!< pair of end points, bytes

    static Key KeyOf(const WorkloadTransfer& transfer);
    const Way& WayOf(const WorkloadTransfer& transfer);
    uint32_t OwnerOf(uint32_t port);
    uint32_t Take();
    void Free(uint32_t number);
    void Release(Exchange& exchange);
    uint32_t TakeSlot(const Slot& slot);

    // what is simulated
    void Launch(const WorkloadTransfer& transfer, uint32_t slot);
    void Record(const WorkloadTransfer& transfer, uint64_t id);
    uint32_t Merge(uint32_t a, uint32_t b);
    void Spoil(Exchange& exchange);
    void Ended(const Slot& slot);
    void Finish(const Exchange& exchange);
    std::shared_ptr<Known> Remembered(const Exchange& exchange);
    bool IsKnown(const Known& known) const;

    // what is repeated
    std::shared_ptr<Known> Find(const WorkloadTransfer& transfer);
    void Repeat(const std::shared_ptr<Known>& known, const WorkloadTransfer& transfer, uint64_t id);
    void Begin(uint32_t number, const std::shared_ptr<Known>& known);
    static int64_t MissingAt(const Exchange& exchange);
    static bool Joins(Exchange& exchange, const Member& member);
    static std::vector<Member> StartedOf(const Exchange& exchange);
    bool Switches(uint32_t number, const Member* further);
    bool MayRepeat(const Known& known, uint32_t owner);
    void Happen(uint32_t number);
    void ScheduleOwn(int64_t delayPs, uint32_t number, uint32_t generation);
    void ScheduleNext(uint32_t number);
    void SimulateToo(uint32_t number);
    void Lag(const Member& member, bool isEnd);
    uint64_t FirstLagging(uint32_t endpoint) const;
    void CatchUp(Lagging& lagging);
    template <typename P>
    void StartHeld(P&& starts);
    void EndIfOver(uint32_t number);
    void Meet(uint32_t number);
    void FallBack(uint32_t number);
    void GoOn(uint32_t number);
    void Emit(Exchange& exchange);

    WorkloadTransport& m_transport;
    WorkloadRepeater& m_repeater;
    WorkloadTransport::Client& m_client;
    std::unordered_map<uint64_t, Way> m_ways; //!< by pair of end points
    std::vector<uint32_t> m_owners;           //!< exchanges, by port
    std::vector<std::unique_ptr<Exchange>> m_exchanges;
    std::vector<uint32_t> m_freeExchanges;
    std::vector<Slot> m_slots; //!< of transfers that are simulated
    std::vector<uint32_t> m_freeSlots;
    std::set<Lagging> m_lagging; //!< what was told, and is not so in truth
    uint64_t m_told{0};          //!< of such, ever
    std::vector<Held> m_held;    //!< wait for it
    std::map<Key, std::vector<std::shared_ptr<Known>>> m_known; //!< by transfers that may be first
    std::vector<std::pair<uint64_t, bool>> m_due; //!< transfers, and whether they ended: to be told
    uint64_t m_kept{0};                           //!< transfers of all that are known
    double m_credit{20000}; //!< packet-hops that starting late may take: so many are free
};

} // namespace ns3

#endif // WORKLOAD_EXCHANGE_MEMORY_H
