/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives against the messages that Open MPI was seen to send.

#include "harness/data.h"

#include "ns3/workload-mpi-collective.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

using MpiCall = WorkloadMpiCall;

/** Messages and bytes by sender and receiver. */
using MpiTraffic = std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>>;

/** Counts what a member sends. */
class MpiCounter : public WorkloadMpiPart
{
  public:
    MpiCounter(uint32_t size, uint32_t rank, MpiTraffic& traffic)
        : WorkloadMpiPart(size, rank),
          m_traffic(traffic)
    {
    }

    void Send(uint32_t to, uint64_t bytes) override
    {
        auto& [messages, sum] = m_traffic[{GetRank(), to}];
        ++messages;
        sum += bytes;
    }

    void Receive(uint32_t, uint64_t) override
    {
    }

    void Next() override
    {
    }

  private:
    MpiTraffic& m_traffic;
};

/** A line of the file, before the |. */
struct MpiCase
{
    std::string name;
    uint32_t size;
    uint32_t root;
    uint64_t bytes;
    uint64_t element;
    bool commutative;
    bool differ;
};

MpiCall
MpiCallNamed(const std::string& name)
{
    for (auto call = MpiCall::Barrier; call <= MpiCall::Exscan;
         call = static_cast<MpiCall>(static_cast<uint8_t>(call) + 1))
    {
        if (WorkloadMpiCallName(call) == name)
        {
            return call;
        }
    }
    ADD_FAILURE() << name << " is no collective";
    return MpiCall::Barrier;
}

/** \return what a member's trace has of it */
WorkloadMpiRecord
MpiRecordOf(const MpiCase& test, uint32_t rank)
{
    WorkloadMpiRecord record;
    record.kind = WorkloadMpiKind::COLLECTIVE;
    record.call = MpiCallNamed(test.name);
    record.peer = test.root;
    record.bytes = test.bytes;
    record.element = test.element;
    record.commutative = test.commutative;
    std::vector<uint64_t> blocks(test.size, test.bytes);
    for (uint32_t i = 0; test.differ && i < test.size; ++i)
    {
        blocks[i] = i == 1 ? 0 : test.bytes + i * test.element;
    }
    const bool vector = record.call == MpiCall::Gatherv || record.call == MpiCall::Scatterv;
    if (vector)
    {
        record.bytes = blocks[rank];
    }
    if (!vector || rank == test.root)
    {
        record.receives = blocks;
        record.sends = record.call == MpiCall::Scatterv
                           ? blocks
                           : std::vector<uint64_t>(test.size, blocks[rank]); // its own to all
    }
    return record;
}

MpiTraffic
MpiTrafficOf(const MpiCase& test, WorkloadMpiLibrary library)
{
    MpiTraffic traffic;
    for (uint32_t rank = 0; rank < test.size; ++rank)
    {
        MpiCounter counter(test.size, rank, traffic);
        AddWorkloadMpiCollective(counter, MpiRecordOf(test, rank), library);
    }
    return traffic;
}

MpiTraffic
MpiTrafficFrom(std::istream& words)
{
    MpiTraffic traffic;
    uint32_t from = 0;
    uint32_t to = 0;
    uint64_t messages = 0;
    uint64_t bytes = 0;
    char sign = 0;
    while (words >> from >> sign >> to >> sign >> messages >> sign >> bytes)
    {
        traffic[{from, to}] = {messages, bytes};
    }
    return traffic;
}

} // namespace

TEST(MpiMeasured, EachPairSendsWhatOpenMpiSends)
{
    std::ifstream file(harness::Data("mpi/openmpi-4.1.4-collectives.txt"));
    std::string line;
    std::set<std::string> names;
    size_t cases = 0;
    size_t asBefore = 0;
    while (std::getline(file, line))
    {
        if (line.empty() || line.front() == '#')
        {
            continue;
        }
        SCOPED_TRACE(line.substr(0, line.find('|')));
        std::istringstream words(line);
        MpiCase test{};
        std::string bar;
        words >> test.name >> test.size >> test.root >> test.bytes >> test.element >>
            test.commutative >> test.differ >> bar;
        ASSERT_EQ(bar, "|");
        const MpiTraffic measured = MpiTrafficFrom(words);
        ASSERT_FALSE(measured.empty());
        EXPECT_EQ(MpiTrafficOf(test, WorkloadMpiLibrary::OPEN_MPI), measured);
        asBefore += MpiTrafficOf(test, WorkloadMpiLibrary::OPEN_MPI_4_0) == measured ? 1 : 0;
        names.insert(test.name);
        ++cases;
    }
    EXPECT_GE(cases, 100U);
    EXPECT_EQ(names.size(), 17U);       // all collectives that block, but those of neighbors
    EXPECT_LT(asBefore, cases * 2 / 3); // other versions choose otherwise
}
