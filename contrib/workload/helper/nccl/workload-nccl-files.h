/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NCCL_FILES_H
#define WORKLOAD_NCCL_FILES_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \param paths files, and folders
 * \param ending of files to take from a folder, such as ".json"
 * \return the files; those of a folder in the order of their names, numbers by their values
 * \throws InputError if a path does not exist, a folder has none, or a file comes twice
 */
std::vector<std::string> FindWorkloadNcclFiles(const std::vector<std::string>& paths,
                                               const std::string& ending);

} // namespace ns3

#endif // WORKLOAD_NCCL_FILES_H
