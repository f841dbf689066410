/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-kinds.h"

#include "ns3/rdma-rocev2.h"

#include <limits>

namespace ns3
{

namespace
{

using namespace rdmahpcckind;
using Config = RdmaHpccConfig;
using Words = RdmaHpccConfigWords;

constexpr uint64_t MAX32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t MAX63 = std::numeric_limits<int64_t>::max();
constexpr uint64_t MAX_MON_US = MAX63 / 1000; // nanoseconds in 63 bits
constexpr double MIN_TIMER_US = 0.001;        // 1 ns
constexpr double MAX_TIMER_US = 1e9;

void
CheckAckInterval(Words& words, Config& config)
{
    if (config.l2AckInterval == 0)
    {
        words.Fail("no receiver would acknowledge, so no flow could complete; use 1 (acknowledge "
                   "every packet)");
    }
}

void
CheckDynamicThreshold(Words& words, Config& config)
{
    if (!config.useDynamicPfcThreshold)
    {
        words.Fail("fixed PFC thresholds are not supported (the public simulator's switch uses "
                   "dynamic ones whatever stands here); set it to 1, or remove the key");
    }
}

void
CheckNicPause(Words& words, Config& config)
{
    if (config.nicTotalPauseTime != 0)
    {
        words.Fail("pauses that a NIC makes up, as if its PCIe bus were slow, are not supported; "
                   "set it to 0, or remove the key");
    }
}

std::vector<RdmaHpccKey>
InputAndOutputKeys()
{
    return {
        File("TOPOLOGY_FILE", "all", &Config::topologyFile, "Topology to read."),
        File("FLOW_FILE", "all", &Config::flowFile, "Flows to read."),
        File("TRACE_FILE", "all", &Config::traceFile, "Nodes whose packets are traced."),
        File("TRACE_OUTPUT_FILE", "all", &Config::traceOutputFile, "Binary packet trace to write."),
        Checked(Flag("ENABLE_TRACE", "all", &Config::enableTrace, "Write the packet trace."),
                "0 or 1",
                "1 if TRACE_FILE and TRACE_OUTPUT_FILE are set",
                nullptr),
        File("FCT_OUTPUT_FILE", "all", &Config::fctOutputFile, "Completion times to write."),
        File("PFC_OUTPUT_FILE", "all", &Config::pfcOutputFile, "Received PFC frames to write."),
        File("QLEN_MON_FILE",
             "all",
             &Config::qlenMonFile,
             "Queue lengths to write: histograms, or SimAI's samples if one of SimAI's keys is "
             "set."),
        Optional("QLEN_MON_START",
                 "HPCC's monitor",
                 "ns",
                 &Config::qlenMonStart,
                 0,
                 MAX63,
                 "2000000000",
                 "Start of the queue-length histograms."),
        Optional("QLEN_MON_END",
                 "HPCC's monitor",
                 "ns",
                 &Config::qlenMonEnd,
                 0,
                 MAX63,
                 "2100000000",
                 "End of the queue-length histograms."),
        Number(
            "SIMULATOR_STOP_TIME",
            "all",
            "s",
            &Config::simulatorStopTime,
            1e-9,
            1e18,
            "Simulated time at which the run ends; no limit if it is beyond what the simulator can "
            "count."),
    };
}

std::vector<RdmaHpccKey>
NetworkKeys()
{
    return {
        Whole("PACKET_PAYLOAD_SIZE",
              "all",
              "B",
              &Config::packetPayloadSize,
              1,
              RDMA_MAX_PAYLOAD,
              "Payload of a full packet; the frame is larger."),
        Whole("L2_CHUNK_SIZE",
              "all",
              "B",
              &Config::l2ChunkSize,
              0,
              MAX32,
              "Chunk at whose end a receiver acknowledges, and to whose start L2_BACK_TO_ZERO goes "
              "back; 0 for none."),
        Checked(
            Whole("L2_ACK_INTERVAL",
                  "all",
                  "B",
                  &Config::l2AckInterval,
                  0,
                  MAX32,
                  "Bytes received in order after which every packet is acknowledged; 1 for every "
                  "packet from the first."),
            "1 to " + std::to_string(MAX32),
            "required",
            CheckAckInterval),
        Flag("L2_BACK_TO_ZERO",
             "all",
             &Config::l2BackToZero,
             "After a loss, go back to the start of the chunk (1) or to the lost byte (0)."),
        Flag(
            "ACK_HIGH_PRIO",
            "all",
            &Config::ackHighPrio,
            "A PFC pause of class 3 leaves a host's acknowledgements alone (1) or stops them (0)."),
        Number("ERROR_RATE_PER_LINK",
               "all",
               "probability",
               &Config::errorRatePerLink,
               0,
               1,
               "Chance that a link loses a packet, for links of which the topology says 0."),
        LinkDown("The time, after t = 2 s, at which the link between two nodes fails."),
        Whole("BUFFER_SIZE",
              "switch",
              "MiB",
              &Config::bufferSize,
              1,
              4095,
              "Packet buffer of each switch, shared by its ports."),
        Flag("ENABLE_QCN", "ECN", &Config::enableQcn, "Switches mark packets."),
        QueueMap("KMAX_MAP", &Config::kmaxMap, "Queue length beyond which every packet is marked."),
        QueueMap("KMIN_MAP", &Config::kminMap, "Queue length up to which no packet is marked."),
        ChanceMap("PMAX_MAP",
                  &Config::pmaxMap,
                  "Chance of a mark at KMAX; it grows linearly from 0 at KMIN."),
        Checked(Flag("USE_DYNAMIC_PFC_THRESHOLD",
                     "switch",
                     &Config::useDynamicPfcThreshold,
                     "PFC thresholds follow the free buffer; there is no other way."),
                "1",
                "",
                CheckDynamicThreshold),
        Whole("PAUSE_TIME",
              "switch",
              "us",
              &Config::pauseTime,
              1,
              MAX32,
              "The pause time in a PFC frame, of which 0 takes a pause back; one lasts until it is "
              "taken back all the same."),
    };
}

std::vector<RdmaHpccKey>
ControlKeys()
{
    return {
        Whole("CC_MODE",
              "all",
              "",
              &Config::ccMode,
              0,
              MAX32,
              "Congestion control: 1 DCQCN, 3 HPCC, 7 TIMELY, 8 DCTCP, 10 HPCC-PINT; any other "
              "number: none."),
        Flag("HAS_WIN", "all", &Config::hasWin, "Bytes in flight are limited to the BDP."),
        Flag("GLOBAL_T",
             "all",
             &Config::globalT,
             "Base RTT and BDP are the largest of all host pairs (1) or the pair's own (0)."),
        Flag("VAR_WIN", "all", &Config::varWin, "The window shrinks in proportion to the rate."),
        Flag("RATE_BOUND",
             "all",
             &Config::rateBound,
             "Packets are paced at the control's rate (1) or at line rate (0)."),
        Rate("MIN_RATE",
             "DCQCN, HPCC, TIMELY, DCTCP",
             &Config::minRate,
             false,
             "Least rate of a flow."),
        Rate("RATE_AI", "DCQCN, HPCC, TIMELY", &Config::rateAi, true, "Additive increase."),
        Rate("RATE_HAI",
             "DCQCN, TIMELY",
             &Config::rateHai,
             true,
             "Additive increase after several in a row."),
        Number("ALPHA_RESUME_INTERVAL",
               "DCQCN",
               "us",
               &Config::alphaResumeInterval,
               MIN_TIMER_US,
               MAX_TIMER_US,
               "Period of the update of alpha."),
        Number("RATE_DECREASE_INTERVAL",
               "DCQCN",
               "us",
               &Config::rateDecreaseInterval,
               MIN_TIMER_US,
               MAX_TIMER_US,
               "Period in which a flow slows down at most once."),
        Number("RP_TIMER",
               "DCQCN",
               "us",
               &Config::rpTimer,
               MIN_TIMER_US,
               MAX_TIMER_US,
               "Period of the rate increase."),
        Number(
            "EWMA_GAIN",
            "DCQCN, DCTCP",
            "",
            &Config::ewmaGain,
            0,
            1,
            "Weight g of the newest sample in alpha. (The public driver means 1/16 but computes 0 "
            "if the key is absent.)"),
        Whole("FAST_RECOVERY_TIMES",
              "DCQCN",
              "",
              &Config::fastRecoveryTimes,
              0,
              MAX32,
              "Increases by averaging alone after a decrease."),
        Flag("CLAMP_TARGET_RATE",
             "DCQCN",
             &Config::clampTargetRate,
             "Each decrease sets the target rate, not only the first after an increase."),
        Rate("DCTCP_RATE_AI", "DCTCP", &Config::dctcpRateAi, true, "Additive increase."),
        Flag("FAST_REACT",
             "HPCC",
             &Config::fastReact,
             "React to every ACK, not once per round trip."),
        Number("U_TARGET", "HPCC", "", &Config::uTarget, 0.01, 1, "Utilization aimed for, eta."),
        Whole("MI_THRESH",
              "HPCC",
              "",
              &Config::miThresh,
              0,
              MAX32,
              "Additive increases in a row before a multiplicative one."),
        Whole("INT_MULTI",
              "HPCC",
              "",
              &Config::intMulti,
              1,
              1000000,
              "Multiplies the units in which INT counts bytes (128 B sent, 80 B queued)."),
        Flag("MULTI_RATE",
             "HPCC",
             &Config::multiRate,
             "A rate per hop, of which the least applies."),
        Flag("SAMPLE_FEEDBACK",
             "HPCC",
             &Config::sampleFeedback,
             "Between round trips, leave out hops with an empty queue."),
        Number("PINT_LOG_BASE",
               "HPCC-PINT",
               "",
               &Config::pintLogBase,
               1.0002,
               1000,
               "Each code of PINT stands for so many times the utilisation of the one before."),
        Number("PINT_PROB",
               "HPCC-PINT",
               "probability",
               &Config::pintProb,
               0,
               1,
               "Of the sender taking what an acknowledgement brings."),
    };
}

std::vector<RdmaHpccKey>
SimAiAndRejectedKeys()
{
    return {
        File("BW_MON_FILE", "SimAI", &Config::bwMonFile, "Bandwidth of each port to write."),
        File("RATE_MON_FILE", "SimAI", &Config::rateMonFile, "Rate of each queue pair to write."),
        File("CNP_MON_FILE", "SimAI", &Config::cnpMonFile, "CNPs of each queue pair to write."),
        Optional("MON_START",
                 "SimAI",
                 "us",
                 &Config::monStart,
                 0,
                 MAX_MON_US,
                 "0",
                 "Start of the monitors."),
        Optional("MON_END",
                 "SimAI",
                 "us",
                 &Config::monEnd,
                 0,
                 MAX_MON_US,
                 "end of the run",
                 "End of the monitors."),
        Optional("QP_MON_INTERVAL",
                 "SimAI",
                 "us",
                 &Config::qpMonInterval,
                 1,
                 MAX_MON_US,
                 "100",
                 "Sampling period of the rate and CNP monitors."),
        Optional("QLEN_MON_INTERVAL",
                 "SimAI",
                 "us",
                 &Config::qlenMonInterval,
                 1,
                 MAX_MON_US,
                 "10000",
                 "Sampling period of the queue-length monitor."),
        Optional("BW_MON_INTERVAL",
                 "SimAI",
                 "us",
                 &Config::bwMonInterval,
                 1,
                 MAX_MON_US,
                 "10000",
                 "Sampling period of the bandwidth monitor."),
        Checked(Optional("NIC_TOTAL_PAUSE_TIME",
                         "ASTRA, SimAI",
                         "",
                         &Config::nicTotalPauseTime,
                         0,
                         MAX63,
                         "0",
                         "Pauses that each NIC makes up, as if its PCIe bus were slow."),
                "0",
                "",
                CheckNicPause),
        Rejected("DATA_RATE", "each link's rate stands in the topology file; remove the key"),
        Rejected("LINK_DELAY", "each link's delay stands in the topology file; remove the key"),
    };
}

std::vector<RdmaHpccKey>
MakeKeys()
{
    std::vector<RdmaHpccKey> keys;
    for (const auto& part :
         {InputAndOutputKeys(), NetworkKeys(), ControlKeys(), SimAiAndRejectedKeys()})
    {
        keys.insert(keys.end(), part.begin(), part.end());
    }
    return keys;
}

} // namespace

const std::vector<RdmaHpccKey>&
RdmaHpccKeys()
{
    static const std::vector<RdmaHpccKey> keys = MakeKeys();
    return keys;
}

const RdmaHpccKey*
FindRdmaHpccKey(const std::string& name)
{
    for (const RdmaHpccKey& key : RdmaHpccKeys())
    {
        if (key.name == name)
        {
            return &key;
        }
    }
    return nullptr;
}

} // namespace ns3
