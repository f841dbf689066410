/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nsys-calls.h"

#include "workload-nsys-ranges.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

const char* const KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL";
const char* const LAUNCHES = "CUPTI_ACTIVITY_KIND_RUNTIME";
const char* const STRINGS = "StringIds";
constexpr uint64_t NEVER = UINT64_MAX;

/** Latest time that is plausible, ns: in the year 2116, if times are those of the day. */
constexpr uint64_t MOST_NS = uint64_t{1} << 62;

/** A kernel of NCCL. */
struct NsysKernel
{
    uint64_t process;
    uint64_t correlation; //!< number of the CUDA call that launched it, in the process
    uint32_t device;
    WorkloadNcclKernel kernel; //!< its stream is the number in the trace
    uint64_t thread{0};        //!< that launched it
    uint64_t launchNs{NEVER};
};

using NsysDevice = std::pair<uint64_t, uint32_t>; // process, and number

/** What an export has, step by step. */
class ExportReader
{
  public:
    ExportReader(const WorkloadNsysDatabase& database, WorkloadNsysIds& ids)
        : m_database(database),
          m_ids(ids)
    {
    }

    WorkloadNsysExport Read()
    {
        Check();
        ReadStrings();
        ReadKernels();
        ReadLaunches();
        LeaveOutEarlier();
        WorkloadNsysRanges ranges = ReadWorkloadNsysRanges(m_database, m_strings, m_ids);
        Assign(ranges.batches);
        Finish();
        m_made.inits = std::move(ranges.inits);
        return std::move(m_made);
    }

  private:
    void Check() const
    {
        for (const char* table : {STRINGS, KERNELS, LAUNCHES})
        {
            if (!m_database.Has(table))
            {
                throw InputError(m_database.GetName(),
                                 0,
                                 std::string("has no table ") + table +
                                     ": record the program with nsys profile --trace=cuda,nvtx, "
                                     "and export the report with nsys export --type sqlite "
                                     "--include-blobs true");
            }
        }
    }

    void ReadStrings()
    {
        m_database.Read(STRINGS, {{"id"}, {"value"}}, [this](const WorkloadNsysRow& row) {
            std::string text = row.Bytes(1);
            if (text.compare(0, 4, "nccl") == 0 || IsWorkloadNcclKernel(text))
            {
                m_strings[row.Integer(0)] = std::move(text);
            }
        });
    }

    void ReadKernels()
    {
        m_database.Read(KERNELS,
                        {{"start"},
                         {"end"},
                         {"deviceId"},
                         {"streamId"},
                         {"globalPid"},
                         {"correlationId"},
                         {"demangledName"},
                         {"gridX", true},
                         {"blockX", true}},
                        [this](const WorkloadNsysRow& row) { ReadKernel(row); });
        const auto number = [](const NsysKernel& kernel) {
            return std::make_pair(kernel.process, kernel.correlation);
        };
        std::sort(m_kernels.begin(), m_kernels.end(), [&](const auto& a, const auto& b) {
            return number(a) < number(b);
        });
    }

    void ReadKernel(const WorkloadNsysRow& row)
    {
        const uint64_t start = row.Integer(0, MOST_NS);
        const uint64_t end = row.Integer(1, MOST_NS);
        const auto device = static_cast<uint32_t>(row.Integer(2, UINT32_MAX));
        const uint64_t process = row.Integer(4);
        if (end < start)
        {
            row.Fail("the kernel ends at " + std::to_string(end) + ", before it starts at " +
                     std::to_string(start) + ": export the report again");
        }
        auto& busy =
            m_busy.emplace(NsysDevice(process, device), std::make_pair(start, end)).first->second;
        busy = {std::min(busy.first, start), std::max(busy.second, end)};
        const auto name = m_strings.find(row.Integer(6));
        if (name == m_strings.end() || !IsWorkloadNcclKernel(name->second))
        {
            return;
        }
        NsysKernel kernel{process, row.Integer(5), device, {}};
        kernel.kernel.startNs = start;
        kernel.kernel.endNs = end;
        kernel.kernel.stream = static_cast<uint32_t>(row.Integer(3, UINT32_MAX));
        kernel.kernel.channels =
            static_cast<uint32_t>(row.CountOrNone(7, WorkloadNcclKernel::MOST_BLOCKS));
        kernel.kernel.threads =
            static_cast<uint32_t>(row.CountOrNone(8, WorkloadNcclKernel::MOST_THREADS));
        kernel.kernel.algorithm = WorkloadNcclAlgorithmOf(name->second);
        m_kernels.push_back(kernel);
    }

