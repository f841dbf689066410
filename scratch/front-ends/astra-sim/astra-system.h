/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_ASTRA_SYSTEM_H
#define WORMHOLE_ASTRA_SYSTEM_H

#include "workload/front-end-source.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** What ASTRA-sim's own options say. */
struct AstraInputs
{
    std::string workload; ///< prefix: traces are PREFIX.0.et, PREFIX.1.et...
    std::string system;
    std::string memory;
    std::string groups{"empty"};
    std::string logging{"empty"};
    std::vector<int> dims; ///< of the logical topology
    int queuesPerDim{1};
    double commScale{1};
    double injectionScale{1};
    bool rendezvous{false};
};

/**
 * ASTRA-sim's system and workload layers, of the tree that this is built with. They are used once
 * in a process, since they keep static state. Where their input is wrong they end the process
 * themselves, with status 1.
 * \param inputs as its own front ends take them
 * \param network that it posts to
 */
std::unique_ptr<FrontEnd> MakeAstraSystem(const AstraInputs& inputs,
                                          ns3::WorkloadFrontEnd& network);

/** \return what a tag stands for: ASTRA-sim's ranges of tags tell who uses them */
std::string DescribeAstraTag(uint64_t tag);

} // namespace wormhole

#endif // WORMHOLE_ASTRA_SYSTEM_H
