/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"
#include "harness/sha256.h"
#include "harness/topology_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;
using namespace harness;

namespace
{

std::string
Content(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/** A kind as the help shows it. */
struct Kind
{
    std::string name;
    std::vector<std::string> keys;
    std::string example;
};

std::vector<Kind>
KindsOfHelp()
{
    std::vector<Kind> kinds;
    std::istringstream help(RdmaTopologyGeneratorHelp());
    for (std::string line; std::getline(help, line);)
    {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "Example:")
        {
            words >> kinds.back().example;
        }
        else if (line.substr(0, 2) == "  ")
        {
            kinds.back().keys.push_back(word);
        }
        else if (!word.empty() && word.back() == ':' && word != "units:")
        {
            kinds.push_back({word.substr(0, word.size() - 1), {}, ""});
        }
    }
    return kinds;
}

} // namespace

TEST(TopologyHelp, FitsATerminalOf100Columns)
{
    std::istringstream help(RdmaTopologyGeneratorHelp());
    size_t lines = 0;
    for (std::string line; std::getline(help, line); ++lines)
    {
        EXPECT_LE(line.size(), 100U) << line;
    }
    EXPECT_GT(lines, KindsOfHelp().size());
}

TEST(TopologyHelp, ListsExactlyTheKeysThatAreAccepted)
{
    const std::vector<Kind> kinds = KindsOfHelp();
    EXPECT_EQ(kinds.size(), 15U);
    for (const Kind& kind : kinds)
    {
        // Whatever their order, the same words separated by ", " and " and ".
        const std::string before = kind.name + ": has no key zz; its keys are ";
        std::string error = SpecError(kind.name + ":zz=1");
        ASSERT_EQ(error.substr(0, before.size()), before);
        error = error.substr(before.size());
        error.replace(error.find(" and "), 5, ", ");
        std::set<std::string> accepted;
        for (size_t at = 0; at < error.size(); at += 2)
        {
            const std::string key = error.substr(at, error.find(", ", at) - at);
            accepted.insert(key);
            at += key.size();
        }
        EXPECT_EQ(accepted, std::set<std::string>(kind.keys.begin(), kind.keys.end())) << kind.name;
    }
}

TEST(TopologyHelp, HasExamplesAndDefaultsThatWork)
{
    ASSERT_FALSE(KindsOfHelp().empty());
    for (const Kind& kind : KindsOfHelp())
    {
        for (const std::string& spec : {kind.name, kind.example})
        {
            SCOPED_TRACE(spec);
            const RdmaTopology topology = GenerateRdmaTopology(spec);
            EXPECT_EQ(Parts(topology), 1U);
            EXPECT_EQ(topology.origin, spec);
            std::istringstream in(Written(topology));
            EXPECT_EQ(Written(ReadRdmaTopology(in, "again")), Written(topology));
        }
    }
}

TEST(TopologyGenerator, MakesOurReferenceCases)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"ring64", "leaf-spine:leaves=8,spines=8,hosts-per-leaf=8"},
        {"single", "star:hosts=2"},
        {"dumbbell2", "dumbbell:left=2,right=2"},
        {"incast16", "star:hosts=17"},
        {"a2a16", "star:hosts=16"},
    };
    for (const auto& [name, spec] : cases)
    {
        EXPECT_EQ(Written(GenerateRdmaTopology(spec)),
                  Content(Data("hpcc/" + name + "/topology.txt")))
            << spec;
    }
}

TEST(TopologyGenerator, MakesTheFilesOfTopologiesAsTheirReadmeSays)
{
    const std::filesystem::path folder = std::filesystem::path(WORMHOLE_SOURCE_DIR) / "topologies";
    std::istringstream readme(Content(folder / "README.md"));
    size_t files = 0;
    for (std::string line; std::getline(readme, line);)
    {
        const size_t end = line.find(".txt | ");
        if (line.substr(0, 2) == "| " && end != std::string::npos)
        {
            const std::string file = line.substr(2, end + 2);
            const size_t spec = line.find('`') + 1;
            EXPECT_EQ(Written(GenerateRdmaTopology(line.substr(spec, line.rfind('`') - spec))),
                      Content(folder / file))
                << file;
            ++files;
        }
    }
    EXPECT_EQ(files, 5U);
}

