/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sha256.h"

#include <array>
#include <cstdint>

namespace harness
{

namespace
{

using State = std::array<uint32_t, 8>;
__extension__ using Integer = unsigned __int128;

constexpr size_t SHA_BLOCK = 64;
constexpr size_t ROUNDS = 64;

/** \return the 32 bits behind the point of the root of a prime: the standard's constants */
uint32_t
RootBits(uint32_t prime, int degree)
{
    // the greatest x with x^degree <= prime * 2^(32 degree)
    uint64_t x = 0;
    for (int bit = 36; bit >= 0; --bit)
    {
        const uint64_t tried = x | (uint64_t(1) << bit);
        const Integer square = Integer(tried) * tried;
        const bool fits = degree == 2 ? square <= Integer(prime) << 64
                                      : square <= ((Integer(prime) << 96) / tried);
        x = fits ? tried : x;
    }
    return static_cast<uint32_t>(x);
}

/** \return the constants for the first so many primes */
template <size_t N>
std::array<uint32_t, N>
Constants(int degree)
{
    std::array<uint32_t, N> constants{};
    uint32_t candidate = 2;
    for (size_t i = 0; i < N; ++candidate)
    {
        bool prime = true;
        for (uint32_t divisor = 2; divisor * divisor <= candidate; ++divisor)
        {
            prime = prime && candidate % divisor != 0;
        }
        if (prime)
        {
            constants[i++] = RootBits(candidate, degree);
        }
    }
    return constants;
}

uint32_t
Rotated(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

void
Digest(State& state, const unsigned char* block)
{
    static const auto K = Constants<ROUNDS>(3);
    std::array<uint32_t, ROUNDS> w{};
    for (size_t i = 0; i < ROUNDS; ++i)
    {
        if (i < 16)
        {
            w[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
                   uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
            continue;
        }
        const uint32_t a = w[i - 15];
        const uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (Rotated(a, 7) ^ Rotated(a, 18) ^ a >> 3) +
               (Rotated(b, 17) ^ Rotated(b, 19) ^ b >> 10);
    }
    State s = state;
    for (size_t i = 0; i < ROUNDS; ++i)
    {
        const uint32_t first = s[7] + (Rotated(s[4], 6) ^ Rotated(s[4], 11) ^ Rotated(s[4], 25)) +
                               ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
        const uint32_t second = (Rotated(s[0], 2) ^ Rotated(s[0], 13) ^ Rotated(s[0], 22)) +
                                ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (size_t i = 0; i < s.size(); ++i)
    {
        state[i] += s[i];
    }
}

} // namespace

std::string
Sha256(const std::string& bytes)
{
    std::string padded = bytes + '\x80';
    padded.append((SHA_BLOCK + 56 - padded.size() % SHA_BLOCK) % SHA_BLOCK, '\0');
    for (int shift = 56; shift >= 0; shift -= 8)
    {
        padded += static_cast<char>(uint64_t(bytes.size()) * 8 >> shift);
    }
    State state = Constants<8>(2);
    for (size_t at = 0; at < padded.size(); at += SHA_BLOCK)
    {
        Digest(state, reinterpret_cast<const unsigned char*>(padded.data()) + at);
    }
    std::string text;
    for (const uint32_t word : state)
    {
        for (int shift = 28; shift >= 0; shift -= 4)
        {
            text += "0123456789abcdef"[word >> shift & 15];
        }
    }
    return text;
}

} // namespace harness
