/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_DOT_H
#define WORKLOAD_DOT_H

#include "ns3/workload-schedule.h"

#include <ostream>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Draws a schedule for Graphviz: a box per rank with its operations, arrows from what must be first
 * to what waits for it (dashed: for its start), and coloured arrows from sends to the receives that
 * they meet if those of one source, destination and tag meet in the order of the text.
 * \param out the text of a .dot file
 * \param schedule with peers in range; a picture of more than some hundred operations is hard to
 * read
 */
void WriteWorkloadDot(std::ostream& out, const WorkloadSchedule& schedule);

} // namespace ns3

#endif // WORKLOAD_DOT_H
