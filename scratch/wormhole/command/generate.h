/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_GENERATE_H
#define WORMHOLE_CLI_GENERATE_H

#include "result/files.h"

#include <boost/program_options.hpp>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace wormhole
{

/** \return the word that stands without an option. \throws InputError if there is none */
std::string ArgumentOf(const boost::program_options::variables_map& values,
                       const std::string& command,
                       const std::string& name);

/**
 * Writes what was generated.
 * \param path file, or empty for standard output
 * \param inputs files that must not be overwritten
 * \param write writes it to a stream
 * \throws OutputError if that is impossible
 */
void WriteGenerated(const std::string& path,
                    const std::vector<NamedFile>& inputs,
                    const std::function<void(std::ostream&)>& write);

} // namespace wormhole

#endif // WORMHOLE_CLI_GENERATE_H
