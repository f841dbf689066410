/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Captures are read by tshark: what it takes for RoCEv2 and PFC is not for us to say. Without
// tshark these tests are skipped.

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/ipv4-address.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-internet.h"
#include "ns3/rdma-pcap.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <unistd.h>

using namespace ns3;

namespace
{

constexpr uint32_t SENDERS = 4;
constexpr uint64_t FLOW_BYTES = 200500; // 200 frames of 1000 bytes and one of 500
constexpr uint32_t RECEIVER = SENDERS;
constexpr uint32_t SWITCH = SENDERS + 1;

using Row = std::vector<std::string>;

bool
HasTshark()
{
    return std::system("command -v tshark >/dev/null 2>&1") == 0;
}

/** \return for every frame of a capture, the fields asked for */
std::vector<Row>
Dissect(const std::string& file, const Row& fields)
{
    std::string command = "tshark -r '" + file + "' -o ip.check_checksum:TRUE -T fields";
    for (const std::string& field : fields)
    {
        command += " -e " + field;
    }
    command += " 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char block[4096];
    while (const std::size_t size = std::fread(block, 1, sizeof(block), pipe))
    {
        text.append(block, size);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    std::vector<Row> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        Row row;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '\t');)
        {
            row.push_back(cell);
        }
        row.resize(fields.size());
        rows.push_back(row);
    }
    return rows;
}

/** What a scenario is made of. */
struct Options
{
    std::string control;
    Time cnpInterval{0};
    double errorRate{0};
    bool ordinary{false};
};

/** Four hosts send to a fifth, with little buffer. */
class Scenario
{
  public:
    explicit Scenario(const Options& options)
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("wormhole-pcap-") + test->name() + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(m_folder);
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        RdmaHelper helper;
        helper.SetCongestionControl(options.control);
        helper.SetHostAttribute("CnpInterval", TimeValue(options.cnpInterval));
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(1 << 19));
        helper.SetEcnThresholds(100000000000, {20000, 100000, 1});
        helper.SetDefaultErrorRate(options.errorRate);
        m_network = helper.Install(GenerateRdmaTopology("star:hosts=5,rate=100Gbps,delay=1us"));
        std::vector<RdmaFlowSpec> flows;
        for (uint32_t host = 0; host < SENDERS; ++host)
        {
            RdmaFlowSpec flow;
            flow.src = host;
            flow.dst = RECEIVER;
            flow.bytes = FLOW_BYTES;
            flows.push_back(flow);
        }
        m_source = std::make_unique<RdmaFlowSource>(m_network, flows, RdmaFlowOptions());
        m_source->Start();
        if (options.ordinary)
        {
            AddOrdinaryTraffic();
        }
        RdmaPcap pcap(m_network, Prefix());
        pcap.CaptureAll();
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        pcap.Finish();
    }

    ~Scenario()
    {
        m_source.reset();
        m_network = nullptr;
        Simulator::Destroy();
        std::filesystem::remove_all(m_folder);
    }

    std::string Prefix() const
    {
        return (m_folder / "run").string();
    }

    std::string File(uint32_t node, uint32_t interface) const
    {
        return Prefix() + "-" + std::to_string(node) + "-" + std::to_string(interface) + ".pcap";
    }

    std::vector<std::string> Files() const
    {
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
        {
            files.push_back(entry.path().string());
        }
        return files;
    }

    const RdmaCounters& Counters() const
    {
        return m_network->GetContext().counters;
    }

  private:
    void AddOrdinaryTraffic()
    {
        InstallRdmaInternet(m_network);
        UdpEchoServerHelper server(7);
        server.Install(m_network->GetNode(RECEIVER)).Start(Seconds(0));
        UdpEchoClientHelper client(Ipv4Address(RdmaRouting::AddressOf(RECEIVER)), 7);
        client.SetAttribute("MaxPackets", UintegerValue(3));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        client.Install(m_network->GetNode(0)).Start(Seconds(0));
    }

    std::filesystem::path m_folder;
    Ptr<RdmaNetwork> m_network;
    std::unique_ptr<RdmaFlowSource> m_source;
};

