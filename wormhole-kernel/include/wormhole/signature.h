/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SIGNATURE_H
#define WORMHOLE_SIGNATURE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace wormhole
{

/** 128 bits that stand for something larger; the same on every machine. */
struct Signature
{
    std::uint64_t high{0};
    std::uint64_t low{0};

    friend bool operator==(const Signature& a, const Signature& b)
    {
        return a.high == b.high && a.low == b.low;
    }

    friend bool operator!=(const Signature& a, const Signature& b)
    {
        return !(a == b);
    }

    friend bool operator<(const Signature& a, const Signature& b)
    {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }

    /** \return 32 hexadecimal digits */
    std::string ToString() const;
};

/**
 * \brief Makes a Signature of a sequence of words and texts, in which their order counts.
 *
 * Not cryptographic: it guards against accidents, not against an adversary. O(1) per word,
 * O(length) per text. Distinct objects may be used from distinct threads.
 */
class SignatureBuilder
{
  public:
    /** \return *this, as below */
    SignatureBuilder& Add(std::uint64_t word);
    /** Length and bytes, so that ("a", "bc") differs from ("ab", "c"). */
    SignatureBuilder& Add(std::string_view text);
    /** \return the signature of all that was added so far */
    Signature Get() const;

  private:
    std::uint64_t m_high{0};
    std::uint64_t m_low{0};
};

} // namespace wormhole

template <>
struct std::hash<wormhole::Signature>
{
    std::size_t operator()(const wormhole::Signature& signature) const noexcept
    {
        return static_cast<std::size_t>(signature.low);
    }
};

#endif // WORMHOLE_SIGNATURE_H
