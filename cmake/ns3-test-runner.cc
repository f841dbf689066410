/*
 * Copyright (c) 2026 Wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Runs the ns-3 test suites of the one module whose test sources it is linked with, as
 * utils/test-runner does for all modules of an ns-3 tree.
 */

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
