/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_MIX_H
#define WORMHOLE_MIX_H

#include <cstdint>

namespace wormhole
{

/** Mixes all bits of \p word into all bits of the result, which is different for different words
 * (the finaliser of SplitMix64). */
constexpr std::uint64_t
Mix(std::uint64_t word)
{
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

} // namespace wormhole

#endif // WORMHOLE_MIX_H
