/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_ERRORS_H
#define HARNESS_ERRORS_H

#include "ns3/input-error.h"

#include <gtest/gtest.h>
#include <string>

namespace harness
{

/** \return what the user is told of the mistake that some work comes upon; "no error" if it comes
 * upon none */
template <typename Work>
std::string
InputErrorOf(const Work& work)
{
    try
    {
        work();
    }
    catch (const ns3::InputError& error)
    {
        return error.what();
    }
    return "no error";
}

/** As InputErrorOf; the test fails if there is no mistake. */
template <typename Work>
std::string
ExpectedInputErrorOf(const Work& work)
{
    std::string error = InputErrorOf(work);
    EXPECT_NE(error, "no error");
    return error;
}

} // namespace harness

#endif // HARNESS_ERRORS_H
