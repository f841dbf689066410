/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMULATOR_IMPL_H
#define WORMHOLE_SIMULATOR_IMPL_H

#include "wormhole-network.h"
#include "wormhole-options.h"

#include "ns3/rdma-simulator-impl.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup wormhole
 * \brief ns-3's simulator with fast-forward: every RdmaNetwork that is started under it skips what
 * is steady and replays what is known.
 *
 * (Long et al., "Supercharging Packet-level Network Simulation of Large Model Training via
 * Memoization and Fast-Forwarding", NSDI 2026.) With the attribute Enabled off, and for everything
 * but RDMA networks, it is RdmaSimulatorImpl: events happen as under DefaultSimulatorImpl, bit for
 * bit. Chosen by WormholeHelper::Enable, or by the global value SimulatorImplementationType.
 */
class WormholeSimulatorImpl : public RdmaSimulatorImpl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    WormholeSimulatorImpl();
    ~WormholeSimulatorImpl() override;

    /** \return the networks that are fast-forwarded */
    const std::vector<std::unique_ptr<WormholeNetwork>>& GetNetworks() const
    {
        return m_networks;
    }

    /** \return why nothing has been skipped or replayed so far, by what the controllers counted;
     * for people; empty if that is not wanted (Enabled) */
    std::string ExplainIdle() const;

    /** \return the network, fast-forwarded; null if it is not */
    WormholeNetwork* Find(const RdmaNetwork& network) const;

    /** Signature of Decision: where, and what was decided, whose times are time steps. */
    typedef void (*DecisionTracedCallback)(const WormholeNetwork& network,
                                           const wormhole::Decision& decision);

    // RdmaSimulatorImpl
    void NetworkStarted(RdmaNetwork& network) override;
    void NetworkGone(RdmaNetwork& network) override;

    // SimulatorImpl
    void Run() override;
    void Stop() override;
    using RdmaSimulatorImpl::Stop;

  private:
    WormholeOptions MakeOptions() const;

    /** Says so, once, if audits find that what is left out goes otherwise. */
    void WarnOfAudit();

    // attributes
    bool m_enabled;
    bool m_skip;
    bool m_memo;
    bool m_guard;
    bool m_strict;
    bool m_foresee;
    bool m_follow;
    bool m_collectives;
    double m_overhead;
    double m_freeWork;
    double m_minSaving;
    double m_tailAlignment;
    double m_audit;
    bool m_partitions;
    std::string m_acknowledgements;
    double m_watchTolerance;
    std::string m_sharedBuffers;
    std::string m_memoFile;
    std::string m_code;
    double m_theta;
    uint32_t m_window;
    double m_sampleRtts;
    uint32_t m_samplePackets;
    double m_firstStretch;
    double m_stretchGrowth;
    double m_shortestSkip;
    double m_rateStep;
    double m_queueStep;
    std::string m_detail;

    TracedCallback<const WormholeNetwork&, const wormhole::Decision&> m_decisionTrace;
    std::vector<std::unique_ptr<WormholeNetwork>> m_networks;
    bool m_used{false};        //!< there was a network
    std::string m_everyPacket; //!< why that needs every packet, if any does
    bool m_warned{false};      //!< that there was none
    bool m_warnedOfAudit{false};
};

} // namespace ns3

#endif // WORMHOLE_SIMULATOR_IMPL_H
