/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_OPTIONS_H
#define RDMA_TRAFFIC_OPTIONS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 *
 * Units: B, KB or kB, MB, GB, TB are powers of 1000, KiB, MiB, GiB, TiB of 1024; no unit means
 * bytes.
 * \param text a number, with a point or without, and a unit: "20000000", "1MB", "1.5GB", "64KiB"
 * \param bytes set to the size
 * \return false, with \p bytes as it was, if the text is not a whole number of bytes below 2^63
 */
bool ParseRdmaBytes(const std::string& text, uint64_t& bytes);

/**
 * \ingroup rdma
 * \brief A specification of traffic, `KIND` or `KIND:KEY=VALUE,...`, whose values are checked as
 * they are asked for.
 *
 * Every failure throws RdmaInputError naming the specification, the key, the value and what is
 * accepted.
 */
class RdmaTrafficOptions
{
  public:
    /**
     * \param spec what the user wrote
     * \param kinds the kinds there are
     */
    RdmaTrafficOptions(const std::string& spec, const std::vector<std::string>& kinds);

    /** \return one of the kinds */
    const std::string& Kind() const;

    /** \return the value of a key that is required */
    std::string Text(const std::string& key);

    /** \return the value of a key, one of \p choices; the first of them if it is absent */
    std::string Choice(const std::string& key, const std::vector<std::string>& choices);

    /** \return the value of a key, a whole number in [least, most]; \p absent if it is absent */
    uint64_t Whole(const std::string& key, uint64_t absent, uint64_t least, uint64_t most);

    /** \return the value of a key that is required, a number in [least, most] */
    double Number(const std::string& key, double least, double most);

    /** \return the value of a key, a size of 1 byte at least; \p absent if it is absent */
    uint64_t Bytes(const std::string& key, uint64_t absent);

    /** \return the value of a key, a time in nanoseconds up to 100 days; \p absent if it is absent,
     * required without it */
    double TimeNs(const std::string& key, std::optional<double> absent = std::nullopt);

    /** Throws if there is a key that nobody asked for. */
    void CheckAllUsed() const;

    /** Throws RdmaInputError. */
    [[noreturn]] void Fail(const std::string& message) const;

  private:
    /** \return the value, null if the key is absent; the key counts as used */
    const std::string* Find(const std::string& key);

    /** Throws: the value is not what is expected. */
    [[noreturn]] void FailValue(const std::string& key, const std::string& expected) const;

    std::string m_kind;
    std::map<std::string, std::string> m_values;
    std::set<std::string> m_asked;
};

} // namespace ns3

#endif // RDMA_TRAFFIC_OPTIONS_H
