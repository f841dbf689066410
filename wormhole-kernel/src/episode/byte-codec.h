/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_BYTE_CODEC_H
#define WORMHOLE_BYTE_CODEC_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace wormhole
{

/** Appends numbers to a string of bytes, small ones in few bytes. The same on every machine. */
class ByteWriter
{
  public:
    void Byte(std::uint8_t value)
    {
        m_bytes += static_cast<char>(value);
    }

    /** Seven bits a byte, the low ones first: 1 to 10 bytes. */
    void Unsigned(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            Byte(static_cast<std::uint8_t>(value | 0x80));
        }
        Byte(static_cast<std::uint8_t>(value));
    }

    /** Numbers near zero, of either sign, are short. */
    void Signed(std::int64_t value)
    {
        const auto bits = static_cast<std::uint64_t>(value);
        Unsigned(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
    }

    /** \p value as its difference from \p before, which it then takes the place of; any two
     * numbers */
    void Delta(std::uint64_t value, std::uint64_t& before)
    {
        Signed(static_cast<std::int64_t>(value - before));
        before = value;
    }

    /** Eight bytes, the low ones first: for hashes, which have no small values. */
    void Word(std::uint64_t value)
    {
        for (int shift = 0; shift < 64; shift += 8)
        {
            Byte(static_cast<std::uint8_t>(value >> shift));
        }
    }

    /** The IEEE bits that differ from those of \p before, which \p value then takes the place of.
     * Round numbers have few low bits, so the order of the bytes is turned round. */
    void Double(double value, double& before)
    {
        Unsigned(Reverse(Bits(value) ^ Bits(before)));
        before = value;
    }

    void Raw(std::string_view bytes)
    {
        m_bytes += bytes;
    }

    /** Length and bytes. */
    void Text(std::string_view bytes)
    {
        Unsigned(bytes.size());
        Raw(bytes);
    }

    std::string Take()
    {
        return std::move(m_bytes);
    }

    static std::uint64_t Bits(double value)
    {
        std::uint64_t bits = 0;
        static_assert(sizeof bits == sizeof value);
        std::memcpy(&bits, &value, sizeof bits);
        return bits;
    }

    static std::uint64_t Reverse(std::uint64_t word)
    {
        std::uint64_t reversed = 0;
        for (int byte = 0; byte < 8; ++byte, word >>= 8)
        {
            reversed = reversed << 8 | (word & 0xff);
        }
        return reversed;
    }

  private:
    std::string m_bytes;
};

/**
 * \brief Reads what a ByteWriter wrote, or finds that it did not.
 *
 * After a failure all further numbers are 0, so a caller may look at Ok() late; but it must do so
 * before it takes a number for an index or a size.
 */
class ByteReader
{
  public:
    explicit ByteReader(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    std::uint8_t Byte()
    {
        if (m_rest.empty())
        {
            Fail();
            return 0;
        }
        const auto value = static_cast<std::uint8_t>(m_rest.front());
        m_rest.remove_prefix(1);
        return value;
    }

    std::uint64_t Unsigned()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7)
        {
            const std::uint8_t byte = Byte();
            if (shift == 63 && byte > 1)
            {
                break;
            }
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
            {
                return m_ok ? value : 0;
            }
        }
        Fail();
        return 0;
    }

    std::int64_t Signed()
    {
        const std::uint64_t bits = Unsigned();
        return static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
    }

    /** \param before becomes what is returned */
    std::uint64_t Delta(std::uint64_t& before)
    {
        before += static_cast<std::uint64_t>(Signed());
        return before;
    }

    std::uint64_t Word()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 8)
        {
            value |= static_cast<std::uint64_t>(Byte()) << shift;
        }
        return value;
    }

    /** \param before becomes what is returned */
    double Double(double& before)
    {
        const std::uint64_t bits = ByteWriter::Reverse(Unsigned()) ^ ByteWriter::Bits(before);
        std::memcpy(&before, &bits, sizeof before);
        return before;
    }

    /** A number of things each of which takes up \p least bytes of what is left, or more. */
    std::size_t Count(std::size_t least)
    {
        return static_cast<std::size_t>(Limited(m_rest.size() / least));
    }

    /** \return at most \p limit */
    std::uint64_t Limited(std::uint64_t limit)
    {
        const std::uint64_t value = Unsigned();
        if (value > limit)
        {
            Fail();
            return 0;
        }
        return value;
    }

    /** \return empty if there are not that many */
    std::string_view Raw(std::uint64_t size)
    {
        if (size > m_rest.size())
        {
            Fail();
            return {};
        }
        const std::string_view bytes = m_rest.substr(0, static_cast<std::size_t>(size));
        m_rest.remove_prefix(bytes.size());
        return bytes;
    }

    std::string_view Text()
    {
        return Raw(Unsigned());
    }

    /** What was not read yet; empty after a failure. */
    std::string_view Rest() const
    {
        return m_rest;
    }

    void Fail()
    {
        m_ok = false;
        m_rest = {};
    }

    bool Ok() const
    {
        return m_ok;
    }

    /** Nothing failed, and nothing is left. */
    bool Done() const
    {
        return m_ok && m_rest.empty();
    }

  private:
    std::string_view m_rest;
    bool m_ok{true};
};

} // namespace wormhole

#endif // WORMHOLE_BYTE_CODEC_H
