/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_SERVER_H
#define WORMHOLE_CLI_LIVE_SERVER_H

#include "live-collective.h"
#include "live-disorder.h"
#include "live-messages.h"
#include "live-program.h"
#include "live-rank.h"
#include "workload/front-end-source.h"

#include "ns3/workload-mpi-communicators.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wormhole
{

/** What messages and looks of a live program cost. */
struct LiveOptions
{
    uint64_t eagerBytes{0}; ///< most of a message whose send does not wait for its receive
    int64_t pollNs{0};      ///< that a look takes which finds nothing
    bool stops{false};      ///< at a time, whatever ranks wait for
    int64_t disorderNs{0};  ///< most by which time may pass a rank that runs; 0: time waits for it
};

/**
 * Runs a live program on a network: its ranks are real processes, and their time is the network's.
 *
 * It is conservative. Time stands still while any rank runs its own code: at the end of an instant
 * in which ranks were answered, all of them are waited for. What a rank says next is handled when
 * its clock, which its computing has moved on, is the network's. So nothing is ever sent in the
 * past; and what ranks say in one instant is handled in their order, however fast they really are.
 *
 * With LiveOptions::disorderNs, time does not wait for ranks that really take long while the
 * network has something to do, up to so much. What such a rank says then may be late: it is handled
 * at once, as of the rank's own clock, and counted (LiveMessages says what becomes of messages). So
 * clocks of ranks are never more than that behind the network's.
 */
class LiveServer final : public FrontEnd
{
  public:
    /**
     * \param program all of whose ranks have connected; must outlive this
     * \param network with as many ranks; must outlive this
     */
    LiveServer(LiveProgram& program, const LiveOptions& options, ns3::WorkloadFrontEnd& network);

    void Begin() override;
    void End() override;
    void SetLook(const std::function<void()>& look) override;
    nlohmann::ordered_json GetSummary() const override;
    std::vector<std::string> Explain(size_t most) const override;

  private:
    void Answer(uint32_t rank, const LiveAnswer& answer);
    void CollectSoon();
    void Collect();
    void CollectTurns();
    bool Await(const std::vector<uint32_t>& ranks, bool any = false);
    void TakeTurns(const std::vector<uint32_t>& ranks);
    void CollectSome();
    bool IsBusyUntil(int64_t ps) const;
    void LookSoon(int64_t mostNs);
    void GoOn(uint32_t rank);
    void HandleAll(uint32_t rank);
    bool Handle(uint32_t rank);
    void HandleWait(uint32_t rank);
    void AfterLook(uint32_t rank, const std::function<void(int64_t ps)>& found);
    void HandleProbe(uint32_t rank);
    void HandleTogether(uint32_t rank);
    void HandleSend(uint32_t rank);
    void HandleReceive(uint32_t rank);
    void HandleCollective(uint32_t rank);
    void HandleCancel(uint32_t rank);
    void Over(uint32_t rank,
              uint32_t request,
              int64_t ps,
              wormhole_live_end end,
              const LiveSent& got);
    void AnswerWaitIfOver(uint32_t rank);
    bool AnswerProbeIfFound(uint32_t rank);
    LiveEnvelope EnvelopeOf(uint32_t rank);
    std::string ExplainRank(uint32_t rank) const;
    bool IsDeadlock() const;

    LiveProgram& m_program;
    const LiveOptions m_options;
    ns3::WorkloadFrontEnd& m_network;
    LiveMessages m_messages;
    LiveCollectivesBegun m_collectives;
    ns3::WorkloadMpiCommunicators m_communicators;
    std::vector<ns3::WorkloadMpiGroup> m_selves; //!< MPI_COMM_SELF, by rank
    std::vector<LiveRank> m_ranks;
    std::vector<uint32_t> m_running; //!< answered, and not collected
    std::map<const ns3::WorkloadMpiGroup*, std::vector<uint32_t>> m_together;
    std::function<void()> m_look; //!< who watches the run does
    bool m_over{false};           //!< End() was called
    bool m_collecting{false};     //!< Collect() is scheduled
    bool m_looking{false};        //!< the same, for later
    bool m_looked{false};         //!< it is that later time
    LiveDisorder m_disorder;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_SERVER_H
