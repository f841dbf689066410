/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_TEST_TRACES_H
#define WORKLOAD_CHAKRA_TEST_TRACES_H

#include "ns3/workload-chakra-reader.h"
#include "ns3/workload-chakra-runner.h"

#include <cstdint>
#include <string>
#include <vector>

/** Small traces, and what comes of them on links whose times can be worked out by hand. */
namespace chakra
{

using Kind = ns3::WorkloadChakraKind;
using Collective = ns3::WorkloadChakraCollective;

ns3::WorkloadChakraNode MakeNode(uint64_t id,
                                 Kind kind,
                                 const std::vector<uint64_t>& dependencies = {});

ns3::WorkloadChakraNode Coll(uint64_t id,
                             Collective collective,
                             uint64_t bytes,
                             const std::vector<uint64_t>& dependencies = {});

ns3::WorkloadChakraNode Comp(uint64_t id,
                             uint64_t micros,
                             const std::vector<uint64_t>& dependencies = {});

ns3::WorkloadChakraNode Message(uint64_t id,
                                Kind kind,
                                uint64_t peer,
                                uint64_t bytes,
                                uint64_t tag,
                                const std::vector<uint64_t>& dependencies = {});

/** All ranks do the same. */
ns3::WorkloadChakraTrace Same(uint32_t ranks, const std::vector<ns3::WorkloadChakraNode>& nodes);

ns3::WorkloadAstraSystem System(const std::string& text);

/** Remembers all spans. */
class Spans : public ns3::WorkloadObserver
{
  public:
    void Done(const ns3::WorkloadSpan& span) override
    {
        all.push_back(span);
    }

    std::vector<ns3::WorkloadSpan> all;
};

/** What came of a run. */
struct Outcome
{
    bool done;
    std::vector<int64_t> finishNs;  //!< by rank
    std::vector<int64_t> exposedNs; //!< by rank
    uint64_t bytes;
    uint64_t messages;
    std::vector<ns3::WorkloadSpan> spans;
    std::vector<std::string> stall;
};

/** Links of 50 GiB/s and 500 ns, as in ASTRA-sim's tests/rt_template. */
Outcome Execute(const ns3::WorkloadChakraTrace& trace,
                const ns3::WorkloadChakraOptions& options,
                uint64_t jitterSeed = 0);

/** \return nanoseconds that a message takes on these links */
int64_t Net(uint64_t bytes);

/** \return nanoseconds of a reduction at 50 GB/s: two reads, one write */
int64_t Reduce(uint64_t bytes);

inline constexpr int64_t E = 10; // endpoint-delay, ns

void ExpectAll(const Outcome& outcome, int64_t ns);

inline constexpr uint64_t MIB = 1 << 20;

/** The system of ASTRA-sim's tests/rt_template. */
extern const std::string RT_TEMPLATE;

/** A system with one chunk and the same algorithm for all collectives that it can do. */
ns3::WorkloadAstraSystem One(ns3::WorkloadAstraAlgorithm algorithm, uint32_t window = 0);

ns3::WorkloadChakraOptions With(const ns3::WorkloadAstraSystem& system);

} // namespace chakra

#endif // WORKLOAD_CHAKRA_TEST_TRACES_H
