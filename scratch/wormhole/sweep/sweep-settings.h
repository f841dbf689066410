/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_SETTINGS_H
#define WORMHOLE_CLI_SWEEP_SETTINGS_H

#include "command/commands.h"

#include <string>
#include <vector>

namespace wormhole
{

/** A sweep has so many runs at most. */
constexpr size_t MOST_SWEEP_RUNS = 1000000;

enum class SweepKind
{
    FLAG,      ///< an option without a value
    VALUE,     ///< an option with one
    TOGETHER,  ///< an option whose values all count for one run
    PARAMETER, ///< no option: it stands in values of others
};

/** An option or parameter, and what it is set to. */
struct SweepSetting
{
    std::string name;
    SweepKind kind;
    std::vector<Words> values; ///< of a run each; several words only if they count together
};

/**
 * \param file JSON, an object of options and parameters; empty: none
 * \param words options and parameters as --NAME VALUE; those of the same name in the file give way
 * \return them in the order given, lists and ranges taken apart
 * \throws InputError for what is no option, and for values that are missing or of a wrong kind
 */
std::vector<SweepSetting> ReadSweepSettings(const std::string& file, const Words& words);

/** \return the options of `wormhole run`, without -- */
Words SweepOptionNames();

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_SETTINGS_H