/** \return how often each combination of fields occurs, blanks between them; checks each frame */
std::map<std::string, uint64_t>
Count(const std::string& file, const Row& fields)
{
    Row all{"_ws.malformed", "_ws.expert.message", "ip.checksum.status"};
    all.insert(all.end(), fields.begin(), fields.end());
    std::map<std::string, uint64_t> counts;
    for (const Row& row : Dissect(file, all))
    {
        EXPECT_EQ(row[0], "") << file;
        EXPECT_EQ(row[1], "") << file;
        EXPECT_TRUE(row[2] == "1" || row[2].empty()) << file << ": bad IP checksum";
        std::string key;
        for (std::size_t i = 3; i < row.size(); ++i)
        {
            key += (i > 3 ? " " : "") + row[i];
        }
        ++counts[key];
    }
    return counts;
}

} // namespace

TEST(PcapSlow, EveryFrameDissects)
{
    if (!HasTshark())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    Options options;
    options.errorRate = 0.001;
    options.ordinary = true;
    const Scenario scenario(options);
    std::map<std::string, uint64_t> all;
    for (const std::string& file : scenario.Files())
    {
        for (const auto& [key, count] : Count(file, {"_ws.col.Protocol", "infiniband.bth.opcode"}))
        {
            all[key] += count;
        }
    }
    // 0, 1, 2: SEND first, middle, last; 17: acknowledge
    for (const char* key : {"RRoCE 0", "RRoCE 1", "RRoCE 2", "RRoCE 17", "MAC CTRL ", "ECHO "})
    {
        EXPECT_GT(all[key], 0U) << key;
        all.erase(key);
    }
    EXPECT_TRUE(all.empty()) << all.begin()->first;
}

TEST(PcapSlow, ShowsMarksPausesAndAcknowledgements)
{
    if (!HasTshark())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    const Scenario scenario(Options{});
    ASSERT_GT(scenario.Counters().pauses, 0U);

    // all data reach the receiver: 4 flows of 201 frames, with ECT(0) = 2 or CE = 3
    auto receiver = Count(scenario.File(RECEIVER, 1), {"infiniband.bth.opcode", "ip.dsfield.ecn"});
    EXPECT_EQ(receiver["0 2"] + receiver["0 3"], 4U);
    EXPECT_EQ(receiver["1 2"] + receiver["1 3"], 4U * 199);
    EXPECT_EQ(receiver["2 2"] + receiver["2 3"], 4U);
    EXPECT_EQ(receiver["17 0"], 4U * 201);
    EXPECT_EQ(receiver["0 3"] + receiver["1 3"] + receiver["2 3"], scenario.Counters().marks);

    // echoes at a sender: BECN is bit 6 of the BTH's fifth byte, which has no field of its own
    uint64_t echoes = 0;
    uint64_t pauses = 0;
    uint64_t resumes = 0;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        for (const Row& row : Dissect(scenario.File(host, 1),
                                      {"infiniband.bth.opcode",
                                       "infiniband.bth",
                                       "macc.cbfc.enbv",
                                       "macc.cbfc.pause_time.c3"}))
        {
            echoes += row[0] == "17" && row[1].substr(8, 2) == "40";
            // class 3; 5 us at 100 Gb/s are 976.6 times 512 bits
            pauses += row[2] == "0x0008" && row[3] == "977";
            resumes += row[2] == "0x0008" && row[3] == "0";
        }
    }
    EXPECT_EQ(echoes, scenario.Counters().marks);
    EXPECT_EQ(pauses, scenario.Counters().pauses);
    EXPECT_EQ(resumes, scenario.Counters().resumes);

    // both ends of a link hold the same frames
    const Row fields{"infiniband.bth.psn", "ip.src", "ip.id", "macc.opcode"};
    EXPECT_EQ(Count(scenario.File(0, 1), fields), Count(scenario.File(SWITCH, 1), fields));
}

TEST(PcapSlow, ShowsNacksAndCnps)
{
    if (!HasTshark())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    Options options;
    options.control = "ns3::RdmaDcqcn";
    options.cnpInterval = MicroSeconds(1);
    options.errorRate = 0.01;
    const Scenario scenario(options);
    uint64_t nacks = 0;
    uint64_t cnps = 0;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        for (const Row& row : Dissect(scenario.File(host, 1),
                                      {"ip.dst",
                                       "infiniband.bth.opcode",
                                       "infiniband.aeth.syndrome.opcode",
                                       "infiniband.aeth.syndrome.error_code"}))
        {
            nacks += row[1] == "17" && row[2] == "3" && row[3] == "0"; // NAK, PSN sequence error
            cnps += row[1] == "129";
        }
    }
    EXPECT_EQ(nacks, scenario.Counters().nacks);
    EXPECT_GT(nacks, 0U);
    EXPECT_GT(cnps, 0U);
}

