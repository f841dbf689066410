/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-reader.h"

#include "workload-kineto-calls.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-values.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ns3
{

namespace
{

bool
IsCategory(const std::string& category, const char* name)
{
    return category.size() == std::char_traits<char>::length(name) &&
           std::equal(category.begin(), category.end(), name, [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
           });
}

/** The process groups of all ranks. */
class KinetoGroups
{
  public:
    /** \return the index of a group. \p user of it, a rank of the program */
    uint32_t Find(const WorkloadKinetoGroup& group, uint32_t user)
    {
        const auto key = std::make_pair(group.name, group.ranks);
        const auto place = m_indices.emplace(key, static_cast<uint32_t>(m_groups.size()));
        if (place.second)
        {
            m_groups.push_back({group, {}});
        }
        m_groups[place.first->second].users.insert(user);
        return place.first->second;
    }

    /** \param gpus index by rank of the program */
    std::vector<WorkloadNcclCommunicator> Join(const std::map<uint32_t, uint32_t>& gpus) const
    {
        std::vector<WorkloadNcclCommunicator> communicators;
        for (const Known& known : m_groups)
        {
            WorkloadNcclCommunicator communicator;
            communicator.name =
                known.group.name.empty() ? "without a name" : ShownText(known.group.name);
            const std::vector<uint32_t> ranks =
                known.group.ranks.empty()
                    ? std::vector<uint32_t>(known.users.begin(), known.users.end())
                    : known.group.ranks;
            if (known.group.ranks.empty() && ranks.size() != known.group.size)
            {
                throw InputError("process group " + communicator.name + " has " +
                                 std::to_string(known.group.size) + " ranks, but only " +
                                 std::to_string(ranks.size()) +
                                 " traces use it: give the traces of all ranks");
            }
            for (const uint32_t rank : ranks)
            {
                const auto gpu = gpus.find(rank);
                if (gpu == gpus.end())
                {
                    throw InputError("process group " + communicator.name + " has " +
                                     std::to_string(ranks.size()) +
                                     " ranks, but there is no trace of rank " +
                                     std::to_string(rank) + ": give the traces of all ranks");
                }
                communicator.members.push_back(gpu->second);
            }
            communicators.push_back(std::move(communicator));
        }
        return communicators;
    }

  private:
    /** A group, and who uses it. */
    struct Known
    {
        WorkloadKinetoGroup group;
        std::set<uint32_t> users;
    };

    std::map<std::pair<std::string, std::vector<uint32_t>>, uint32_t> m_indices;
    std::vector<Known> m_groups;
};

/** One rank's trace. */
class KinetoFile
{
  public:
    KinetoFile(std::istream& in, const std::string& name)
        : m_name(name),
          m_info(ReadWorkloadKinetoEvents(in, name, [this](const WorkloadKinetoEvent& event) {
              Add(event);
          }))
    {
        if (m_kernels.empty())
        {
            throw InputError(name,
                             0,
                             "has no kernels of NCCL: record with ProfilerActivity.CUDA, on a rank "
                             "that communicates");
        }
    }

    const std::optional<uint64_t>& GetRank() const
    {
        return m_info.rank;
    }

    const std::optional<uint64_t>& GetWorldSize() const
    {
        return m_info.worldSize;
    }

    /** \return what the GPU did. \p own rank of the program */
    WorkloadNcclGpu Make(uint32_t own, KinetoGroups& groups)
    {
        GiveMessages();
        m_gpu.name = m_name;
        for (const Kernel& kernel : m_kernels)
        {
            WorkloadNcclKernel made;
            made.startNs = kernel.event.startNs;
            made.endNs = kernel.event.startNs + kernel.event.durationNs;
            made.stream = static_cast<uint32_t>(kernel.event.stream);
            made.channels = Fitting(kernel.event.channels.value_or(0));
            made.threads = Fitting(kernel.event.threads.value_or(0));
            made.algorithm = WorkloadNcclAlgorithmOf(kernel.event.name);
            made.firstCall = static_cast<uint32_t>(m_gpu.calls.size());
            for (const WorkloadKinetoEvent& cause : kernel.causes)
            {
                const WorkloadKinetoGroup group = WorkloadKinetoGroupOf(m_name, cause, m_info);
                if (m_info.worldSize && group.Members() > *m_info.worldSize)
                {
                    FailWorkloadKineto(m_name,
                                       cause,
                                       "its process group has " + std::to_string(group.Members()) +
                                           " ranks, but world_size of distributedInfo is " +
                                           std::to_string(*m_info.worldSize) +
                                           ": write the trace again");
                }
                AddWorkloadKinetoCalls(m_name,
                                       cause,
                                       group,
                                       groups.Find(group, own),
                                       own,
                                       m_gpu.calls);
            }
            made.calls = static_cast<uint32_t>(m_gpu.calls.size()) - made.firstCall;
            m_gpu.kernels.push_back(made);
        }
        OrderWorkloadNcclKernels(m_gpu);
        return std::move(m_gpu);
    }

  private:
    /** A kernel of NCCL, and the events that say what it does. */
    struct Kernel
    {
        WorkloadKinetoEvent event;
        std::vector<WorkloadKinetoEvent> causes;
    };

    static uint32_t Fitting(uint64_t number)
    {
        return static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX));
    }

    void Add(const WorkloadKinetoEvent& event)
    {
        if (event.phase != "X")
        {
            return;
        }
        if (IsCategory(event.category, "kernel"))
        {
            AddKernel(event);
        }
        else if (event.name == "record_param_comms" &&
                 (event.collective == "send" || event.collective == "recv"))
        {
            m_messages.push_back(event);
        }
        else if (event.correlation && event.name.find("LaunchKernel") != std::string::npos)
        {
            m_launches.emplace(*event.correlation, event.startNs);
        }
    }

    void AddKernel(const WorkloadKinetoEvent& event)
    {
        const uint64_t end = event.startNs + event.durationNs;
        m_gpu.startNs = m_gpu.endNs == 0 ? event.startNs : std::min(m_gpu.startNs, event.startNs);
        m_gpu.endNs = std::max(m_gpu.endNs, end);
        if (!IsWorkloadNcclKernel(event.name))
        {
            return;
        }
        if (event.stream > UINT32_MAX ||
            (!m_kernels.empty() && m_kernels.front().event.device != event.device))
        {
            FailWorkloadKineto(m_name,
                               event,
                               "runs on another GPU than the first kernel of NCCL: trace a "
                               "program with one GPU for each process");
        }
        CheckCount(event, "grid", event.channels, WorkloadNcclKernel::MOST_BLOCKS);
        CheckCount(event, "block", event.threads, WorkloadNcclKernel::MOST_THREADS);
        m_kernels.push_back({event, {}});
        if (!event.collective.empty())
        {
            m_kernels.back().causes.push_back(event);
        }
    }

    void CheckCount(const WorkloadKinetoEvent& event,
                    const char* name,
                    const std::optional<uint64_t>& count,
                    uint32_t most) const
    {
        if (count && (*count < 1 || *count > most))
        {
            FailWorkloadKineto(
                m_name,
                event,
                std::string(name) + " begins with " +
                    (*count == UINT64_MAX ? "no whole number" : std::to_string(*count)) +
                    ", but must with a whole number from 1 to " + std::to_string(most) +
                    ": write the trace again");
        }
    }

    /**
     * A group of sends and receives (batch_isend_irecv) is one kernel, which says nothing itself:
     * it carries what was called between the launch of the one before and its own.
     */
    void GiveMessages()
    {
        std::unordered_set<uint64_t> done; // with a kernel of their own
        std::vector<std::pair<uint64_t, Kernel*>> groups;
        for (Kernel& kernel : m_kernels)
        {
            if (!kernel.causes.empty())
            {
                done.insert(kernel.event.external.value_or(UINT64_MAX));
                continue;
            }
            const auto launch = m_launches.find(kernel.event.correlation.value_or(UINT64_MAX));
            if (kernel.event.name.find("SendRecv") == std::string::npos ||
                launch == m_launches.end())
            {
                FailNothing(kernel.event);
            }
            groups.emplace_back(launch->second, &kernel);
        }
        const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
        std::stable_sort(groups.begin(), groups.end(), earlier);
        std::stable_sort(m_messages.begin(), m_messages.end(), [](const auto& a, const auto& b) {
            return a.startNs < b.startNs;
        });
        auto message = m_messages.begin();
        for (const auto& [launchNs, kernel] : groups)
        {
            for (; message != m_messages.end() && message->startNs <= launchNs; ++message)
            {
                if (!done.count(message->external.value_or(UINT64_MAX - 1)))
                {
                    kernel->causes.push_back(*message);
                }
            }
            if (kernel->causes.empty())
            {
                FailNothing(kernel->event);
            }
        }
    }

    [[noreturn]] void FailNothing(const WorkloadKinetoEvent& event) const
    {
        FailWorkloadKineto(m_name,
                           event,
                           "the kernel has no Collective name, and no sends and receives were "
                           "recorded before it: record with PyTorch 2.5 or newer, with CPU and "
                           "CUDA activities, whole iterations and no CUDA graphs");
    }

    const std::string& m_name;
    // filled in while m_info is made
    WorkloadNcclGpu m_gpu;
    std::vector<Kernel> m_kernels;
    std::vector<WorkloadKinetoEvent> m_messages;
    std::unordered_map<uint64_t, uint64_t> m_launches; //!< times by correlation
    WorkloadKinetoInfo m_info;
};

