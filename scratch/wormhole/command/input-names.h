/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_INPUT_NAMES_H
#define WORMHOLE_CLI_INPUT_NAMES_H

#include "result/files.h"
#include "run/run-options.h"

namespace wormhole
{

/**
 * Finds the input files that the options of a run name, without reading any but config.txt; for who
 * writes files of its own before a run checks all.
 * \throws InputError if config.txt cannot be read
 */
std::vector<NamedFile> InputNames(const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_INPUT_NAMES_H
