/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-slice.h"

#include <algorithm>

namespace ns3
{

const std::vector<const RdmaSlice::Record*>&
RdmaSlice::MergeLanes()
{
    const auto merge = [](auto a, auto aEnd, auto b, auto bEnd, const Record** out) {
        while (a != aEnd && b != bEnd)
        {
            // without a jump: which is next cannot be foreseen
            const bool isB = At(b).time < At(a).time;
            *out++ = &At(isB ? b : a);
            a += !isB;
            b += isB;
        }
        const auto address = [](auto& at) { return &At(&at); };
        return std::transform(b, bEnd, std::transform(a, aEnd, out, address), address);
    };
    std::vector<size_t> ends; // of what has been merged
    size_t count = 0;
    for (const Sorted& lane : lanes)
    {
        count += lane.end - lane.begin;
    }
    for (std::vector<const Record*>& records : merged)
    {
        records.resize(count);
    }
    const Record** out = merged[0].data();
    for (size_t i = 0; i < lanes.size(); i += 2)
    {
        const Sorted& a = lanes[i];
        const Sorted b = i + 1 < lanes.size() ? lanes[i + 1] : Sorted{};
        out = merge(a.begin, a.end, b.begin, b.end, out);
        ends.push_back(out - merged[0].data());
    }
    uint32_t from = 0;
    for (; ends.size() > 1; from = 1 - from)
    {
        const Record* const* const in = merged[from].data();
        size_t begin = 0;
        size_t pairs = 0;
        for (size_t i = 0; i < ends.size(); i += 2)
        {
            const size_t end = ends[std::min(i + 1, ends.size() - 1)];
            merge(in + begin,
                  in + ends[i],
                  in + ends[i],
                  in + end,
                  merged[1 - from].data() + begin);
            ends[pairs++] = begin = end;
        }
        ends.resize(pairs);
    }
    return merged[from];
}

} // namespace ns3
