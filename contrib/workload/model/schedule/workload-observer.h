/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_OBSERVER_H
#define WORKLOAD_OBSERVER_H

#include <cstdint>

namespace ns3
{

/** \ingroup workload A stretch of a process' time. */
struct WorkloadSpan
{
    uint32_t process{0};
    uint32_t category{0}; ///< index into the categories of the process' job
    uint8_t cpu{0};       ///< stream
    bool communication{false};
    int64_t beginPs{0};
    int64_t endPs{0};
    uint64_t size{0}; ///< bytes, or ns of a computation
};

/** \ingroup workload Receives what processes did, for results. Spans come in the order of their
 * ends. */
class WorkloadObserver
{
  public:
    virtual ~WorkloadObserver() = default;

    /** An operation (or a collective of a trace) has completed. */
    virtual void Done(const WorkloadSpan& span) = 0;
};

} // namespace ns3

#endif // WORKLOAD_OBSERVER_H
