/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_QUEUES_H
#define WORMHOLE_CLI_SWEEP_QUEUES_H

#include <map>
#include <string>
#include <vector>

namespace wormhole
{

/** A recorded port held so many bytes from one time to another. */
struct SweepQueueStretch
{
    double beginNs;
    double endNs;
    double bytes;
};

/**
 * \param path of queues.csv
 * \param endNs of the run
 * \return what each port held, until its next line
 * \throws InputError with file and line if the file is not as the program writes it
 */
std::vector<SweepQueueStretch> ReadSweepQueues(const std::string& path, double endNs);

/** \return queue_bytes_p50, _p95 and _p99: the least length that ports did not exceed in this share
 * of their time; none of no stretch. \param stretches in any order */
std::map<std::string, double> SweepQueuePercentiles(std::vector<SweepQueueStretch> stretches);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_QUEUES_H
