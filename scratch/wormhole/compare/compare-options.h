/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_OPTIONS_H
#define WORMHOLE_CLI_COMPARE_OPTIONS_H

#include "command/commands.h"
#include "run/run-options.h"

#include <cstdint>
#include <string>

namespace wormhole
{

/** The options of `wormhole compare`. */
struct CompareOptions
{
    bool help{false};
    uint32_t seeds{2};                      ///< of the packet level
    uint32_t disturbances{0};               ///< runs of packet level and fast-forward each
    bool disturbAllLinks{false};            ///< in them, not one
    uint32_t runs{1};                       ///< of each mode
    std::string output{"wormhole-compare"}; ///< folder
    std::string json;                       ///< file
    std::string packetFrom;                 ///< folder; empty to run the packet level
    bool inTurn{false};                     ///< run it all the same, but for seeds and disturbances
    bool rtts{false};
    bool progress{true};
    bool quiet{false};

    Words words;    ///< as given
    Words rest;     ///< those that are `wormhole run`'s
    RunOptions run; ///< what they say, with --mode fast
};

/** \throws InputError for options that are wrong, or have no effect together */
CompareOptions ParseCompareOptions(const Words& words);

/** \return what `wormhole compare --help` prints */
std::string CompareHelp();

/** \return the words of `wormhole run` for a mode: those that it has a use for */
Words RunWords(const CompareOptions& options, RunMode mode);

/** \return the words with this option, instead of what they say of it */
Words WithOption(const Words& words, const std::string& name, const std::string& value);

/** \return why the flow level cannot be compared; empty if it can */
std::string NoFlowLevel(const CompareOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_OPTIONS_H
