/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-choice.h"

#include <algorithm>

namespace ns3
{

namespace
{

bool
HasNvls(const WorkloadSimAiOptions& options, const std::string& gpuType)
{
    return gpuType == "H100" || gpuType == "H800" ||
           (gpuType == "H20" && options.rules == WorkloadSimAiRules::SIMAI_1_7);
}

bool
PicksPat(const WorkloadSimAiOptions& options,
         WorkloadSimAiKind kind,
         uint64_t bytes,
         const WorkloadSimAiShape& shape)
{
    if (options.rules != WorkloadSimAiRules::SIMAI_1_7 || options.pat == WorkloadSimAiPat::OFF ||
        (kind != WorkloadSimAiKind::ALL_GATHER && kind != WorkloadSimAiKind::REDUCE_SCATTER) ||
        shape.servers.size() < 2 || shape.servers.size() != shape.Count())
    {
        return false;
    }
    return options.pat == WorkloadSimAiPat::FORCE ||
           (bytes >= options.patMinBytes && bytes <= options.patMaxBytes);
}

WorkloadSimAiProtocol
PickProtocol(const WorkloadSimAiOptions& options, WorkloadSimAiAlgorithm algorithm, uint64_t bytes)
{
    constexpr uint64_t mebibyte = 1U << 20;
    if (options.rules == WorkloadSimAiRules::SIMAI_1_6 || !options.protocolAware)
    {
        return WorkloadSimAiProtocol::UNDEFINED;
    }
    if (options.forceProtocol != WorkloadSimAiProtocol::UNDEFINED)
    {
        return options.forceProtocol;
    }
    switch (algorithm)
    {
    case WorkloadSimAiAlgorithm::RING:
        return bytes <= 4 * mebibyte    ? WorkloadSimAiProtocol::LL
               : bytes <= 16 * mebibyte ? WorkloadSimAiProtocol::LL128
                                        : WorkloadSimAiProtocol::SIMPLE;
    case WorkloadSimAiAlgorithm::NVLS:
        return bytes <= mebibyte ? WorkloadSimAiProtocol::LL : WorkloadSimAiProtocol::SIMPLE;
    case WorkloadSimAiAlgorithm::PAT:
        break;
    }
    return WorkloadSimAiProtocol::SIMPLE;
}

/** SimAI 1.7's table, meant as ns. */
uint64_t
TableLatency(const WorkloadSimAiChoice& choice, bool sameServer)
{
    constexpr uint64_t other = 6000;
    if (choice.protocol == WorkloadSimAiProtocol::UNDEFINED)
    {
        return other;
    }
    const bool simple = choice.protocol == WorkloadSimAiProtocol::SIMPLE;
    switch (choice.algorithm)
    {
    case WorkloadSimAiAlgorithm::RING: {
        static const uint64_t nvlink[]{7200, 15900, 11800};
        static const uint64_t net[]{9300, 18000, 22400};
        return (sameServer ? nvlink : net)[static_cast<int8_t>(choice.protocol)];
    }
    case WorkloadSimAiAlgorithm::NVLS:
        return sameServer ? 25000 : 18000;
    case WorkloadSimAiAlgorithm::PAT:
        break;
    }
    return !simple ? other : sameServer ? 12000 : 22000;
}

} // namespace

WorkloadSimAiChoice
ChooseWorkloadSimAi(const WorkloadSimAiOptions& options,
                    const std::string& gpuType,
                    WorkloadSimAiKind kind,
                    WorkloadSimAiGroup group,
                    uint64_t bytes,
                    const WorkloadSimAiShape& shape)
{
    constexpr uint32_t leastNvlsMembers = 8;
    WorkloadSimAiChoice choice;
    if (options.nvls && kind == WorkloadSimAiKind::ALL_REDUCE && group == WorkloadSimAiGroup::TP &&
        HasNvls(options, gpuType) && shape.switches > 0 && shape.Count() >= leastNvlsMembers &&
        (options.rules == WorkloadSimAiRules::SIMAI_1_6 || bytes >= options.nvlsMinBytes))
    {
        choice.algorithm = WorkloadSimAiAlgorithm::NVLS;
    }
    else if (PicksPat(options, kind, bytes, shape))
    {
        choice.algorithm = WorkloadSimAiAlgorithm::PAT;
    }
    choice.protocol = PickProtocol(options, choice.algorithm, bytes);
    return choice;
}

uint64_t
WorkloadSimAiSendLatencyNs(const WorkloadSimAiOptions& options,
                           const WorkloadSimAiChoice& choice,
                           bool sameServer)
{
    constexpr uint64_t standard = 6000;
    const uint64_t latency = options.sendLatency >= 0 ? uint64_t(options.sendLatency)
                             : options.rules == WorkloadSimAiRules::SIMAI_1_6
                                 ? standard
                                 : TableLatency(choice, sameServer);
    return options.literalLatency ? latency * 1000 : latency;
}

uint64_t
LeastWorkloadSimAiSendLatencyNs(const WorkloadSimAiOptions& options)
{
    using Algorithm = WorkloadSimAiAlgorithm;
    using Protocol = WorkloadSimAiProtocol;
    uint64_t least = UINT64_MAX;
    for (const Algorithm algorithm : {Algorithm::RING, Algorithm::NVLS, Algorithm::PAT})
    {
        for (const Protocol protocol :
             {Protocol::UNDEFINED, Protocol::LL, Protocol::LL128, Protocol::SIMPLE})
        {
            for (const bool sameServer : {false, true})
            {
                least = std::min(
                    least,
                    WorkloadSimAiSendLatencyNs(options, {algorithm, protocol}, sameServer));
            }
        }
    }
    return least;
}

} // namespace ns3
