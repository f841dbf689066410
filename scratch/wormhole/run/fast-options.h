/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FAST_OPTIONS_H
#define WORMHOLE_CLI_FAST_OPTIONS_H

#include "run-mode.h"

#include <boost/program_options.hpp>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** The options of `--mode fast`. */
struct FastOptions
{
    /** Of ns3::WormholeSimulatorImpl: names and values, checked, in the order given. */
    std::vector<std::pair<std::string, std::string>> attributes;

    std::string memo; ///< file of episodes; empty for none
};

/** \return descriptions of the options */
boost::program_options::options_description FastOptionGroup();

/** \throws InputError for an unknown attribute, a value that does not fit, or an option that
 * has no effect in the mode */
FastOptions ParseFastOptions(const boost::program_options::variables_map& values, RunMode mode);

/**
 * Makes fast-forward the simulator; before anything else uses ns-3's Simulator.
 * \param options of it
 * \param code what tells loaded classes from others; empty: there are none
 */
void EnableFastForward(const FastOptions& options, const std::string& code);

} // namespace wormhole

#endif // WORMHOLE_CLI_FAST_OPTIONS_H
