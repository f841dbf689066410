/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_LOGGING_HH
#define STAND_IN_LOGGING_HH

#include <string>

namespace AstraSim
{

/** Writes no log files. */
class LoggerFactory
{
  public:
    static void init(const std::string& /* configuration */)
    {
    }

    static void shutdown()
    {
    }
};

} // namespace AstraSim

#endif // STAND_IN_LOGGING_HH
