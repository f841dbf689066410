/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_MOCK_NCCL_LOG_H
#define STAND_IN_MOCK_NCCL_LOG_H

#include <string>

/** Writes no log file. */
class MockNcclLog
{
  public:
    static void set_log_name(const std::string& /* name */)
    {
    }
};

#endif // STAND_IN_MOCK_NCCL_LOG_H