TEST(TopologyGenerator, PrintsSimaisTemplatesLineByLine)
{
    struct Case
    {
        const char* name;   // of the file that SimAI's generator wrote
        const char* spec;   // the same here
        const char* sha256; // of that file
    };

    const std::vector<Case> cases{
        {"AlibabaHPN_16g_8gps_DualToR_DualPlane_200Gbps_H100",
         "alibaba-hpn:gpus=16,planes=2",
         "994b70c3c9bf5a65c968f46c50d63f298d4c369e26afcab30576b7e9620f55a6"},
        {"AlibabaHPN_16g_8gps_DualToR_SinglePlane_200Gbps_H100",
         "alibaba-hpn:gpus=16",
         "fe9fcb54ebae219228b30c0af343e1ae269af1906f30965125c1dcfd98480d0f"},
        {"AlibabaHPN_64g_8gps_DualToR_DualPlane_200Gbps_H100",
         "alibaba-hpn:gpus=64,planes=2,spines=16",
         "b70e9b067466babd821574bf41e31658d842acc1c5455d8817bf9644bb2787c6"},
        {"DCN+DualToR_128g_8gps_200Gbps_H100",
         "dcn+:gpus=128,tor=dual",
         "f025d2b4fbee4a4033c225facf50a1c19aed7086002f280b61c7e0569e2b1047"},
        {"DCN+DualToR_16g_8gps_200Gbps_H100",
         "dcn+:gpus=16,tor=dual",
         "2ac2c965579bbb6f1b248e6ab8d896505e9b2d6b84d06cca4d5142b489394410"},
        {"DCN+SingleToR_16g_8gps_400Gbps_H100",
         "dcn+:gpus=16",
         "6ee819e7a4016c5a57298eff83f0b64116e9cb954282770e69eeefcc5564c9d4"},
        {"DCN+SingleToR_256g_8gps_400Gbps_H100",
         "dcn+:gpus=256,spines=64",
         "0f90f5feefffa4102cae5f8309d50e8ff076171ddfcf052ffec6e757c9e58d22"},
        {"No_Rail_Opti_16g_8gps_SingleToR_400Gbps_H100",
         "simai:gpus=16",
         "dd1b8f6c259b801d2d18ada1e97afa8b0f8f279fb4584bcfce1c81ebc693532d"},
        {"Rail_Opti_16g_8gps_DualToR_SinglePlane_400Gbps_H100",
         "simai:gpus=16,rail=1,tor=dual",
         "dba3fd1770f29d2dbf087747ffb31bf46b15422fc8e9db3fb450b175a505a762"},
        {"Rail_Opti_SingleToR_16g_8gps_400Gbps_H100",
         "simai:gpus=16,rail=1",
         "73060a69102f209cc1a95cccb24db014620930187cffde08f57f2169f97090bf"},
        {"Spectrum-X_16g_8gps_400Gbps_H100",
         "spectrum-x:gpus=16",
         "73060a69102f209cc1a95cccb24db014620930187cffde08f57f2169f97090bf"},
        {"Spectrum-X_256g_8gps_400Gbps_H100",
         "spectrum-x:gpus=256",
         "a314d986490365aeafdab1098ad818f4c9ed2332e69551688c8947710eeed4fe"},
        {"Spectrum-X_8g_8gps_400Gbps_H100",
         "spectrum-x:gpus=8,spines=1",
         "4a8a393c66a4ce0ae8edd957f82e58e3ce30f1d81c9acd8eb107fe4270a210b6"},
    };
    for (const auto& [name, spec, sha256] : cases)
    {
        EXPECT_EQ(Sha256(Written(GenerateRdmaTopology(spec))), sha256)
            << spec << " differs from " << name;
    }
}

TEST(TopologyGenerator, CountsAsSimaisGeneratorDoes)
{
    // First lines that SimAI's generator printed for its templates' defaults.
    const std::vector<std::pair<std::string, std::string>> cases{
        {"spectrum-x", "4736 8 512 128 12288 H100"},
        {"alibaba-hpn", "17640 8 1920 360 74880 H100"},
        {"alibaba-hpn:planes=2", "17640 8 1920 360 60480 H100"},
        {"dcn+", "592 8 64 16 1088 H100"},
        {"dcn+:tor=dual", "592 8 64 16 1600 H100"},
    };
    for (const auto& [spec, line] : cases)
    {
        const std::string text = Written(GenerateRdmaTopology(spec));
        EXPECT_EQ(text.substr(0, text.find('\n')), line) << spec;
    }
}

