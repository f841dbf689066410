/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-goal.h"

#include "workload-mpi-cut-off.h"
#include "workload-mpi-rank.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-values.h"
#include "ns3/workload-goal-writer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace ns3
{

namespace
{

/** Most by which ranks may leave the barrier after MPI_Init apart, ns. More are clocks that were
 * not brought together. */
constexpr uint64_t MOST_APART = 1'000'000'000;

const std::string STEM = "rank-";
const std::string ENDING = ".mpitrace";

std::string
TraceOf(const std::string& folder, uint64_t rank)
{
    return (std::filesystem::path(folder) / (STEM + std::to_string(rank) + ENDING)).string();
}

/** \return the head of a trace */
WorkloadMpiHead
HeadOf(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    return WorkloadMpiReader(in, file).GetHead();
}

/** \return the heads of all traces. \throws InputError if they are not of one run */
std::vector<WorkloadMpiHead>
ReadHeads(const std::vector<std::string>& files)
{
    std::vector<WorkloadMpiHead> heads;
    for (const std::string& file : files)
    {
        heads.push_back(HeadOf(file));
        const WorkloadMpiHead& head = heads.back();
        if (head.rank + size_t(1) != heads.size())
        {
            throw InputError(file,
                             0,
                             "is of rank " + std::to_string(head.rank) +
                                 ", not of that of its name: give it its name back");
        }
        if (head.run != heads.front().run || head.ranks != heads.front().ranks)
        {
            throw InputError(file,
                             0,
                             "is of another run than " + files.front() +
                                 ": trace each run into a folder of its own");
        }
    }
    return heads;
}

/** \return how much later than the first rank each one left MPI_Init, ns */
std::vector<uint64_t>
DelaysOf(const std::vector<std::string>& files, const WorkloadMpiOptions& options)
{
    const std::vector<WorkloadMpiHead> heads = ReadHeads(files);
    if (options.ignoreClocks)
    {
        return std::vector<uint64_t>(heads.size(), 0);
    }
    int64_t first = std::numeric_limits<int64_t>::max();
    for (const WorkloadMpiHead& head : heads)
    {
        first = std::min(first, head.CommonStart());
    }
    std::vector<uint64_t> delays;
    for (const WorkloadMpiHead& head : heads)
    {
        delays.push_back(static_cast<uint64_t>(head.CommonStart()) - static_cast<uint64_t>(first));
        if (delays.back() > MOST_APART)
        {
            throw InputError(files[head.rank],
                             0,
                             "leaves MPI_Init " + std::to_string(delays.back()) +
                                 " ns after the first rank, by clocks that were brought together "
                                 "within " +
                                 std::to_string(head.offsetError) +
                                 " ns; at most 1 s is plausible. --clocks ignore starts all ranks "
                                 "at once");
        }
    }
    return delays;
}

/** \return whether a file has a trace's name; then \p rank is set to its rank */
bool
IsTrace(const std::filesystem::path& path, uint64_t& rank)
{
    const std::string name = path.filename().string();
    if (name.size() <= STEM.size() + ENDING.size() || name.compare(0, STEM.size(), STEM) != 0 ||
        name.compare(name.size() - ENDING.size(), ENDING.size(), ENDING) != 0)
    {
        return false;
    }
    return ParseInteger(name.substr(STEM.size(), name.size() - STEM.size() - ENDING.size()), rank);
}

} // namespace

std::vector<std::string>
FindWorkloadMpiTraces(const std::string& folder, const WorkloadMpiOptions& options)
{
    std::error_code error;
    uint64_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        uint64_t rank = 0;
        count += IsTrace(entry.path(), rank) ? 1 : 0;
    }
    if (error || count == 0)
    {
        throw InputError(folder,
                         0,
                         "holds no traces of an MPI program, rank-0.mpitrace and so on; mpirun "
                         "-np N wormhole trace --output DIR -- PROGRAM writes them");
    }
    const uint64_t ranks = HeadOf(TraceOf(folder, 0)).ranks;
    std::vector<std::string> files;
    for (uint64_t rank = 0; rank < ranks; ++rank)
    {
        files.push_back(TraceOf(folder, rank));
        if (!std::filesystem::exists(files.back(), error))
        {
            throw InputError(files.back(),
                             0,
                             "there is no such file, but the program had " + std::to_string(ranks) +
                                 " ranks: copy the traces of all machines into one folder");
        }
    }
    if (count > ranks)
    {
        throw InputError(folder,
                         0,
                         "holds " + std::to_string(count) + " traces, but the program had " +
                             std::to_string(ranks) +
                             " ranks: trace each run into a folder of its own");
    }
    DelaysOf(files, options);
    return files;
}

WorkloadMpiConversion
ConvertWorkloadMpi(const std::vector<std::string>& files,
                   const WorkloadMpiOptions& options,
                   std::ostream& out,
                   bool binary)
{
    const std::vector<uint64_t> delays = DelaysOf(files, options);
    WorkloadMpiConversion done;
    done.ranks = static_cast<uint32_t>(files.size());
    const auto writer = MakeWorkloadGoalWriter(out, done.ranks, binary);
    WorkloadMpiCommunicators communicators(done.ranks);
    for (uint32_t rank = 0; out && rank < done.ranks; ++rank)
    {
        std::ifstream in = OpenInput(files[rank]);
        WorkloadMpiReader reader(in, files[rank]);
        try
        {
            WorkloadMpiRank(reader, communicators, options, done, *writer).Make(delays[rank]);
        }
        catch (const InputError&)
        {
            FailIfWorkloadMpiCutOff(reader, files);
            throw;
        }
        done.tookNs = std::max(done.tookNs, delays[rank] + reader.GetTime());
    }
    writer->Finish();
    if (done.synchronous > 0)
    {
        done.warnings.push_back(
            "sends that are synchronous (MPI_Ssend), " + std::to_string(done.synchronous) +
            ", wait for their receive: run the schedule without --eager-limit, or with one below " +
            std::to_string(done.leastSynchronous) + ", and at message level with such an S");
    }
    return done;
}

} // namespace ns3