TEST(Pcap, KeepsNanosecondsAndTheSnapLength)
{
    const std::string prefix = testing::TempDir() + "snap-" + std::to_string(getpid());
    RdmaHelper helper;
    Ptr<RdmaNetwork> network = helper.Install(GenerateRdmaTopology("star:hosts=2"));
    RdmaPcap pcap(network, prefix, 64);
    pcap.CapturePort(0, 1);
    pcap.CaptureNode(0); // the same port: captured once
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = 1000;
    Simulator::Schedule(NanoSeconds(1000000007), [&] { network->StartFlow(flow); });
    Simulator::Run();
    pcap.Finish();
    Simulator::Destroy();
    std::ifstream in(prefix + "-0-1.pcap", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::filesystem::remove(prefix + "-0-1.pcap");
    // header of 24 bytes; data cut to 64 bytes and an acknowledgement of 62, 16 bytes before each
    ASSERT_EQ(bytes.size(), 24U + 16 + 64 + 16 + 62);
    uint32_t words[4];
    std::memcpy(words, bytes.data(), 4);
    EXPECT_EQ(words[0], 0xa1b23c4dU); // nanoseconds, in the byte order of the machine
    std::memcpy(words, bytes.data() + 24, 16);
    EXPECT_EQ(words[0], 1U);
    EXPECT_EQ(words[1], 7U);
    EXPECT_EQ(words[2], 64U);
    EXPECT_EQ(words[3], 14U + 20 + 8 + 12 + 1000 + 4);
}

TEST(Pcap, EndsBeforeTheNetworkOrAfterIt)
{
    const std::string prefix = testing::TempDir() + "ends-" + std::to_string(getpid());
    Ptr<RdmaNetwork> network = RdmaHelper().Install(GenerateRdmaTopology("star:hosts=2"));
    auto before = std::make_unique<RdmaPcap>(network, prefix + "-before");
    RdmaPcap after(network, prefix + "-after");
    before->CapturePort(0, 1);
    after.CapturePort(0, 1);
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = 1000;
    network->StartFlow(flow);
    Simulator::Run();
    before = nullptr;
    network->StartFlow(flow);
    Simulator::Run();
    Simulator::Destroy();
    network = nullptr;
    after.Finish();
    // header of 24 bytes; data of 1058 and an acknowledgement of 62, 16 bytes before each
    const std::map<std::string, uint64_t> flows = {{"-before", 1}, {"-after", 2}};
    for (const auto& [name, count] : flows)
    {
        const std::string file = prefix + name + "-0-1.pcap";
        EXPECT_EQ(std::filesystem::file_size(file), 24 + count * (16 + 1058 + 16 + 62)) << name;
        std::filesystem::remove(file);
    }
}

TEST(Pcap, ExplainsMistakes)
{
    RdmaHelper helper;
    Ptr<RdmaNetwork> network = helper.Install(GenerateRdmaTopology("star:hosts=2"));
    auto errorOf = [&](auto action) -> std::string {
        try
        {
            action();
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        return "no error";
    };
    RdmaPcap pcap(network, "/nonexistent/run");
    EXPECT_EQ(errorOf([&] { pcap.CaptureAll(); }),
              "/nonexistent/run-0-1.pcap: cannot be written: No such file or directory");
    EXPECT_EQ(errorOf([&] { pcap.CaptureNode(3); }),
              "pcap: there is no node 3; the network has nodes 0 to 2");
    EXPECT_EQ(errorOf([&] { pcap.CapturePort(0, 0); }),
              "pcap: node 0 has no interface 0; interfaces count from 1, and it has 1");
    EXPECT_EQ(errorOf([&] { RdmaPcap(network, ""); }),
              "the prefix of pcap files is empty; give the start of their names");
    EXPECT_EQ(errorOf([&] { RdmaPcap(network, "x", 0); }),
              "a snap length of 0 bytes captures nothing; give at least 1");
    EXPECT_DEATH(RdmaPcap(nullptr, "x"), "RdmaPcap: its network is null");
    Simulator::Destroy();
}
