/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RESULT_SHAPE_H
#define WORMHOLE_CLI_RESULT_SHAPE_H

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/**
 * Checks that what is read of a summary is of the type that it should be, so that whoever reads it
 * need not. What is missing may be.
 * \param summary what summary.json holds
 * \param path of the file, for messages
 * \throws InputError that names the file and the value
 */
void CheckSummaryShape(const nlohmann::ordered_json& summary, const std::string& path);

/** The same for compare.json. */
void CheckComparisonShape(const nlohmann::ordered_json& comparison, const std::string& path);

} // namespace wormhole

#endif // WORMHOLE_CLI_RESULT_SHAPE_H
