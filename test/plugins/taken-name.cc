/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A class whose name is taken.

#include "ns3/object.h"

namespace
{

const ns3::TypeId TAKEN("ns3::RdmaHpcc");

} // namespace
