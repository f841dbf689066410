/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/signature.h"

#include "graph/mix.h"

namespace wormhole
{

SignatureBuilder&
SignatureBuilder::Add(std::uint64_t word)
{
    // Two chains with different constants, each of which takes in the other one.
    m_high = Mix(m_high ^ word);
    m_low = Mix((m_low ^ 0x6a09e667f3bcc909) + word * 0xd6e8feb86659fd93 + m_high);
    return *this;
}

SignatureBuilder&
SignatureBuilder::Add(std::string_view text)
{
    Add(text.size());
    for (std::size_t begin = 0; begin < text.size(); begin += 8)
    {
        // Byte by byte, so that the order of bytes in the machine's words does not matter.
        std::uint64_t word = 0;
        for (const char byte : text.substr(begin, 8))
        {
            word = word << 8 | static_cast<unsigned char>(byte);
        }
        Add(word);
    }
    return *this;
}

Signature
SignatureBuilder::Get() const
{
    // One to one, so that nothing that the chains tell apart is lost.
    return {Mix(m_high + m_low), Mix(~m_low)};
}

std::string
Signature::ToString() const
{
    static constexpr char DIGITS[] = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t half : {high, low})
    {
        for (int shift = 60; shift >= 0; shift -= 4)
        {
            text += DIGITS[half >> shift & 15];
        }
    }
    return text;
}

} // namespace wormhole