TEST(TopologyGenerator, NamesWhatIsWrong)
{
    EXPECT_EQ(SpecError(""), "\"\" names no kind; must be KIND or KIND:KEY=VALUE,KEY=VALUE");
    EXPECT_EQ(SpecError("tree:k=4"),
              "tree: no such kind of topology; there are star, dumbbell, line, ring, leaf-spine, "
              "fat-tree, dragonfly, torus, full-mesh, rail-optimized, nvl72, spectrum-x, "
              "alibaba-hpn, dcn+ and simai");
    EXPECT_EQ(
        SpecError("star:host=4"),
        "star: has no key host; did you mean hosts? Its keys are rate, delay, error and hosts");
    EXPECT_EQ(SpecError("rail_optimised:gpus=8").substr(0, 76),
              "rail_optimised: no such kind of topology; did you mean rail-optimized? There");
    EXPECT_EQ(SpecError("star:hosts=4,hosts=5"), "star: hosts is given twice; keep one of the two");
    for (const char* spec : {"star:", "star:hosts", "star:hosts=", "star:=4", "star:hosts=4,"})
    {
        EXPECT_NE(SpecError(spec).find("but must be KEY=VALUE"), std::string::npos) << spec;
    }
    EXPECT_EQ(SpecError("star:hosts=-1"),
              "star: hosts=-1, but must be a whole number from 1 to 1048576");
    EXPECT_EQ(SpecError("star:rate=100"),
              "star: rate=100, but must be a rate above 0 with its unit, such as 100Gbps");
    EXPECT_EQ(SpecError("star:delay=-1us"),
              "star: delay=-1us, but must be a time from 0 to 1000000000000ns with its unit, "
              "such as 1us");
    EXPECT_NE(SpecError("star:delay=0.1fs").find("star: delay=0.1fs, but must be 0 or at least 1"),
              std::string::npos);
    EXPECT_EQ(SpecError("star:error=2"), "star: error=2, but must be a number from 0 to 1");
    EXPECT_EQ(SpecError("dcn+:tor=triple"), "dcn+: tor=triple, but must be one of single and dual");
    EXPECT_EQ(SpecError("simai:planes=2"),
              "simai: planes=2 needs rail=1 and tor=dual; add these, or leave it out");
    EXPECT_EQ(SpecError("alibaba-hpn:gpus=16,planes=2,spines=3"),
              "alibaba-hpn: 3 spines, but two planes need an even number, half for each");
    EXPECT_EQ(SpecError("spectrum-x:gpus=12"),
              "spectrum-x: gpus=12, but must be a multiple of gpus-per-server, 8");
    EXPECT_EQ(SpecError("dcn+:gpus=1024"),
              "dcn+: 16 segments of 64 GPUs, but spines with tors-per-spine=8 join at most 8; "
              "choose fewer gpus, or more tors-per-spine or gpus-per-tor");
}

TEST(TopologyGenerator, RejectsWhatDoesNotFit)
{
    EXPECT_EQ(
        SpecError("fat-tree:k=100000"),
        "fat-tree: would have 250000000000000 hosts, but at most 1048576 are possible; choose "
        "smaller numbers");
    for (const char* spec : {"fat-tree:k=1048576",
                             "leaf-spine:leaves=1048576,spines=1048576,links-per-pair=1048576",
                             "leaf-spine:leaves=1048576,hosts-per-leaf=1048576",
                             "leaf-spine:leaves=1024,spines=8192",
                             "ring:switches=1048576,hosts-per-switch=1048576",
                             "dumbbell:left=1048576,right=1",
                             "rail-optimized:gpus=1048576,servers-per-segment=1048576",
                             "rail-optimized:gpus=1048576,servers-per-segment=1,spines=1048576",
                             "simai:gpus=1048576,tors-per-spine=1048576,gpus-per-tor=1",
                             "simai:gpus=8,nvswitches-per-server=1048576",
                             "torus:size=1024x1024,hosts-per-switch=1048576",
                             "full-mesh:size=1048576",
                             "dragonfly:p=1048576,a=1024,h=1024"})
    {
        EXPECT_NE(SpecError(spec).find("are possible; choose smaller numbers"), std::string::npos)
            << spec << ": " << SpecError(spec);
    }
}

TEST(TopologyLoad, TakesAFileOrASpecification)
{
    const std::string file = testing::TempDir() + "topology_load_test.txt";
    std::ofstream(file) << "2 0 1\n\n0 1 1Gbps 1us 0\n";
    EXPECT_EQ(LoadRdmaTopology(file).links.size(), 1U);
    std::filesystem::remove(file);
    EXPECT_EQ(LoadRdmaTopology("star:hosts=3").links.size(), 3U);
    try
    {
        LoadRdmaTopology(file);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()).find('"' + file.substr(0, 30)), 0U) << error.what();
        EXPECT_NE(std::string(error.what()).find("no such kind of topology"), std::string::npos);
    }
}
