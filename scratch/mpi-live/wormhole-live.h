/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_LIVE_H
#define WORMHOLE_LIVE_H

/**
 * \file
 * What a program may say to `wormhole live`. It needs no library of ours to be built or to run
 * without: the function is there only under `wormhole live`.
 *
 *     if (wormhole_live_compute)
 *     {
 *         wormhole_live_compute(0.25);
 *     }
 */

#ifdef __cplusplus
extern "C"
{
#endif

    /** The rank computes, in simulated time alone. \param seconds at least 0; read as whole
     * nanoseconds */
    void wormhole_live_compute(double seconds) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif /* WORMHOLE_LIVE_H */
