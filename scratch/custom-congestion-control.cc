/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A congestion control of one's own, in this one file: a class, its TypeId, and nothing else
// anywhere. The program runs an incast under it and under a control that the module brings, and
// compares.
//
//   custom-congestion-control [--control=ns3::EcnHalving] [--baseline=ns3::RdmaHpcc] [--senders=16]

#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-control-state.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-input-error.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"

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

/** Runs an incast under \p control and prints one line. */
void
Run(const std::string& control, uint32_t senders)
{
    const RdmaTopology topology = GenerateRdmaTopology("star:hosts=" + std::to_string(senders + 1));
    const std::vector<RdmaFlowSpec> flows =
        GenerateRdmaTraffic("incast:fan-in=" + std::to_string(senders) + ",bytes=2MB", topology, 1);

    RdmaHelper rdma;
    rdma.SetCongestionControl(control);
    Ptr<RdmaNetwork> network = rdma.Install(topology);
    RdmaFlowSource source(network, flows, RdmaFlowOptions());
    std::vector<double> microseconds;
    source.SetEndCallback([&microseconds](const RdmaQueuePair& qp) {
        const Time fct = TimeStep(static_cast<uint64_t>(qp.GetEndTime() - qp.GetStartTime()));
        microseconds.push_back(fct.ToDouble(Time::US));
    });
    source.Start();
    Simulator::Stop(Seconds(1));
    Simulator::Run();

    double sum = 0;
    for (double us : microseconds)
    {
        sum += us;
    }
    const RdmaCounters& counters = network->GetContext().counters;
    std::cout << std::left << std::setw(24) << control << std::right << std::fixed
              << std::setprecision(1) << std::setw(6) << microseconds.size() << std::setw(14)
              << (microseconds.empty() ? 0 : sum / microseconds.size()) << std::setw(14)
              << (microseconds.empty() ? 0 : microseconds.back()) << std::setw(10) << counters.marks
              << std::setw(10) << counters.pauses << "\n";
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RdmaSimulatorImpl"));
    std::string control = "ns3::EcnHalving";
    std::string baseline = "ns3::RdmaHpcc";
    uint32_t senders = 16;
    CommandLine command(__FILE__);
    command.AddValue("control", "TypeId of the congestion control to try", control);
    command.AddValue("baseline", "TypeId of the one to compare with", baseline);
    command.AddValue("senders", "hosts that send to one", senders);
    command.Parse(argc, argv);
    try
    {
        std::cout
            << "control                  flows   mean FCT us   last FCT us     marks    pauses\n";
        for (const std::string& name : {control, baseline})
        {
            TypeId tid;
            if (!TypeId::LookupByNameFailSafe(name, &tid))
            {
                throw RdmaInputError("no congestion control is called \"" + name + "\"");
            }
            Run(name, senders);
        }
    }
    catch (const RdmaInputError& error)
    {
        std::cerr << "custom-congestion-control: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