    /** Finds which thread launched each kernel, and when. */
    void ReadLaunches()
    {
        const std::vector<WorkloadNsysColumn> columns{{"start"}, {"globalTid"}, {"correlationId"}};
        m_database.Read(LAUNCHES, columns, [this](const WorkloadNsysRow& row) {
            if (row.IsNull(1) || row.IsNull(2))
            {
                return;
            }
            const uint64_t thread = row.Integer(1);
            const auto wanted = std::make_pair(WorkloadNsysProcessOf(thread), row.Integer(2));
            auto kernel = std::lower_bound(
                m_kernels.begin(),
                m_kernels.end(),
                wanted,
                [](const NsysKernel& a, const std::pair<uint64_t, uint64_t>& number) {
                    return std::make_pair(a.process, a.correlation) < number;
                });
            for (; kernel != m_kernels.end() &&
                   std::make_pair(kernel->process, kernel->correlation) == wanted;
                 ++kernel)
            {
                kernel->thread = thread;
                kernel->launchNs = row.Integer(0);
            }
        });
        std::sort(m_kernels.begin(), m_kernels.end(), [](const auto& a, const auto& b) {
            return std::tie(a.thread, a.launchNs, a.kernel.startNs) <
                   std::tie(b.thread, b.launchNs, b.kernel.startNs);
        });
    }

    /** Leaves out kernels whose launch is not in the trace since it came before: they start before
     * all others of their GPU. */
    void LeaveOutEarlier()
    {
        std::map<NsysDevice, uint64_t> first;
        for (const NsysKernel& kernel : m_kernels)
        {
            if (kernel.launchNs != NEVER)
            {
                uint64_t& start =
                    first.emplace(NsysDevice(kernel.process, kernel.device), NEVER).first->second;
                start = std::min(start, kernel.kernel.startNs);
            }
        }
        const auto earlier = [&](const NsysKernel& kernel) {
            const auto others = first.find(NsysDevice(kernel.process, kernel.device));
            return kernel.launchNs == NEVER && others != first.end() &&
                   kernel.kernel.startNs < others->second;
        };
        const auto left = std::stable_partition(m_kernels.begin(), m_kernels.end(), [&](auto& k) {
            return !earlier(k);
        });
        std::for_each(left, m_kernels.end(), [this](const NsysKernel& k) { LeaveOut(k); });
        m_kernels.erase(left, m_kernels.end());
    }

    /** Gives each kernel the calls within whose range it was launched; both are in the same order.
     */
    void Assign(const std::vector<WorkloadNsysBatch>& batches)
    {
        uint64_t without = 0;
        uint64_t thread = UINT64_MAX;
        auto kernel = m_kernels.cbegin();
        for (const WorkloadNsysBatch& batch : batches)
        {
            const auto place = std::make_pair(batch.thread, batch.startNs);
            while (kernel != m_kernels.cend() &&
                   std::make_pair(kernel->thread, kernel->launchNs) < place)
            {
                if (kernel->thread != batch.thread || thread == batch.thread)
                {
                    FailUnknown(*kernel);
                }
                LeaveOut(*kernel++); // launched before the first call that the trace has
            }
            thread = batch.thread;
            const auto first = kernel;
            while (kernel != m_kernels.cend() && kernel->thread == batch.thread &&
                   kernel->launchNs <= batch.endNs)
            {
                ++kernel;
            }
            without += first == kernel ? 1 : 0;
            AddBatch(batch, {first, kernel});
        }
        if (kernel != m_kernels.cend())
        {
            FailUnknown(*kernel);
        }
        Warn(without,
             "calls or groups of NCCL launched no kernel of their own (one rank alone, nothing to "
             "send, or the trace ended before): they are left out");
        Warn(m_leftOut,
             "kernels of NCCL were launched before the first call that the trace has: they are "
             "left out, and their GPUs start after them");
    }

    void Warn(uint64_t count, const char* what)
    {
        if (count > 0)
        {
            m_made.warnings.push_back(m_database.GetName() + ": " + std::to_string(count) + " " +
                                      what);
        }
    }

    /** The GPU starts after the kernel. */
    void LeaveOut(const NsysKernel& kernel)
    {
        uint64_t& start = m_busy.at(NsysDevice(kernel.process, kernel.device)).first;
        start = std::max(start, kernel.kernel.endNs);
        ++m_leftOut;
    }

