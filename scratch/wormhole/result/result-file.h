/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RESULT_FILE_H
#define WORMHOLE_CLI_RESULT_FILE_H

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/**
 * Opens a file that a run wrote. A device or a pipe in its place would have no end.
 * \throws InputError if it cannot be read, or is no file
 */
std::ifstream OpenResultFile(const std::string& path);

/**
 * \param path of a JSON file that a run wrote
 * \return what it holds; discarded if that is no JSON
 * \throws InputError as OpenResultFile(), or if it is nested deeper than any result is: whoever
 * goes through it may do so by recursion
 */
nlohmann::ordered_json ReadResultJson(const std::string& path);

} // namespace wormhole

#endif // WORMHOLE_CLI_RESULT_FILE_H
