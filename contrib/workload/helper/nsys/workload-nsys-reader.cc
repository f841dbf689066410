/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nsys-reader.h"

#include "workload-nsys-calls.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t NO_GPU = UINT32_MAX;

std::string
HashText(uint64_t hash)
{
    std::ostringstream text;
    text << "0x" << std::hex << std::setfill('0') << std::setw(16) << hash;
    return text.str();
}

/** Joins exports into one trace. */
class ExportsJoiner
{
  public:
    void Add(const WorkloadNsysDatabase& database)
    {
        const std::string& file = database.GetName();
        WorkloadNsysExport part = ReadWorkloadNsysExport(database, m_ids);
        if (part.gpus.empty())
        {
            throw InputError(file,
                             0,
                             "has no kernels of NCCL: give exports of processes that communicate");
        }
        const auto first = static_cast<uint32_t>(m_gpus.size());
        for (WorkloadNsysGpu& gpu : part.gpus)
        {
            gpu.gpu.name = file;
            if (part.gpus.size() > 1)
            {
                gpu.gpu.name += " (process " + std::to_string((gpu.process >> 24) & 0xffffff) +
                                ", GPU " + std::to_string(gpu.device) + ")";
            }
            m_gpus.push_back(std::move(gpu.gpu));
        }
        for (const WorkloadNsysInit& init : part.inits)
        {
            AddInit(init, part.gpus, first);
        }
        std::move(part.warnings.begin(), part.warnings.end(), std::back_inserter(m_warnings));
    }

    WorkloadNcclTrace Join()
    {
        const std::vector<uint32_t> ranks = RankGpus();
        WorkloadNcclTrace trace;
        trace.gpus.resize(m_gpus.size());
        trace.communicators.resize(m_ids.size());
        const std::vector<std::set<uint32_t>> users = FindUsers(ranks);
        for (size_t gpu = 0; gpu < m_gpus.size(); ++gpu)
        {
            trace.gpus[ranks[gpu]] = std::move(m_gpus[gpu]);
        }
        for (const auto& [hash, index] : m_ids)
        {
            WorkloadNcclCommunicator& communicator = trace.communicators[index];
            communicator.name = HashText(hash);
            SetMembers(hash, ranks, users[index], communicator);
        }
        for (WorkloadNcclGpu& gpu : trace.gpus)
        {
            SetBytes(gpu, trace.communicators);
        }
        trace.warnings = std::move(m_warnings);
        return trace;
    }

  private:
    /** The creation of a communicator. */
    struct Creation
    {
        std::vector<uint32_t> gpus; //!< by rank; NO_GPU if it is not known
    };

    void AddInit(const WorkloadNsysInit& init,
                 const std::vector<WorkloadNsysGpu>& gpus,
                 uint32_t first)
    {
        uint32_t found = NO_GPU;
        uint32_t ofProcess = 0;
        for (size_t index = 0; index < gpus.size(); ++index)
        {
            const bool process = gpus[index].process == init.process;
            ofProcess += process ? 1 : 0;
            if (process && (found == NO_GPU || gpus[index].device == init.device))
            {
                found = first + static_cast<uint32_t>(index);
            }
        }
        if (found == NO_GPU ||
            (ofProcess > 1 && gpus[found - first].device != init.device) // one without NCCL
            || init.ranks > MOST_RANKS)
        {
            return;
        }
        Creation& creation = m_creations[init.communicator];
        creation.gpus.resize(std::max<size_t>(creation.gpus.size(), init.ranks), NO_GPU);
        uint32_t& gpu = creation.gpus[init.rank];
        if (gpu != NO_GPU && gpu != found)
        {
            throw InputError(m_gpus[found].name,
                             0,
                             "is rank " + std::to_string(init.rank) + " of communicator " +
                                 HashText(init.communicator) + ", but so is " + m_gpus[gpu].name +
                                 ": give the exports of one run, each once");
        }
        gpu = found;
    }

