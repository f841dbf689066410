/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-command.h"

#include "harness/random.h"

#include <algorithm>

namespace faults
{

namespace
{

using harness::Random;
using harness::Words;

std::string
Between(Random& random, uint32_t least, uint32_t most)
{
    return std::to_string(least + random.Below(most - least + 1));
}

std::string
OneOf(Random& random, const Words& words)
{
    return words[random.Below(static_cast<uint32_t>(words.size()))];
}

bool
OneIn(Random& random, uint32_t n)
{
    return random.Below(n) == 0;
}

/** A network of 2 to 32 hosts, and what is known of it. */
struct Network
{
    std::string spec;
    uint32_t hosts{0};
    std::string link; ///< A-B; empty if none is known
};

using DrawNetwork = Network (*)(Random&);

Network
Star(Random& random)
{
    const uint32_t hosts = 2 + random.Below(10);
    return {"star:hosts=" + std::to_string(hosts), hosts, "0-" + std::to_string(hosts)};
}

Network
Dumbbell(Random& random)
{
    const uint32_t side = 1 + random.Below(4);
    const std::string n = std::to_string(side);
    return {"dumbbell:left=" + n + ",right=" + n +
                ",bottleneck-rate=" + OneOf(random, {"25Gbps", "40Gbps", "100Gbps"}),
            2 * side,
            std::to_string(2 * side) + "-" + std::to_string(2 * side + 1)};
}

Network
LineOrRing(Random& random)
{
    const uint32_t switches = 3 + random.Below(3);
    const uint32_t each = 1 + random.Below(2);
    const uint32_t hosts = switches * each;
    return {OneOf(random, {"line", "ring"}) + ":switches=" + std::to_string(switches) +
                ",hosts-per-switch=" + std::to_string(each),
            hosts,
            std::to_string(hosts) + "-" + std::to_string(hosts + 1)};
}

Network
LeafSpine(Random& random)
{
    const uint32_t leaves = 1 + random.Below(4);
    const uint32_t each = 2 + random.Below(4);
    const uint32_t hosts = leaves * each;
    return {"leaf-spine:leaves=" + std::to_string(leaves) +
                ",hosts-per-leaf=" + std::to_string(each) + ",spines=" + Between(random, 1, 3) +
                ",links-per-pair=" + Between(random, 1, 2) +
                ",uplink-rate=" + OneOf(random, {"50Gbps", "100Gbps", "400Gbps"}),
            hosts,
            std::to_string(hosts) + "-" + std::to_string(hosts + leaves)};
}

Network
FatTree(Random& random)
{
    const bool small = OneIn(random, 2);
    return {small ? "fat-tree:k=2" : "fat-tree:k=4,pods=2", small ? 2U : 8U, ""};
}

Network
Rails(Random& random)
{
    const uint32_t servers = 1 + random.Below(4);
    const uint32_t each = 2 + 2 * random.Below(3);
    return {"rail-optimized:gpus=" + std::to_string(servers * each) +
                ",gpus-per-server=" + std::to_string(each) + ",nvlink=" + Between(random, 0, 1),
            servers * each,
            ""};
}

Network
SimAi(Random& random)
{
    const std::string kind =
        OneOf(random, {"spectrum-x:", "alibaba-hpn:planes=2,", "dcn+:tor=dual,", "simai:rail=1,"});
    return {kind + "gpus=16,spines=" + OneOf(random, {"2", "4"}), 16, ""};
}

const DrawNetwork NETWORKS[] = {Star, Dumbbell, LineOrRing, LeafSpine, FatTree, Rails, SimAi};

/** \return flows that all networks can carry */
std::string
DrawTraffic(Random& random, uint32_t hosts)
{
    const std::string bytes =
        OneOf(random, {"1B", "999B", "1000B", "1001B", "64KB", "300KB", "1MB", "2MB"});
    std::string spec;
    switch (random.Below(5))
    {
    case 0:
        spec = "permutation:bytes=" + bytes;
        break;
    case 1:
        spec = "incast:fan-in=" + Between(random, 1, hosts - 1) + ",bytes=" + bytes;
        break;
    case 2:
        spec = "all-to-all:bytes=" + (hosts > 8 ? "64KB" : bytes) +
               ",order=" + OneOf(random, {"shift", "source"});
        break;
    case 3:
        spec = "ring:stride=" + Between(random, 1, hosts - 1) + ",bytes=" + bytes;
        break;
    default:
        spec = "poisson:cdf=" WORMHOLE_SOURCE_DIR "/workloads/cdf/websearch.txt,load=0." +
               Between(random, 1, 7) + ",duration=" + Between(random, 50, 200) + "us";
        break;
    }
    spec += OneIn(random, 3) ? ",jitter=" + Between(random, 1, 20) + "us" : "";
    spec += OneIn(random, 5) ? ",priority=" + Between(random, 1, 7) : "";
    return spec + (OneIn(random, 5) ? ",start=" + Between(random, 1, 3000) + "us" : "");
}

std::string
DrawWorkload(Random& random, uint32_t hosts)
{
    if (OneIn(random, 6))
    {
        return "goal:file=" WORMHOLE_SOURCE_DIR "/workloads/goal/pipeline-2.goal";
    }
    const std::string kind = OneOf(random,
                                   {"all-reduce",
                                    "all-gather",
                                    "reduce-scatter",
                                    "broadcast",
                                    "reduce",
                                    "all-to-all",
                                    "send-recv"});
    std::string spec = kind + ":ranks=" + Between(random, 2, hosts) +
                       ",bytes=" + OneOf(random, {"1KB", "100KB", "1MB", "4MB"});
    if (kind == "all-reduce" && OneIn(random, 2))
    {
        spec += ",algorithm=" + OneOf(random, {"ring", "tree", "double-tree"});
    }
    spec += OneIn(random, 3) ? ",channels=" + Between(random, 1, 3) : "";
    spec += OneIn(random, 3) ? ",chunk=" + OneOf(random, {"nccl", "64KB"}) : "";
    return spec + (OneIn(random, 3) ? ",repeat=" + Between(random, 2, 4) + ",gap=10us" : "");
}

/** Options that a run has whatever it simulates, if it simulates packets. */
void
DrawPacketOptions(Random& random, RandomCommand& command, const Network& network)
{
    command.words.insert(
        command.words.end(),
        {"--cc", OneOf(random, {"hpcc", "dcqcn", "timely", "dctcp", "swift", "none"})});
    if (OneIn(random, 4))
    {
        command.words.insert(command.words.end(),
                             {"--payload", OneOf(random, {"100", "256", "1500", "9000"})});
    }
    if (OneIn(random, 5))
    {
        command.words.insert(command.words.end(),
                             {"--window", OneOf(random, {"global", "pair", "none"})});
    }
    if (OneIn(random, 5))
    {
        command.words.insert(command.words.end(),
                             {"--timing", OneOf(random, {"exact", "hpcc", "round", "truncate"})});
    }
    if (OneIn(random, 6))
    {
        command.words.insert(command.words.end(), {"--set", "ns3::RdmaSwitch::BufferSize=1000000"});
        command.troubled = true;
    }
    if (OneIn(random, 8) && !network.link.empty())
    {
        command.words.insert(command.words.end(),
                             {"--link-down", Between(random, 1, 40) + "us:" + network.link});
        command.troubled = true;
        if (OneIn(random, 2))
        {
            command.words.insert(command.words.end(),
                                 {"--link-up", Between(random, 50, 90) + "us:" + network.link});
        }
    }
    if (OneIn(random, 10))
    {
        command.words.insert(command.words.end(), {"--stop", "0.0000" + Between(random, 1, 99)});
        command.troubled = true;
    }
    for (const char* option : {"--rtts", "--pcap"})
    {
        if (OneIn(random, 6))
        {
            command.words.emplace_back(option);
            if (command.words.back() == "--pcap")
            {
                command.words.emplace_back("frames:0");
            }
        }
    }
}

void
DrawMode(Random& random, RandomCommand& command)
{
    command.mode = OneOf(random, {"packet", "fast", "fast", "flow"});
    if (command.mode != "fast")
    {
        return;
    }
    for (const char* setting : {"Skip=false",
                                "Memo=false",
                                "Guard=false",
                                "Follow=false",
                                "Detail=flows",
                                "Acknowledgements=include",
                                "SharedBuffers=include",
                                "Partitions=false",
                                "Theta=0.02",
                                "Window=8"})
    {
        if (OneIn(random, 10))
        {
            command.ofMode.insert(command.ofMode.end(), {"--fast", setting});
        }
    }
    const bool remembers = std::find(command.ofMode.begin(), command.ofMode.end(), "Memo=false") ==
                           command.ofMode.end();
    if (OneIn(random, 2) && remembers)
    {
        command.ofMode.insert(command.ofMode.end(), {"--memo", "episodes.db"});
    }
}

} // namespace

RandomCommand
DrawCommand(uint64_t seed)
{
    Random random(seed);
    RandomCommand command;
    Network network = NETWORKS[random.Below(std::size(NETWORKS))](random);
    if (OneIn(random, 10))
    {
        network.spec += ",error=0.0005";
        command.troubled = true;
    }
    network.spec += OneIn(random, 4) ? ",delay=" + OneOf(random, {"0ns", "1ns", "5us"}) : "";
    command.flows = !OneIn(random, 3);
    command.words = {"--topology",
                     network.spec,
                     command.flows ? "--traffic" : "--workload",
                     command.flows ? DrawTraffic(random, network.hosts)
                                   : DrawWorkload(random, network.hosts)};
    if (OneIn(random, 3))
    {
        command.words.emplace_back("--links");
    }
    DrawMode(random, command);
    const bool seeded = command.flows || command.mode != "flow";
    if (OneIn(random, 2) && seeded)
    {
        command.words.insert(command.words.end(), {"--seed", Between(random, 0, 1000)});
    }
    if (command.mode != "flow")
    {
        DrawPacketOptions(random, command, network);
    }
    return command;
}

} // namespace faults
