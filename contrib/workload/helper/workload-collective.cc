/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stands in for the collectives until they are there: rings and direct all-to-all only.
#include "workload-collective.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

struct Range
{
    uint64_t begin;
    uint64_t end;
};

Range
Cut(Range range, uint64_t index, uint64_t count)
{
    const uint64_t length = range.end - range.begin;
    const uint64_t each = length / count;
    const uint64_t more = length % count;
    const uint64_t begin = range.begin + index * each + std::min(index, more);
    return {begin, begin + each + (index < more ? 1 : 0)};
}

} // namespace

WorkloadCollectiveEnds
AddWorkloadCollective(WorkloadScheduleBuilder& builder,
                      const std::vector<uint32_t>& members,
                      const WorkloadCollective& collective,
                      const std::vector<uint32_t>& after)
{
    const auto n = static_cast<uint32_t>(members.size());
    const bool direct = collective.kind == WorkloadCollectiveKind::ALL_TO_ALL;
    const bool all = collective.kind == WorkloadCollectiveKind::ALL_REDUCE;
    const bool gather = collective.kind == WorkloadCollectiveKind::ALL_GATHER;
    if (!direct && collective.algorithm != WorkloadCollectiveAlgorithm::RING)
    {
        throw RdmaInputError("only rings so far");
    }
    WorkloadCollectiveEnds ends;
    for (uint32_t i = 0; i < n; ++i)
    {
        ends.begin.push_back(builder.Calc(members[i], 0, collective.cpu));
        if (!after.empty() && after[i] != WORKLOAD_NONE)
        {
            builder.Require(members[i], ends.begin[i], after[i]);
        }
    }
    std::vector<std::vector<uint32_t>> finish(n);
    const uint64_t chunk = collective.chunkBytes ? collective.chunkBytes : UINT64_MAX;
    const auto move = [&](uint32_t from, uint32_t to, Range part, std::vector<uint32_t>* ready) {
        std::vector<uint32_t> received;
        for (uint64_t at = part.begin; at < part.end; at += std::min(chunk, part.end - at))
        {
            const uint64_t bytes = std::min(chunk, part.end - at);
            const uint32_t tag = builder.NewTag();
            const uint32_t send =
                builder.Send(members[from], members[to], bytes, tag, collective.cpu);
            const uint32_t recv =
                builder.Recv(members[to], members[from], bytes, tag, collective.cpu);
            builder.Require(members[from], send, ends.begin[from]);
            if (ready && !ready->empty())
            {
                builder.Require(members[from], send, (*ready)[received.size()]);
            }
            builder.Require(members[to], recv, ends.begin[to]);
            finish[from].push_back(send);
            finish[to].push_back(recv);
            received.push_back(recv);
        }
        return received;
    };
    for (uint32_t channel = 0; channel < collective.channels && n > 1; ++channel)
    {
        const Range whole{0, collective.bytes};
        const Range mine = all ? Cut(whole, channel, collective.channels) : whole;
        const uint64_t length = mine.end - mine.begin;
        const uint64_t round = all && chunk < length ? std::min(chunk * n, length) : length;
        for (uint64_t at = mine.begin; at < mine.end; at += std::min(round, mine.end - at))
        {
            const Range part{at, at + std::min(round, mine.end - at)};
            for (uint32_t p = 0; p < n; ++p)
            {
                const Range cut =
                    all ? Cut(part, p, n) : Cut(Cut(part, p, n), channel, collective.channels);
                if (direct)
                {
                    for (uint32_t i = 0; i < n; ++i)
                    {
                        if (i != p)
                        {
                            move(i, p, cut, nullptr);
                        }
                    }
                    continue;
                }
                std::vector<uint32_t> ready;
                const uint32_t hops = all ? 2 * (n - 1) : n - 1;
                for (uint32_t hop = 0; hop < hops; ++hop)
                {
                    const uint32_t from = (p + hop + (gather ? 0 : 1)) % n;
                    ready = move(from, (from + 1) % n, cut, &ready);
                }
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        ends.end.push_back(builder.Calc(members[i], 0, collective.cpu));
        builder.Require(members[i], ends.end[i], ends.begin[i]);
        for (const uint32_t operation : finish[i])
        {
            builder.Require(members[i], ends.end[i], operation);
        }
    }
    return ends;
}

} // namespace ns3