/** Joins the ranks' traces into one. */
class KinetoJoiner
{
  public:
    void Add(std::istream& in, const std::string& name)
    {
        KinetoFile file(in, name);
        if (!file.GetRank())
        {
            m_unnamed.push_back(name);
        }
        const uint64_t own = file.GetRank().value_or(m_gpus.size());
        const auto same = m_gpus.find(static_cast<uint32_t>(own));
        if (own > MOST_RANK || same != m_gpus.end())
        {
            throw InputError(name,
                             0,
                             "is of rank " + std::to_string(own) +
                                 (same == m_gpus.end() ? "" : ", as " + same->second.name) +
                                 ": give the traces of one run, one of each rank");
        }
        if (file.GetWorldSize() && own >= *file.GetWorldSize())
        {
            throw InputError(name,
                             0,
                             "is of rank " + std::to_string(own) +
                                 ", but world_size of distributedInfo is " +
                                 std::to_string(*file.GetWorldSize()) + ": write the trace again");
        }
        const auto rank = static_cast<uint32_t>(own);
        m_gpus.emplace(rank, file.Make(rank, m_groups));
    }

    WorkloadNcclTrace Join()
    {
        WorkloadNcclTrace trace;
        std::map<uint32_t, uint32_t> indices;
        for (auto& [rank, gpu] : m_gpus)
        {
            indices[rank] = static_cast<uint32_t>(trace.gpus.size());
            trace.gpus.push_back(std::move(gpu));
        }
        trace.communicators = m_groups.Join(indices);
        for (const std::string& name : m_unnamed)
        {
            trace.warnings.push_back(name + ": does not say its rank: it is taken to be " +
                                     "that of its place among the files");
        }
        return trace;
    }

  private:
    static constexpr uint64_t MOST_RANK = 1 << 20;

    KinetoGroups m_groups;
    std::map<uint32_t, WorkloadNcclGpu> m_gpus; //!< by rank of the program
    std::vector<std::string> m_unnamed;
};

} // namespace

WorkloadNcclTrace
ReadWorkloadKineto(const std::vector<std::string>& files)
{
    KinetoJoiner joiner;
    for (const std::string& file : files)
    {
        std::ifstream in = OpenInput(file);
        joiner.Add(in, file);
    }
    return joiner.Join();
}

WorkloadNcclTrace
ReadWorkloadKineto(const std::vector<std::pair<std::istream*, std::string>>& files)
{
    KinetoJoiner joiner;
    for (const auto& [in, name] : files)
    {
        joiner.Add(*in, name);
    }
    return joiner.Join();
}

} // namespace ns3
