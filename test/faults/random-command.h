/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FAULTS_RANDOM_COMMAND_H
#define FAULTS_RANDOM_COMMAND_H

#include "harness/sandbox.h"

namespace faults
{

/** A run that makes sense: network, traffic or workload, control, mode and options. */
struct RandomCommand
{
    harness::Words words; ///< after `run`, without mode and output
    std::string mode;
    harness::Words ofMode; ///< options that this mode alone takes
    bool flows{false};     ///< traffic, not a workload: fct.txt has a line per flow of the traffic
    bool troubled{false};  ///< frames are lost: times of packet level itself are a matter of chance
};

/** \return the same command for the same seed, on every machine */
RandomCommand DrawCommand(uint64_t seed);

} // namespace faults

#endif // FAULTS_RANDOM_COMMAND_H
