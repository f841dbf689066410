/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-disturbance.h"

namespace ns3
{

namespace
{

/** \return where a number comes in a fixed random order of the numbers below \p count: a bijection
 */
uint64_t
Shuffled(uint64_t number, uint64_t count)
{
    constexpr uint32_t BITS = 64;
    // odd, as multiplying by them is to have an inverse; SplitMix64's
    constexpr uint64_t KEYS[]{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb};
    uint32_t bits = 1;
    while (bits < BITS && (count - 1) >> bits > 0)
    {
        ++bits;
    }
    const uint64_t mask = UINT64_MAX >> (BITS - bits);
    // Among all numbers of as many bits, it goes on until one is below count again: that permutes
    // the numbers below count.
    do
    {
        for (const uint64_t key : KEYS)
        {
            number = (number * key + (key >> (BITS / 2))) & mask;
            number ^= number >> ((bits + 1) / 2);
        }
    } while (number >= count);
    return number;
}

} // namespace

WorkloadDisturbance
DrawWorkloadDisturbance(uint64_t number, uint64_t count)
{
    const uint64_t round = (number - 1) / count;
    return {Shuffled((number - 1) % count, count), static_cast<int64_t>(round) + 1};
}

} // namespace ns3