    /** \return the rank of each GPU */
    std::vector<uint32_t> RankGpus()
    {
        std::vector<uint32_t> ranks(m_gpus.size());
        for (const auto& created : m_creations)
        {
            const std::vector<uint32_t>& gpus = created.second.gpus;
            if (gpus.size() == m_gpus.size() &&
                std::find(gpus.begin(), gpus.end(), NO_GPU) == gpus.end())
            {
                for (uint32_t rank = 0; rank < gpus.size(); ++rank)
                {
                    ranks[gpus[rank]] = rank;
                }
                return ranks;
            }
        }
        for (uint32_t gpu = 0; gpu < ranks.size(); ++gpu)
        {
            ranks[gpu] = gpu;
        }
        if (m_gpus.size() > 1)
        {
            m_warnings.push_back("no export has the creation of a communicator of all " +
                                 std::to_string(m_gpus.size()) +
                                 " GPUs: their ranks are in the order of the files");
        }
        return ranks;
    }

    /** \return the ranks that use each communicator */
    std::vector<std::set<uint32_t>> FindUsers(const std::vector<uint32_t>& ranks) const
    {
        std::vector<std::set<uint32_t>> users(m_ids.size());
        for (size_t gpu = 0; gpu < m_gpus.size(); ++gpu)
        {
            for (const WorkloadNcclCall& call : m_gpus[gpu].calls)
            {
                users[call.communicator].insert(ranks[gpu]);
            }
        }
        return users;
    }

    void SetMembers(uint64_t hash,
                    const std::vector<uint32_t>& ranks,
                    const std::set<uint32_t>& users,
                    WorkloadNcclCommunicator& communicator)
    {
        if (users.empty())
        {
            return;
        }
        const auto created = m_creations.find(hash);
        if (created == m_creations.end())
        {
            communicator.members.assign(users.begin(), users.end());
            m_warnings.push_back("communicator " + communicator.name +
                                 ": no export has its creation, so that its members are taken to "
                                 "be the " +
                                 std::to_string(users.size()) +
                                 " GPUs that use it, in the order of their ranks");
            return;
        }
        std::string missing;
        const std::vector<uint32_t>& gpus = created->second.gpus;
        for (uint32_t rank = 0; rank < gpus.size(); ++rank)
        {
            if (gpus[rank] == NO_GPU)
            {
                missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
                continue;
            }
            communicator.members.push_back(ranks[gpus[rank]]);
        }
        if (!missing.empty())
        {
            throw InputError("communicator " + communicator.name + " has " +
                             std::to_string(gpus.size()) + " ranks, but no export has rank " +
                             missing + " of it: give the exports of all processes");
        }
    }

    /** Turns what one rank gives or gets into the bytes of the whole. */
    static void SetBytes(WorkloadNcclGpu& gpu,
                         const std::vector<WorkloadNcclCommunicator>& communicators)
    {
        for (WorkloadNcclCall& call : gpu.calls)
        {
            if (call.operation == WorkloadNcclOperation::ALL_GATHER ||
                call.operation == WorkloadNcclOperation::REDUCE_SCATTER ||
                call.operation == WorkloadNcclOperation::ALL_TO_ALL)
            {
                call.bytes *= communicators[call.communicator].members.size();
            }
        }
    }

    static constexpr uint32_t MOST_RANKS = 1 << 20;

    WorkloadNsysIds m_ids;
    std::vector<WorkloadNcclGpu> m_gpus;
    std::map<uint64_t, Creation> m_creations; //!< by NCCL's hash
    std::vector<std::string> m_warnings;
};

} // namespace

WorkloadNcclTrace
ReadWorkloadNsys(const std::vector<std::string>& files)
{
    ExportsJoiner joiner;
    for (const std::string& file : files)
    {
        joiner.Add(WorkloadNsysDatabase(file));
    }
    return joiner.Join();
}

WorkloadNcclTrace
ReadWorkloadNsys(const WorkloadNsysDatabase& database)
{
    ExportsJoiner joiner;
    joiner.Add(database);
    return joiner.Join();
}

} // namespace ns3
