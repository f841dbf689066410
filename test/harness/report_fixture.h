/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_REPORT_FIXTURE_H
#define HARNESS_REPORT_FIXTURE_H

#include "harness/sandbox.h"

#include <string>
#include <vector>

namespace harness
{

/** A flow of fct.txt. */
struct FixtureFlow
{
    int src;
    int dst;
    int bytes;
    int startNs;
    int fctNs;
    int aloneNs;
};

/** What the folder of a run is made of; small enough to work out by hand what a report says. */
struct FixtureRun
{
    std::string mode{"fast"};
    bool recorded{true};
    std::string control{"ns3::RdmaHpcc"}; ///< of those with packets
    double runSeconds{3};                 ///< and 1 s for set-up
    std::vector<FixtureFlow> flows{{0, 1, 1000, 0, 1000, 500},
                                   {0, 1, 2000, 0, 2000, 1000},
                                   {1, 0, 3000, 0, 2000, 2000},
                                   {1, 0, 4000, 0, 4000, 1000}};
};

/**
 * Writes the folder of a run of two hosts at one switch, as `wormhole run --record` does:
 * summary.json, fct.txt, links.csv and record/.
 * \param box where
 * \param folder its name there
 */
void WriteRun(const Sandbox& box, const std::string& folder, const FixtureRun& run = {});

/** Writes the tables of a sweep of two loads and two controls, as `wormhole sweep --record` does.
 */
void WriteSweepTables(const Sandbox& box, const std::string& folder);

} // namespace harness

#endif // HARNESS_REPORT_FIXTURE_H
