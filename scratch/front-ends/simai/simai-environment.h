/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_ENVIRONMENT_H
#define WORMHOLE_SIMAI_ENVIRONMENT_H

#include <cstdint>

namespace wormhole
{

/** What SimAI's environment variables say. It reads the last two itself. */
struct SimAiEnvironment
{
    int64_t sendLatencyNs{6000000}; ///< AS_SEND_LAT: before each message
    bool nvls{false};               ///< AS_NVLS_ENABLE
    bool pxn{false};                ///< AS_PXN_ENABLE
};

/**
 * Reads the variables before SimAI does, which takes for 0 what it does not know. A name of
 * AS_LOG_LEVEL, as its documents have them, becomes the number that it reads.
 * \throws InputError for a value that SimAI does not have
 */
SimAiEnvironment ReadSimAiEnvironment();

} // namespace wormhole

#endif // WORMHOLE_SIMAI_ENVIRONMENT_H
