/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_PROGRAM_H
#define HARNESS_PROGRAM_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harness
{

/**
 * Runs a program that prints one JSON object.
 * \param command path and arguments
 * \return what it printed, and "process_seconds": wall time from start to end of the process
 * \throws std::runtime_error if it cannot be started, fails, or prints something else
 */
nlohmann::json RunProgram(const std::vector<std::string>& command);

/** \return what can be read from a file descriptor, up to its end */
std::string ReadAll(int in);

/** \return the folder of the program that was started as \p argv0; its neighbours are there */
std::string FolderOf(const std::string& argv0);

} // namespace harness

#endif // HARNESS_PROGRAM_H
