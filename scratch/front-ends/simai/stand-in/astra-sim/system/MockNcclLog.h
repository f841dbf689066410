/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_MOCK_NCCL_LOG_H
#define STAND_IN_MOCK_NCCL_LOG_H

#include <cstdlib>
#include <string>

/** Writes no log file. */
class MockNcclLog
{
  public:
    static void set_log_name(const std::string& /* name */)
    {
    }

    /** \return the number that its variable begins with, as in SimAI; 0 if it is none */
    static int GetLevel()
    {
        const char* const level = std::getenv("AS_LOG_LEVEL");
        return level ? std::atoi(level) : -1;
    }
};

#endif // STAND_IN_MOCK_NCCL_LOG_H
