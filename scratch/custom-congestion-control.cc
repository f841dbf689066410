/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A congestion control of one's own, in this one file: a class, its TypeId, and nothing else
// anywhere. The program runs the same flows under it and under HPCC, and compares.
//
//   custom-congestion-control [--control=ns3::EcnHalving] [--baseline=ns3::RdmaHpcc]
//                             [--topology=FILE|SPEC] [--traffic=SPEC]

#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/rdma-module.h"
#include "ns3/workload-distribution.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <vector>

namespace ns3
{

/** Halves the rate once per round trip with a mark, and adds a constant once per round trip
 * without. */
class EcnHalving : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::EcnHalving")
                                .SetParent<RdmaCongestionControl>()
                                .AddConstructor<EcnHalving>()
                                .AddAttribute("Increase",
                                              "Added to the rate per round trip without a mark.",
                                              DataRateValue(DataRate("500Mbps")),
                                              MakeDataRateAccessor(&EcnHalving::m_increase),
                                              MakeDataRateChecker());
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<EcnHalving>(this);
    }

    void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) override
    {
        m_marked |= ack.echo;
        if (static_cast<int64_t>(ack.seq) < m_roundEnd)
        {
            return;
        }
        const uint64_t rate = m_marked ? qp.GetRate() / 2 : qp.GetRate() + m_increase.GetBitRate();
        qp.SetRate(std::clamp(rate, qp.GetMaxRate() / 1000, qp.GetMaxRate()));
        m_marked = false;
        m_roundEnd = static_cast<int64_t>(qp.GetSndNxt());
    }

    // It has to do with its own queue pair alone, so nodes may run one after the other, or at once.
    bool ActsAlone() const override
    {
        return true;
    }

    // With these two, flows under this control can be skipped and replayed.
    bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const override
    {
        RdmaStateWriter writer(qp, state);
        writer.Value(m_marked);
        writer.Sequence(m_roundEnd);
        return true;
    }

    bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state) override
    {
        RdmaStateReader reader(qp, state);
        bool marked;
        int64_t roundEnd;
        reader.Value(marked);
        reader.Sequence(roundEnd);
        if (!reader.IsComplete())
        {
            return false;
        }
        m_marked = marked;
        m_roundEnd = roundEnd;
        return true;
    }

  private:
    DataRate m_increase;
    bool m_marked{false};
    int64_t m_roundEnd{0}; // the acknowledgement of this byte ends the round trip
};

NS_OBJECT_ENSURE_REGISTERED(EcnHalving);

} // namespace ns3

using namespace ns3;

namespace
{

/** What a run found. */
struct Outcome
{
    WorkloadDistribution fcts;      ///< completion times, ns
    WorkloadDistribution slowdowns; ///< of those relative to the flow alone, thousandths
    uint64_t longestQueue{0};       ///< of any egress queue of a switch, bytes
    RdmaCounters counters;
};

void
WatchQueue(Outcome* outcome, uint32_t, uint64_t, uint64_t bytes)
{
    outcome->longestQueue = std::max(outcome->longestQueue, bytes);
}

/** Runs the flows under \p control. */
Outcome
Run(const std::string& control,
    const RdmaTopology& topology,
    const std::vector<RdmaFlowSpec>& flows)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(control);
    Ptr<RdmaNetwork> network = rdma.Install(topology);
    Outcome outcome;
    RdmaFlowSource source(network, flows);
    source.SetEndCallback([&outcome, &network](const RdmaQueuePair& qp) {
        if (qp.GetState() != RdmaFlowState::COMPLETED)
        {
            return;
        }
        const auto fct = static_cast<int64_t>(RdmaFctNs(*network, qp));
        const auto alone = static_cast<int64_t>(RdmaStandaloneNs(qp));
        outcome.fcts.Add(fct);
        outcome.slowdowns.Add(1000 * fct / alone);
    });
    source.Start();
    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::RdmaNetDevice/QueueBytes",
                                  MakeBoundCallback(&WatchQueue, &outcome));
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    outcome.counters = network->GetContext().counters;
    Simulator::Destroy();
    return outcome;
}

/** Prints a line of the table. */
void
Print(const std::string& control, const Outcome& outcome)
{
    std::cout << std::left << std::setw(22) << control << std::right << std::fixed
              << std::setprecision(1) << std::setw(6) << outcome.fcts.GetCount() << std::setw(10)
              << outcome.fcts.GetMean() * 1e-3 << std::setw(10)
              << outcome.fcts.GetQuantile(0.99) * 1e-3 << std::setprecision(2) << std::setw(10)
              << outcome.slowdowns.GetMean() * 1e-3 << std::setw(10)
              << outcome.slowdowns.GetQuantile(0.99) * 1e-3 << std::setw(11)
              << outcome.longestQueue / 1000 << std::setw(8) << outcome.counters.marks
              << std::setw(8) << outcome.counters.pauses << "\n";
}

/** \throws InputError if there is no congestion control of this name */
void
CheckControl(const std::string& control)
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(control, &tid) ||
        !tid.IsChildOf(RdmaCongestionControl::GetTypeId()))
    {
        throw InputError("no congestion control is called \"" + control +
                         "\"; give its TypeId, such as ns3::RdmaDcqcn");
    }
}

/** Runs the flows under each of \p controls, and prints a table. */
void
Compare(const std::vector<std::string>& controls, const std::string& where, const std::string& what)
{
    std::for_each(controls.begin(), controls.end(), CheckControl);
    const RdmaTopology topology = LoadRdmaTopology(where);
    const std::vector<RdmaFlowSpec> flows = GenerateRdmaTraffic(what, topology, 1); // 1: the seed
    std::cout << "                             FCT, us             slowdown    longest\n"
              << "control                flows    mean       p99    mean       p99  queue, KB"
              << "   marks  pauses\n";
    for (const std::string& control : controls)
    {
        Print(control, Run(control, topology, flows));
    }
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
    std::string control = "ns3::EcnHalving";
    std::string baseline = "ns3::RdmaHpcc";
    std::string where = "star:hosts=17,rate=100Gbps,delay=1us";
    std::string what = "incast:fan-in=16,bytes=2MB";
    CommandLine command(__FILE__);
    command.AddValue("control", "TypeId of the congestion control to try", control);
    command.AddValue("baseline", "TypeId of the one to compare with", baseline);
    command.AddValue("topology", "topology file or specification", where);
    command.AddValue("traffic", "specification of the flows", what);
    command.Parse(argc, argv);
    try
    {
        Compare({control, baseline}, where, what);
    }
    catch (const InputError& error)
    {
        std::cerr << "custom-congestion-control: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
