/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_USAGE_ERROR_H
#define WORMHOLE_TEST_USAGE_ERROR_H

#include "wormhole/error.h"

#include <string>

namespace wormhole::test
{

/** \return the text of the UsageError that \p call throws; empty if it throws none */
template <class Call>
std::string
UsageErrorOf(Call&& call)
{
    try
    {
        call();
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace wormhole::test

#endif // WORMHOLE_TEST_USAGE_ERROR_H
