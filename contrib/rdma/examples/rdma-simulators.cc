/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The same networks under each simulator implementation that this ns-3 has: completion times must
// not differ by a nanosecond. In a tree with UNISON's multithreading (NS3_MTP), also on one thread
// and on two of MultithreadedSimulatorImpl. Exits with 1 if times differ.

#include "ns3/bulk-send-helper.h"
#include "ns3/core-module.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-internet.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#ifdef NS3_MTP
#include "ns3/mtp-interface.h"
#endif

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

namespace
{

/** A network, what its RDMA flows do, and pairs of hosts (0 and 1, 2 and 3...) with TCP beside. */
struct Scenario
{
    std::string name;
    std::string topology;
    std::string traffic;
    uint32_t tcpPairs;
};

const std::vector<Scenario> SCENARIOS{
    {"permutation", "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4", "permutation:bytes=1MB", 0},
    {"incast", "star:hosts=17", "incast:fan-in=16,bytes=500KB", 0},
    {"tcp beside incast", "star:hosts=13", "incast:fan-in=12,bytes=200KB", 4},
};

/** What to do before a simulation so that it runs under this implementation. */
struct Implementation
{
    std::string name;
    std::function<void()> choose;
};

std::vector<Implementation>
Implementations()
{
    const auto byName = [](const std::string& name) {
        return Implementation{name, [name] {
                                  GlobalValue::Bind("SimulatorImplementationType",
                                                    StringValue("ns3::" + name));
                              }};
    };
    std::vector<Implementation> all{byName("DefaultSimulatorImpl"), byName("RdmaSimulatorImpl")};
#ifdef NS3_MTP
    for (uint32_t threads : {1, 2})
    {
        all.push_back({"MTP, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
                       [threads] { MtpInterface::Enable(threads); }});
    }
#endif
    return all;
}

/** Notes when a sink has got all that it waits for. */
class TcpTransfer
{
  public:
    TcpTransfer(const Ptr<RdmaNetwork>& network, uint32_t from, uint32_t to)
        : m_to(to)
    {
        const std::string tcp = "ns3::TcpSocketFactory";
        PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_sink = DynamicCast<PacketSink>(sink.Install(network->GetNode(to)).Get(0));
        m_sink->TraceConnectWithoutContext("Rx", MakeCallback(&TcpTransfer::Count, this));
        const InetSocketAddress address(Ipv4Address(RdmaRouting::AddressOf(to)), PORT);
        BulkSendHelper source(tcp, address);
        source.SetAttribute("MaxBytes", UintegerValue(BYTES));
        // not with the others: where ns-3's own packets meet frames in the same instant, who goes
        // first is up to the implementation
        source.Install(network->GetNode(from)).Start(PicoSeconds(1 + 17377777 * to));
    }

    void Print(std::ostream& out) const
    {
        out << "TCP to node " << m_to << ": " << m_end.GetTimeStep() << "\n";
    }

    bool IsComplete() const
    {
        return m_received == BYTES;
    }

  private:
    static constexpr uint64_t BYTES = 300000;
    static constexpr uint16_t PORT = 50000;

    void Count(Ptr<const Packet> packet, const Address&)
    {
        m_received += packet->GetSize();
        m_end = Simulator::Now();
    }

    uint32_t m_to;
    uint64_t m_received{0};
    Time m_end;
    Ptr<PacketSink> m_sink;
};

/** \return when each transfer ended, in order of the nodes; empty unless all did */
std::string
Run(const Scenario& scenario)
{
    Time::SetResolution(Time::PS);
    const RdmaTopology topology = GenerateRdmaTopology(scenario.topology);
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaDcqcn");
    Ptr<RdmaNetwork> network = rdma.Install(topology);
    std::map<std::pair<uint32_t, uint32_t>, int64_t> ends;
    RdmaFlowSource flows(network,
                         GenerateRdmaTraffic(scenario.traffic, topology, 1),
                         RdmaFlowOptions());
    flows.SetEndCallback([&ends](const RdmaQueuePair& qp) {
        ends[{qp.GetFlow().src, qp.GetFlow().dst}] = qp.GetEndTime();
    });
    flows.Start();
    std::vector<std::unique_ptr<TcpTransfer>> transfers;
    if (scenario.tcpPairs > 0)
    {
        InstallRdmaInternet(network);
    }
    for (uint32_t pair = 0; pair < scenario.tcpPairs; ++pair)
    {
        transfers.push_back(std::make_unique<TcpTransfer>(network, 2 * pair, 2 * pair + 1));
    }
    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    bool complete = network->GetUnfinishedFlows().empty();
    std::ostringstream out;
    for (const auto& [nodes, time] : ends)
    {
        out << "node " << nodes.first << " to node " << nodes.second << ": " << time << "\n";
    }
    for (const auto& transfer : transfers)
    {
        complete = complete && transfer->IsComplete();
        transfer->Print(out);
    }
    Simulator::Destroy();
    return complete ? out.str() : "";
}

/** Runs in a process of its own: what one implementation leaves behind is not the next one's. */
std::string
RunApart(const Scenario& scenario, const Implementation& implementation)
{
    std::cout << std::flush; // else the child has a copy of what waits
    int pipeEnds[2];
    NS_ABORT_MSG_IF(pipe(pipeEnds) != 0, "no pipe");
    const pid_t child = fork();
    NS_ABORT_MSG_IF(child < 0, "no process");
    if (child == 0)
    {
        implementation.choose();
        const std::string result = Run(scenario);
        const bool written =
            write(pipeEnds[1], result.data(), result.size()) == static_cast<ssize_t>(result.size());
        _exit(written ? 0 : 1);
    }
    close(pipeEnds[1]);
    std::string result;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(pipeEnds[0], buffer, sizeof(buffer))) > 0;)
    {
        result.append(buffer, static_cast<size_t>(n));
    }
    close(pipeEnds[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? result : "";
}

} // namespace

int
main(int argc, char** argv)
{
    bool times = false;
    CommandLine command(__FILE__);
    command.AddValue("times", "print when each transfer ended, in time steps of 1 ps", times);
    command.Parse(argc, argv);

    bool same = true;
    for (const Scenario& scenario : SCENARIOS)
    {
        std::string expected;
        for (const Implementation& implementation : Implementations())
        {
            const auto begin = std::chrono::steady_clock::now();
            const std::string result = RunApart(scenario, implementation);
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
            const bool isFirst = expected.empty();
            if (isFirst)
            {
                expected = result;
            }
            const bool isSame = !result.empty() && result == expected;
            same = same && isSame;
            const char* const what = result.empty() ? "not all transfers end"
                                     : !isSame      ? "OTHER TIMES"
                                     : isFirst      ? "all transfers end"
                                                    : "the same times";
            std::cout << scenario.name << ", " << implementation.name << ": " << what << ", "
                      << seconds.count() << " s\n";
            if (times && (isFirst || !isSame))
            {
                std::cout << result;
            }
        }
    }
    return same ? 0 : 1;
}
