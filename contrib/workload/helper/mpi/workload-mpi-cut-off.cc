/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-cut-off.h"

#include "ns3/input-error.h"
#include "ns3/input-values.h"

#include <filesystem>
#include <fstream>

namespace ns3
{

namespace
{

/** \return whether a trace has no end; \p records is set to its whole records */
bool
IsCutOff(const std::string& file, uint64_t& records)
{
    std::ifstream in = OpenInput(file);
    WorkloadMpiReader reader(in, file);
    try
    {
        WorkloadMpiRecord record;
        while (reader.Next(record))
        {
        }
    }
    catch (const InputError&) // a damaged one is none of these
    {
    }
    records = reader.GetRecords();
    return reader.IsCutOff();
}

} // namespace

void
FailIfWorkloadMpiCutOff(const WorkloadMpiReader& reader, const std::vector<std::string>& files)
{
    if (!reader.IsCutOff())
    {
        return;
    }
    constexpr size_t MOST_NAMED = 16;
    std::string named;
    size_t count = 0;
    for (size_t rank = 0; rank < files.size(); ++rank)
    {
        uint64_t records = 0;
        if (IsCutOff(files[rank], records) && ++count <= MOST_NAMED)
        {
            named += (count == 1 ? " rank " : ", rank ") + std::to_string(rank) + " after " +
                     std::to_string(records);
        }
    }
    throw InputError(std::filesystem::path(files.front()).parent_path().string(),
                     0,
                     std::to_string(count) + " of " + std::to_string(files.size()) +
                         " traces end without MPI_Finalize (whole records:" + named +
                         (count > MOST_NAMED ? ", and more" : "") +
                         "): the program was ended, the disk was full or a copy is cut off; trace "
                         "the program again");
}

} // namespace ns3
