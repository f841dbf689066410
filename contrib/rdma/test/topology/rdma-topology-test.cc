/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-compat.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/test.h"

#include <sstream>

using namespace ns3;

namespace
{

std::string
FileOf(const RdmaTopology& topology)
{
    std::ostringstream out;
    WriteRdmaTopology(out, topology);
    return out.str();
}

/** A file is read, and written as the simulator that it is made for prints it. */
class FormatCase : public TestCase
{
  public:
    FormatCase(const std::string& name, const std::string& text, const std::string& written)
        : TestCase(name),
          m_text(text),
          m_written(written)
    {
    }

  private:
    void DoRun() override
    {
        std::istringstream in(m_text);
        NS_TEST_EXPECT_MSG_EQ(FileOf(ReadRdmaTopology(in, "t.txt")), m_written, "other content");
    }

    std::string m_text;
    std::string m_written;
};

/** A mistake is named with its line. */
class MistakeCase : public TestCase
{
  public:
    MistakeCase()
        : TestCase("a node that is not declared")
    {
    }

  private:
    void DoRun() override
    {
        std::istringstream in("3 1 2\n2\n0 2 1Gbps 1us 0\n3 2 1Gbps 1us 0\n");
        std::string message;
        try
        {
            ReadRdmaTopology(in, "t.txt");
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message,
                              "t.txt:4: node 3, but only 3 are declared (nodes are 0 to 2); "
                              "correct the id or the node count in line 1",
                              "other message");
    }
};

/** Leaves and spines are numbered and linked in ascending order, hosts first. */
class LeafSpineCase : public TestCase
{
  public:
    LeafSpineCase()
        : TestCase("leaf-spine with two leaves and two spines")
    {
    }

  private:
    void DoRun() override
    {
        const RdmaTopology topology =
            GenerateRdmaTopology("leaf-spine:leaves=2,spines=2,hosts-per-leaf=1");
        NS_TEST_EXPECT_MSG_EQ(FileOf(topology),
                              "6 4 6\n2 3 4 5\n"
                              "0 2 100Gbps 1000ns 0\n1 3 100Gbps 1000ns 0\n"
                              "2 4 100Gbps 1000ns 0\n2 5 100Gbps 1000ns 0\n"
                              "3 4 100Gbps 1000ns 0\n3 5 100Gbps 1000ns 0\n",
                              "other links");
    }
};

class RdmaTopologyTestSuite : public TestSuite
{
  public:
    RdmaTopologyTestSuite()
        : TestSuite("rdma-topology", RDMA_TEST_UNIT)
    {
        AddTestCase(
            new FormatCase("HPCC's format",
                           "3 1 2\r\n2\r\n0 2 100Gbps 0.001ms 0.000000\r\n1 2 25Gb/s 1us 1\r\n",
                           "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 25Gbps 1000ns 1\n"),
            RDMA_TEST_QUICK);
        AddTestCase(
            new FormatCase("SimAI's format",
                           "3 1 1 1 2 H100\n1 2 \n0 1 2880Gbps 25ns 0\n0 2 400Gbps 500ns 0\n",
                           "3 1 1 1 2 H100\n1 2 \n"
                           "0 1 2880Gbps 0.000025ms 0\n0 2 400Gbps 0.0005ms 0\n"),
            RDMA_TEST_QUICK);
        AddTestCase(new MistakeCase, RDMA_TEST_QUICK);
        AddTestCase(new LeafSpineCase, RDMA_TEST_QUICK);
    }
};

RdmaTopologyTestSuite g_rdmaTopologyTestSuite;

} // namespace
