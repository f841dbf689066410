/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ASTRA_LAYOUT_H
#define WORKLOAD_ASTRA_LAYOUT_H

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload Ranks of each communicator, in the order of its ring, by the name in
 * `pg_name`. */
using WorkloadAstraGroups = std::map<std::string, std::vector<uint32_t>>;

/**
 * \ingroup workload
 *
 * Reads ASTRA-sim's communicator groups: { "1": [0, 1], "2": [2, 3] }, whole numbers above 0 with
 * the ranks of each, all different.
 * \param ranks of the trace: groups name no others
 * \throws InputError
 */
WorkloadAstraGroups ReadWorkloadAstraGroups(std::istream& in,
                                            const std::string& name,
                                            uint64_t ranks);

/** \ingroup workload As above. \param file its path */
WorkloadAstraGroups ReadWorkloadAstraGroups(const std::string& file, uint64_t ranks);

/**
 * \ingroup workload
 *
 * Reads ASTRA-sim's logical topology: { "logical-dims": ["8", "2"] }, ranks per dimension. Rank
 * r is at r mod 8 in the first dimension, and so on.
 * \throws InputError
 */
std::vector<uint32_t> ReadWorkloadAstraDims(std::istream& in, const std::string& name);

/** \ingroup workload As above. \param file its path */
std::vector<uint32_t> ReadWorkloadAstraDims(const std::string& file);

/**
 * \ingroup workload
 *
 * Reads the process groups that a trace's metadata node holds: a JSON list of
 * { "pg_name": NAME, "ranks": [...] }, as a quoted string within brackets; a group without ranks
 * has all of them.
 * \param values as in the node
 * \param ranks in all
 * \param groups added to it
 * \return what is wrong, empty if nothing is, or if this metadata is about something else
 */
std::string AddWorkloadChakraGroups(const std::string& values,
                                    uint32_t ranks,
                                    WorkloadAstraGroups& groups);

} // namespace ns3

#endif // WORKLOAD_ASTRA_LAYOUT_H
