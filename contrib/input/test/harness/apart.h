/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_APART_H
#define HARNESS_APART_H

#include <functional>
#include <nlohmann/json.hpp>

namespace harness
{

/**
 * Does \p work in a process of its own. ns-3's simulator and time resolution are global, so this is
 * how one program runs several simulations that know nothing of each other.
 * \param work what to do; its result is handed back
 * \return the result
 * \throws std::runtime_error if the process fails, with the message of what \p work threw
 */
nlohmann::json RunApart(const std::function<nlohmann::json()>& work);

} // namespace harness

#endif // HARNESS_APART_H
