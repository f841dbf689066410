/*
 * Copyright (c) 2026 Wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Runs the tests of the one module whose test sources it is linked with: its ns-3 test suites, as
 * utils/test-runner does for all modules of an ns-3 tree, or, where an argument is one of
 * GoogleTest's, its GoogleTest tests.
 */

#include "ns3/test.h"

#ifdef RUNNER_HAS_GTESTS
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#endif

int
main(int argc, char* argv[])
{
#ifdef RUNNER_HAS_GTESTS
    if (std::any_of(argv + 1, argv + argc, [](const std::string& argument) {
            return argument.rfind("--gtest", 0) == 0;
        }))
    {
        testing::InitGoogleTest(&argc, argv);
        return RUN_ALL_TESTS();
    }
#endif
    return ns3::TestRunner::Run(argc, argv);
}
