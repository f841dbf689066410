/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_STORAGE_H
#define WORKLOAD_STORAGE_H

#include "workload-spc-trace.h"

#include "ns3/input-spec.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief A storage service like Direct Drive, as ATLAHS models it.
 *
 * Hosts (the trace's units) find their disk through a software load balancer, a gateway and the
 * metadata servers once (mount). A disk is divided into slices; slice s belongs to change
 * coordinator s modulo their number, and each of these has a set of block stores that all hold its
 * slices. A read asks the coordinator, then gets the data from one of the stores, in turn. A write
 * goes to the coordinator, which copies it to all its stores and replies when they have.
 */
struct WorkloadStorageService
{
    uint32_t hosts{0};            ///< 0: the trace's highest unit, plus 1
    uint32_t loadBalancers{1};    ///< SLB; host h uses h modulo their number, likewise the next two
    uint32_t gateways{1};         ///< GS
    uint32_t metadataServers{1};  ///< MDS
    uint32_t coordinators{8};     ///< CCS
    uint32_t blockStores{64};     ///< BSS: each coordinator has the next stores / coordinators,
                                  ///< rounded up
    uint64_t sliceBytes{1048576}; ///< of a disk, at most 1 GiB
    uint64_t readRate{48000000000};  ///< of a store or server, bit/s
    uint64_t writeRate{12000000000}; ///< of a store or coordinator, bit/s
    bool chained{true};              ///< a host's request waits for the results of its previous one
    bool timed{true};                ///< a request does not start before it arrived
};

/**
 * \ingroup workload
 *
 * Ranks are, in this order: hosts, SLB, GS, MDS, CCS, BSS. Every message has a tag of its own. All
 * operations run on compute stream 0, but for the clocks that hold back timed requests, on
 * stream 1.
 * \param requests in the order in which each host issues them
 * \param service what serves them
 * \param origin for messages
 * \return the schedule: per slice that a request touches, 10 operations to read and 5 + 5 per store
 * to write; 13 per mount; 1 per timed request; 1 where several slices wait for several results
 * \throws InputError if a unit is no host, a coordinator has no store, or a host's timed requests
 * are not in the order of their arrival
 */
WorkloadSchedule MakeStorageSchedule(const std::vector<WorkloadStorageRequest>& requests,
                                     const WorkloadStorageService& service,
                                     const std::string& origin);

/**
 * \ingroup workload
 * \param spec `storage:file=TRACE` with further keys as in doc/storage.md
 * \return the schedule of the trace's requests
 * \throws InputError
 */
WorkloadSchedule MakeStorageSchedule(InputSpec& spec);

} // namespace ns3

#endif // WORKLOAD_STORAGE_H
