/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_EVENT_KEY_H
#define WORMHOLE_DETAIL_EVENT_KEY_H

#include <cstdint>

namespace wormhole::detail
{

/** What events are ordered by. */
struct EventKey
{
    std::int64_t time; //!< picoseconds; counted from where is up to the user of the key
    std::uint64_t sequence;
};

/** \return whether \p a comes before \p b. Without branches: in a heap they would be guessed
 * wrongly every other time. */
inline bool
Before(const EventKey& a, const EventKey& b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.sequence < b.sequence));
}

} // namespace wormhole::detail

#endif // WORMHOLE_DETAIL_EVENT_KEY_H
