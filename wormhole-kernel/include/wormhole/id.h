/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ID_H
#define WORMHOLE_ID_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace wormhole
{

/**
 * \brief The number of a thing of one kind, which does not convert to the number of another kind.
 *
 * \tparam Tag says of what kind
 * \tparam Rep the unsigned integer underneath
 *
 * Costs what the integer costs. Thread safety: that of an integer.
 */
template <class Tag, class Rep>
class Id
{
  public:
    using ValueType = Rep;

    constexpr Id() = default;

    constexpr explicit Id(Rep value)
        : m_value(value)
    {
    }

    /** \return the integer underneath */
    constexpr Rep Value() const
    {
        return m_value;
    }

    friend constexpr bool operator==(Id a, Id b)
    {
        return a.m_value == b.m_value;
    }

    friend constexpr bool operator!=(Id a, Id b)
    {
        return a.m_value != b.m_value;
    }

    friend constexpr bool operator<(Id a, Id b)
    {
        return a.m_value < b.m_value;
    }

  private:
    Rep m_value{0};
};

/** One transfer on one queue pair or connection. The simulator chooses the numbers, and does not
 * use one again. */
using FlowId = Id<struct FlowTag, std::uint64_t>;

/** The egress side of a link. The simulator chooses the numbers: small ones, for tables are indexed
 * by them. */
using PortId = Id<struct PortTag, std::uint32_t>;

/** A partition (wormhole/partition-map.h). The map chooses the numbers, and does not use one again.
 */
using PartitionId = Id<struct PartitionTag, std::uint64_t>;

} // namespace wormhole

/** Ids are keys of hash tables. */
template <class Tag, class Rep>
struct std::hash<wormhole::Id<Tag, Rep>>
{
    std::size_t operator()(wormhole::Id<Tag, Rep> id) const noexcept
    {
        return std::hash<Rep>{}(id.Value());
    }
};

#endif // WORMHOLE_ID_H