    [[noreturn]] void FailUnknown(const NsysKernel& kernel) const
    {
        throw InputError(m_database.GetName(),
                         0,
                         std::string("table ") + KERNELS + ": a kernel of NCCL that starts at " +
                             std::to_string(kernel.kernel.startNs) +
                             " ns was launched within no range of NCCL that the trace has: record "
                             "with --trace=cuda,nvtx, without CUDA graphs, and start and stop "
                             "recording between iterations");
    }

    using Kernels =
        std::pair<std::vector<NsysKernel>::const_iterator, std::vector<NsysKernel>::const_iterator>;

    void AddBatch(const WorkloadNsysBatch& batch, const Kernels& kernels)
    {
        const auto count = static_cast<size_t>(kernels.second - kernels.first);
        if (count == 0)
        {
            return;
        }
        std::vector<std::vector<WorkloadNcclCall>> parts(count);
        if (count == 1 || !Divide(batch.calls, kernels, parts))
        {
            parts.front() = batch.calls;
        }
        for (size_t index = 0; index < count; ++index)
        {
            AddKernel(kernels.first[static_cast<std::ptrdiff_t>(index)], parts[index]);
        }
    }

    /**
     * A group may launch several kernels: one for each communicator or GPU, or some for one
     * communicator, which then follow each other on a stream.
     * \return false if they are all of one GPU and communicator
     */
    bool Divide(const std::vector<WorkloadNcclCall>& calls,
                const Kernels& kernels,
                std::vector<std::vector<WorkloadNcclCall>>& parts) const
    {
        std::set<uint32_t> devices;
        for (auto kernel = kernels.first; kernel != kernels.second; ++kernel)
        {
            devices.insert(kernel->device);
        }
        std::vector<uint32_t> communicators;
        for (const WorkloadNcclCall& call : calls)
        {
            if (std::find(communicators.begin(), communicators.end(), call.communicator) ==
                communicators.end())
            {
                communicators.push_back(call.communicator);
            }
        }
        if (devices.size() == 1 && communicators.size() == 1)
        {
            return false;
        }
        const bool each = devices.size() == parts.size() && calls.size() == parts.size();
        if (!each && communicators.size() != parts.size())
        {
            throw InputError(m_database.GetName(),
                             0,
                             "a group of " + std::to_string(calls.size()) + " calls of " +
                                 std::to_string(communicators.size()) + " communicators launched " +
                                 std::to_string(parts.size()) + " kernels of NCCL, the first at " +
                                 std::to_string(kernels.first->launchNs) +
                                 " ns, so that it is not known which is whose: put the calls of "
                                 "one communicator into a group of their own");
        }
        for (size_t index = 0; index < calls.size(); ++index)
        {
            const auto place =
                std::find(communicators.begin(), communicators.end(), calls[index].communicator) -
                communicators.begin();
            parts[each ? index : static_cast<size_t>(place)].push_back(calls[index]);
        }
        return true;
    }

    void AddKernel(const NsysKernel& from, const std::vector<WorkloadNcclCall>& calls)
    {
        WorkloadNcclGpu& gpu = m_gpus[NsysDevice(from.process, from.device)];
        WorkloadNcclKernel kernel = from.kernel;
        kernel.firstCall = static_cast<uint32_t>(gpu.calls.size());
        kernel.calls = static_cast<uint32_t>(calls.size());
        gpu.calls.insert(gpu.calls.end(), calls.begin(), calls.end());
        gpu.kernels.push_back(kernel);
    }

    void Finish()
    {
        for (auto& [device, gpu] : m_gpus)
        {
            const auto& busy = m_busy.at(device);
            gpu.startNs = busy.first;
            gpu.endNs = busy.second;
            OrderWorkloadNcclKernels(gpu);
            m_made.gpus.push_back({device.first, device.second, std::move(gpu)});
        }
    }

    const WorkloadNsysDatabase& m_database;
    WorkloadNsysIds& m_ids;
    WorkloadNsysStrings m_strings;
    std::vector<NsysKernel> m_kernels;
    std::map<NsysDevice, std::pair<uint64_t, uint64_t>>
        m_busy; //!< first start, last end of any kernel
    std::map<NsysDevice, WorkloadNcclGpu> m_gpus;
    uint64_t m_leftOut{0};
    WorkloadNsysExport m_made;
};

} // namespace

WorkloadNsysExport
ReadWorkloadNsysExport(const WorkloadNsysDatabase& database, WorkloadNsysIds& ids)
{
    return ExportReader(database, ids).Read();
}

} // namespace ns3
