/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_CHECK_H
#define WORMHOLE_SIMAI_CHECK_H

#include <cstdint>
#include <string>

namespace wormhole
{

/**
 * Checks what SimAI reads without a check, and divides by, indexes with or waits for. A file that
 * does not begin with a policy is left to SimAI, which says so.
 * \param workload file
 * \param gpus of the topology, at least 1
 * \throws InputError with file and line
 */
void CheckSimAiWorkload(const std::string& workload, uint32_t gpus);

} // namespace wormhole

#endif // WORMHOLE_SIMAI_CHECK_H
