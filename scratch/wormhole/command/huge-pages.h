/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_HUGE_PAGES_H
#define WORMHOLE_CLI_HUGE_PAGES_H

namespace wormhole
{

/**
 * Asks the platform for huge pages for the first 32 MB that the program takes, where mimalloc gives
 * them. A page that is touched first, or again after the fork of an audit, costs microseconds on a
 * virtual machine; a short run spent a tenth of its time so. Larger ones would need half as much
 * memory again. Nothing needs to have been constructed before.
 */
void UseHugePages();

} // namespace wormhole

#endif // WORMHOLE_CLI_HUGE_PAGES_H
