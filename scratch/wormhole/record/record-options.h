/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_OPTIONS_H
#define WORMHOLE_CLI_RECORD_OPTIONS_H

#include <boost/program_options.hpp>
#include <cstdint>
#include <vector>

namespace wormhole
{

/** Two hosts of which one sends to the other. */
struct RecordPair
{
    uint32_t src{0};
    uint32_t dst{0};
};

/** What --record asks for. */
struct RecordOptions
{
    bool on{false};
    std::vector<RecordPair> pairs; ///< empty: those with the most bytes
};

/** \return the options, for the help text and the parser */
boost::program_options::options_description RecordOptionGroup();

/** \throws InputError for options that are wrong, or have no effect together */
RecordOptions ParseRecordOptions(const boost::program_options::variables_map& values);

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_OPTIONS_H
