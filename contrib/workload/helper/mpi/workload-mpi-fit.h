/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_FIT_H
#define WORKLOAD_MPI_FIT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload What a message of a size takes one way, as measured. */
struct WorkloadMpiTime
{
    uint64_t bytes{0};
    double ns{0};
};

/** \ingroup workload A line through the times of some sizes: base + (bytes - 1) perByte. */
struct WorkloadMpiLine
{
    uint64_t from{0};  ///< smallest size, bytes
    double base{0};    ///< ns
    double perByte{0}; ///< ns
};

/**
 * \ingroup workload
 *
 * Fits lines to measured times: MPI libraries change how they send at some sizes, so that one line
 * does not do. Each one is the longest from its first size on that no time is off by more than
 * \p tolerance, relative to itself; no line is below \p least, or falls.
 * \param times by size, from 1 byte on
 * \param least time of any message, ns
 * \return at least one line, in the order of sizes; a size of which no line is near has its own
 */
std::vector<WorkloadMpiLine> FitWorkloadMpiLines(const std::vector<WorkloadMpiTime>& times,
                                                 double least,
                                                 double tolerance);

/** \ingroup workload \return \p line, or, if its base is less than \p least (ns), the one with that
 * base which says the same of \p bytes, or more if it must, for a line does not fall */
WorkloadMpiLine WorkloadMpiLineFrom(const WorkloadMpiLine& line, double least, uint64_t bytes);

/** \ingroup workload \return the time by the lines, ns */
double WorkloadMpiTimeOf(const std::vector<WorkloadMpiLine>& lines, uint64_t bytes);

} // namespace ns3

#endif // WORKLOAD_MPI_FIT_H
