/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_PLAN_H
#define WORMHOLE_CLI_SWEEP_PLAN_H

#include "command/commands.h"

#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** One run of a sweep. */
struct SweepRun
{
    std::string hash;  ///< of the words: 16 hexadecimal digits; names its folder
    Words words;       ///< of `wormhole run`, but for where results go
    Words values;      ///< of the parameters, in their order
    std::string title; ///< the same for people: "cc=hpcc load=0.3"
};

/** What a sweep runs: the product of all lists of values. */
struct SweepPlan
{
    Words parameters; ///< what has a list of values, or stands for others, in the order given
    std::vector<SweepRun> runs; ///< the last parameter varies fastest
};

/**
 * Makes a plan from options of `wormhole run`, with lists for values, and from parameters: names
 * that stand in the values of options as {NAME}.
 * \param file JSON, an object of options and parameters; empty: none
 * \param words options and parameters as --NAME VALUE; those of the same name in the file give way
 * \param memo file of episodes for all fast-forwarding runs; empty: none
 * \throws InputError for what is no option, for values that do not fit, as far as that can be told
 * without reading inputs, and for two runs that are the same
 */
SweepPlan MakeSweepPlan(const std::string& file, const Words& words, const std::string& memo);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_PLAN_H
