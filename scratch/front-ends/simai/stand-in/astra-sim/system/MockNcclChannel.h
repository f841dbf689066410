/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_MOCK_NCCL_CHANNEL_H
#define STAND_IN_MOCK_NCCL_CHANNEL_H

#include "astra-sim/system/MockNcclGroup.h"

namespace MockNccl
{

/** The group as a member sees it. */
class MockNcclComm
{
  public:
    MockNcclGroup* GlobalGroup;
};

} // namespace MockNccl

#endif // STAND_IN_MOCK_NCCL_CHANNEL_H
