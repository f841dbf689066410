/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_FILE_H
#define WORKLOAD_SIMAI_FILE_H

#include "ns3/workload-simai.h"

#include <iosfwd>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Reads a workload file of SimAI or AICB: a header line, the number of layers, and 12 words per
 * layer (13 in HYBRID_CUSTOMIZED), separated by any white space.
 *
 * As SimAI does, it skips words of the header that it does not know, takes the layers that are
 * there if fewer are declared or present, and treats types such as BROADCAST as no communication;
 * each of these is a warning in the result. All listed checkpoints count (SimAI's parser sees the
 * first).
 * \param file path
 * \param options header values that the file lacks
 * \return the workload
 * \throws InputError with file and line; for a header without what its policy needs it names the
 * missing values
 */
WorkloadSimAiFile ReadWorkloadSimAi(const std::string& file,
                                    const WorkloadSimAiOptions& options = {});

/** As ReadWorkloadSimAi(file), from a stream; \p name stands for the file in messages. */
WorkloadSimAiFile ReadWorkloadSimAi(std::istream& in,
                                    const std::string& name,
                                    const WorkloadSimAiOptions& options = {});

} // namespace ns3

#endif // WORKLOAD_SIMAI_FILE_H
