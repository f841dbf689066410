/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The beginning and the end of MPI, its clock, and what a program says that it computes.
 */

#include "live.h"
#include "wormhole-live.h"

#include <algorithm>

using namespace mpilive;

extern "C"
{
    void wormhole_live_compute(double seconds)
    {
        if (seconds > 0)
        {
            Process::Get().Compute(seconds * 1e9);
        }
    }

    int MPI_Init(int* argc, char*** argv)
    {
        const int result = PMPI_Init(argc, argv);
        Process::Get().Open();
        return result;
    }

    int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    {
        const int result =
            PMPI_Init_thread(argc, argv, std::min<int>(required, MPI_THREAD_FUNNELED), provided);
        *provided = std::min<int>(*provided, MPI_THREAD_FUNNELED);
        Process::Get().Open();
        return result;
    }

    int MPI_Finalize()
    {
        {
            const Call call(Function::Finalize);
            Process::Get().Finish();
        }
        return PMPI_Finalize();
    }

    double MPI_Wtime()
    {
        return Process::Get().Seconds();
    }

    double MPI_Wtick()
    {
        return 1e-9;
    }
} // extern "C"
