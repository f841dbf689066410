/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NETWORK_H
#define RDMA_NETWORK_H

#include "rdma-context.h"
#include "rdma-flow-observer.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/rdma-connections.h"
#include "ns3/rdma-event-pump.h"
#include "ns3/rdma-flow-list.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-pint.h"
#include "ns3/rdma-routing.h"
#include "ns3/rdma-switch.h"

#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaRankNews;
class RdmaSimulatorImpl;
struct RdmaCutLink;

/**
 * \ingroup rdma
 * \brief A network of RDMA hosts and switches: what they share, and the flows between them.
 *
 * Add nodes, connect them, Start, then start flows while the simulation runs. Nodes are numbered
 * from 0 in the order in which they are added. Several networks can live in one simulation; they
 * share nothing. Once there is a node, a network lives until Simulator::Destroy, whoever holds it,
 * unless it is disposed of (Dispose).
 */
class RdmaNetwork : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaNetwork();
    ~RdmaNetwork() override;

    /** \return the rule by which times become time steps */
    const RdmaClock& GetClock();

    /**
     * Announces the whole network before anything is added: then, if several ranks run it
     * (RdmaRanks), this one builds no more of the others' nodes than it needs.
     * \param hosts of each node, whether it is a host
     * \param links that Connect is going to be called for
     */
    void Expect(const std::vector<bool>& hosts, const std::vector<RdmaCutLink>& links);

    /** \return whether the node \p node, which may not have been added yet, is another rank's as
     * Expect has found */
    bool IsExpectedElsewhere(uint32_t node) const
    {
        return node < m_elsewhere.size() && m_elsewhere[node];
    }

    /** Adds a host. \param node null if IsExpectedElsewhere \return its number */
    uint32_t AddHost(Ptr<Node> node, Ptr<RdmaHost> host);

    /** Adds a switch. \param node as AddHost \param nvSwitch whether it is a switch inside a server
     * (SimAI) \return its number */
    uint32_t AddSwitch(Ptr<Node> node, Ptr<RdmaSwitch> sw, bool nvSwitch = false);

    /**
     * Adds a full-duplex link; a device is added to both nodes, but for those expected elsewhere.
     * \param a node number
     * \param b node number
     * \param rate bit/s, more than 0
     * \param delay one-way, time steps, 0 or more
     * \param errorRate probability that a frame is lost, per direction
     * \return number of the link, from 0
     */
    uint32_t Connect(uint32_t a, uint32_t b, uint64_t rate, int64_t delay, double errorRate);

    /** All is connected: routes can be found and flows started. */
    void Start();

    /**
     * Starts a flow now. If there is no route, it waits for one.
     * \param flow what it is; source and destination are different hosts
     * \return the queue pair; it lives until the flow has ended and the next flow starts or ends, or
     * until the network goes
     */
    RdmaQueuePair& StartFlow(const RdmaFlow& flow);

    /** \return the source port of \p flow, which counts as one that starts now, but is only told of
     * later (RepeatFlow) */
    uint16_t TakeSourcePort(const RdmaFlow& flow)
    {
        return m_connections.Take(flow).sourcePort;
    }

    /**
     * Tells of a flow that went as one did before, so that it was not simulated: it counts, and
     * whoever is told of flows is told of its delivery and its end.
     * \param flow names its source port
     * \param route of its data
     * \param start, delivered, end times; time steps
     */
    void RepeatFlow(const RdmaFlow& flow,
                    const std::vector<RdmaPort*>& route,
                    int64_t start,
                    int64_t delivered,
                    int64_t end);

    /** Takes link \p link down or brings it up, now: frames on it are lost, routes change, queue
     * pairs move. */
    void SetLinkUp(uint32_t link, bool up);

    /** \return flows that have not ended, in the order in which they were started */
    std::vector<const RdmaQueuePair*> GetUnfinishedFlows() const;

    /** \return why a flow has not ended, for people */
    std::string Explain(const RdmaQueuePair& qp) const;

    /** \return the ends of a link: the ports at the nodes \c a and \c b of Connect */
    std::pair<RdmaPort*, RdmaPort*> GetLink(uint32_t link) const;

    uint32_t GetNodeCount() const;
    uint32_t GetLinkCount() const;

    /** \return the node with this number */
    RdmaNode& GetRdmaNode(uint32_t node) const;

    /** \return the ns-3 node with this number; null if it is expected elsewhere */
    Ptr<Node> GetNode(uint32_t node) const;

    /** \return the host with this number; null if it is none */
    RdmaHost* GetHost(uint32_t node) const;

    /** \return fires when any port has received a PFC frame */
    RdmaPfcTrace& GetPfcTrace()
    {
        return m_pfcTrace;
    }

    RdmaRouting& GetRouting()
    {
        return m_routing;
    }

    RdmaContext& GetContext()
    {
        AdoptThreads();
        return m_context;
    }

    const RdmaContext& GetContext() const
    {
        return const_cast<RdmaNetwork*>(this)->GetContext();
    }

    /** \return the sizes of headers that its attributes give */
    RdmaWireFormat GetWireFormat() const
    {
        return {m_l2Bytes, m_sequenceBytes, RdmaPint::GetWireBytes(m_pintLogBase)};
    }

    /** \return bytes of the largest frame that a host may send, whatever controls come: full
     * payload with INT, or an ordinary packet. Once all is connected */
    uint32_t GetLargestFrame() const;

    /** \return the attribute Timing */
    RdmaTiming GetTimingRule() const
    {
        return m_timing;
    }

    /** \return the attribute CollapseParallelLinks */
    bool CollapsesParallelLinks() const
    {
        return m_collapseParallel;
    }

    /**
     * Flows may start at the end of their instant from now on.
     * \param observer told of all flows; outlives them, or is taken away (null) when there are none
     */
    void SetFlowObserver(RdmaFlowObserver* observer);

    /** \param reactions to what is told, by callbacks of flows and by the trace sources
     * FlowDelivered, FlowEnd and Pfc; what is only taken note of may be told a little later, with
     * the clock at the time. The fewer, the faster (RdmaProcesses). */
    void SetReactions(RdmaReactions reactions)
    {
        m_reactions = reactions;
    }

    /**
     * \param from time steps, now or later; all is known that happened a link's delay before
     * \return until when what happens at a node concerns others only by links (RdmaProcesses), for
     * the delay of a link at most: time steps, \p from if not at all. Nobody who may act is told
     * of a flow until then, and no receiver need know at once that its sender is done.
     */
    int64_t GetAheadUntil(int64_t from);

    /** \return why that is not so for long, for people; null if it may be */
    const char* WhyInOneQueue() const;

    /** \return why fast-forward has to simulate every packet here, for people; null if it need not.
     * Known from Start on */
    const char* WhyEveryPacket() const;

    /** \param contexts of the threads that run a part of the nodes each, but for the first, whose
     * is the network's; they last until they are others */
    void SetThreadContexts(std::vector<RdmaContext*> contexts);

    /** Gives each host the timers of its flows. \param known when all frames have arrived that are
     * on links now; time steps */
    void SplitTimers(int64_t known);

    /** Takes them back. */
    void JoinTimers();

    /** Takes over what threads have counted, and what is to be told of their windows. */
    void TakeThreadNews();

    /** Tells what happened in a window, in order. */
    void TellWindow();

    /** A window begins at \p begin (time steps): what comes within it to ports in the background
     * leaves others. O(ports with a background) */
    void PassBeforeWindow(int64_t begin);

    /** It is over, and places are in order: what has left ports in it is known to the next ones. */
    void PassAfterWindow();

    /** \param news what ranks tell each other of flows (RdmaRanks); null if there is one only */
    void SetRankNews(RdmaRankNews* news);

    /** \return the number of the next flow, which is how many were started */
    uint64_t GetFlowCount() const
    {
        return m_nextFlow;
    }

    /** Brings the network's clock up to date; whoever calls in from an ns-3 event rather than from
     * an event of the network does this first. */
    void Sync();

    /** \return whether a part of the network lives through a time that is past */
    bool IsLate() const
    {
        return m_context.late;
    }

    /** \return whether no flow is under way or waiting */
    bool IsIdle() const
    {
        return m_active.IsEmpty();
    }

  protected:
    void DoDispose() override;

  private:
    friend class RdmaHost;
    friend class RdmaPacketState;
    friend class RdmaRankNews;

    /** What somebody is to be told of a flow. */
    enum class News : uint8_t
    {
        DELIVERED, //!< the receiver has all bytes
        ENDED
    };

    /** Takes over what threads have counted. */
    void AdoptThreads()
    {
        for (RdmaContext* context : m_threadContexts)
        {
            m_context.Adopt(*context);
        }
    }

    /** \return what those who are told may do now, the observer included */
    RdmaReactions GetReactions() const;
    bool HasWitness();
    void TellReserved(const RdmaNotice& notice, News news);
    void EndLate();
    void RunNotices();
    void Tell(RdmaContext& context, RdmaQueuePair& qp, News news);
    void TellOfFlow(const RdmaNotice& notice);
    void TellOfPort(const RdmaNotice& notice);
    void TellOfReply(const RdmaQueuePair& qp);
    uint32_t AddNode(Ptr<Node> node, Ptr<RdmaNode> rdma, bool nvSwitch);

    void Prepare();
    RdmaPort& AddPort(uint32_t node, uint32_t portId);
    void StayInOnePartition();
    void StartPint();
    void StartCredits();
    uint64_t CreditBufferOf(const RdmaPort& from) const;
    void SetFlowControl(const std::string& name);
    std::string GetFlowControl() const;
    void FlowEnded(RdmaQueuePair& qp);
    bool FindRoutes(RdmaQueuePair& qp);
    void Launch(RdmaQueuePair& qp);
    void Reroute();
    void Reap();
    void Teardown();
    void SimulatorDestroyed();
    void SetTiming(const std::string& name);
    std::string GetTiming() const;

    RdmaContext m_context;
    std::vector<RdmaContext*> m_threadContexts; //!< but the first
    RdmaRankNews* m_rankNews{nullptr};          //!< null if there is one rank
    Ptr<RdmaSimulatorImpl> m_simulator;         //!< null if it is another implementation
    std::unique_ptr<RdmaEventPump>
        m_pump; //!< null if the simulator implementation has eventQueue itself
    RdmaRouting m_routing;
    EventId m_teardown; //!< when the simulator is destroyed
    bool m_prepared{false};
    bool m_started{false};
    bool m_selectiveRepeat{false}; //!< of any host

    std::vector<Ptr<Node>> m_nodes;
    std::vector<Ptr<RdmaNode>> m_rdmaNodes;
    std::vector<bool> m_nvSwitches;
    std::vector<std::pair<RdmaPort*, RdmaPort*>> m_links;
    std::vector<Ptr<RdmaNetDevice>> m_devices;               //!< all ports of nodes that are here
    std::vector<std::unique_ptr<RdmaPort>> m_portsElsewhere; //!< all others
    std::vector<bool> m_elsewhere; //!< of each node, if Expect has found any there
    RdmaPfcTrace m_pfcTrace;

    std::vector<std::pair<RdmaQueuePair*, News>> m_notices; //!< while a part is in the past
    RdmaMemberEvent<RdmaNetwork, &RdmaNetwork::RunNotices> m_noticeEvent;
    uint64_t m_nextFlow{0};
    std::unique_ptr<RdmaQueuePair> m_repeated; //!< stands for flows that are not simulated, in turn
    std::unique_ptr<const RdmaPint> m_pint;    //!< null unless a control has codes of it
    RdmaReactions m_reactions{RdmaReactions::ANY};
    bool m_actsAlone{true};                  //!< each congestion control
    bool m_mayGiveUp{false};                 //!< a host gives flows up at their first time-out
    const RdmaQueuePair* m_witness{nullptr}; //!< a flow that cannot end soon; null if not known
    uint64_t m_witnessSought{~uint64_t{0}};  //!< m_nextFlow when there was none
    std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>>
        m_tellings;             //!< RdmaContext::tellings; past ones are dropped
    int64_t m_tellingsKnown{0}; //!< from when on; time steps
    RdmaFlowList m_active;      //!< under way or waiting
    std::vector<std::unique_ptr<RdmaQueuePair>> m_ended; //!< frames of theirs may still be about
    size_t m_reapFrom{0};                                //!< so many of these are worth a look
    RdmaConnections m_connections;

    // attributes
    RdmaTiming m_timing{RdmaTiming::EXACT};
    uint64_t m_seed;
    uint32_t m_l2Bytes;
    uint32_t m_sequenceBytes;
    uint32_t m_intMultiplier;
    double m_pintLogBase;
    bool m_collapseParallel;
    bool m_credits;
    uint64_t m_creditBuffer;
    uint32_t m_creditUpdate;
};

} // namespace ns3

#endif // RDMA_NETWORK_H
