/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ASIDE_H
#define WORMHOLE_ASIDE_H

#include <functional>
#include <optional>

namespace wormhole
{

/**
 * Does \p work on a copy of everything, which is then gone: in a child process, which sees all
 * memory as it is now, but no file: what it writes is lost. Waits for it. The copy is made of pages
 * as they are written to, so it costs about a millisecond, plus the work.
 * \return what \p work returned; nullopt if it threw or was killed, or there can be no other
 * process
 */
std::optional<double> DoAside(const std::function<double()>& work);

} // namespace wormhole

#endif // WORMHOLE_ASIDE_H
