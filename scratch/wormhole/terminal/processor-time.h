/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PROCESSOR_TIME_H
#define WORMHOLE_CLI_PROCESSOR_TIME_H

#include <ctime>

namespace wormhole
{

/** \return processor time that this process has taken so far, s */
inline double
ProcessorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace wormhole

#endif // WORMHOLE_CLI_PROCESSOR_TIME_H
