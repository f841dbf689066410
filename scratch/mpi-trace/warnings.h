/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_WARNINGS_H
#define MPI_TRACE_WARNINGS_H

#include "workload-mpi-format.h"

namespace mpitrace
{

/** Says, once in this process, that the program does what a trace cannot hold. \param what it does
 */
void WarnOf(ns3::WorkloadMpiCall function, const char* what);

} // namespace mpitrace

#endif // MPI_TRACE_WARNINGS_H
