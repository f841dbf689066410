/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Was built for another Wormhole.

extern "C"
{
    extern const char wormholePluginOf[];
    const char wormholePluginOf[] = "0.0.9 0123456789ab ns-3 3.36";
}
