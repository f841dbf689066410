/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-spec.h"

#include "workload-collective-names.h"

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-spec.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

namespace
{

constexpr double MAX_NS_PER_BYTE = 1e6;

template <typename T>
std::vector<std::string>
Names()
{
    std::vector<std::string> names;
    for (const T value : WorkloadValues<T>())
    {
        names.push_back(WorkloadName(value));
    }
    return names;
}

/** \return the value of a key that is one of an enumeration's names */
template <typename T>
T
Named(InputSpec& spec, const std::string& key, T defaultValue)
{
    const std::vector<std::string> names = Names<T>();
    const std::string name = spec.Choice(key, WorkloadName(defaultValue), names);
    const auto found = std::find(names.begin(), names.end(), name);
    return WorkloadValues<T>()[static_cast<size_t>(found - names.begin())];
}

uint64_t
ChunkBytes(InputSpec& spec)
{
    const std::string word = spec.Word("chunk", "step");
    if (word == "step")
    {
        return 0;
    }
    if (word == "nccl")
    {
        return WORKLOAD_NCCL_CHUNKS;
    }
    uint64_t bytes = 0;
    if (!ParseBytes(word, bytes) || bytes == 0)
    {
        spec.FailValue("chunk", "step, nccl, or " + ExpectedBytesText(1));
    }
    return bytes;
}

uint32_t
Window(InputSpec& spec)
{
    constexpr uint32_t MAX_MESSAGES = 65536;
    if (spec.Word("window", "0") == "nccl")
    {
        return WORKLOAD_NCCL_WINDOW;
    }
    return static_cast<uint32_t>(spec.Integer("window", 0, 0, MAX_MESSAGES));
}

/** Whether NVLink is the network, and how fast it is if it is not. */
void
ReadNvlink(InputSpec& spec, WorkloadCollective& collective)
{
    constexpr double BITS_PER_SECOND = 8e9; // of 1 byte per nanosecond
    collective.nvlinkOnNetwork = spec.Choice("nvlink", "network", {"network", "cost"}) == "network";
    if (!collective.nvlinkOnNetwork)
    {
        const uint64_t rate = spec.Rate("nvlink-rate", 0);
        collective.nvlinkBytesPerNs =
            rate ? static_cast<double>(rate) / BITS_PER_SECOND : collective.nvlinkBytesPerNs;
    }
    else if (spec.Has("nvlink-rate"))
    {
        spec.Fail("nvlink-rate says nothing with nvlink=network, where the links have their rate; "
                  "leave it out, or say nvlink=cost");
    }
}

/** What NCCL's choices depend on; without choices to make, it says nothing. */
void
ReadTuning(InputSpec& spec, WorkloadCollective& collective)
{
    WorkloadNcclTuning& tuning = collective.tuning;
    const std::vector<std::string> keys{"gpu",
                                        "cpu",
                                        "ll128",
                                        "max-channels",
                                        "server-GBps",
                                        "nic-GBps"};
    const bool chooses = collective.algorithm == WorkloadCollectiveAlgorithm::AUTO ||
                         collective.protocol == WorkloadProtocol::AUTO || collective.channels == 0;
    for (const std::string& key : keys)
    {
        if (spec.Has(key) && !chooses)
        {
            spec.Fail(key + " says nothing where algorithm, protocol and channels are given; leave "
                            "it out, or say protocol=auto or channels=0");
        }
    }
    tuning.gpu = Named(spec, "gpu", tuning.gpu);
    tuning.amdCpu = spec.Choice("cpu", "intel", {"intel", "amd"}) == "amd";
    tuning.ll128 = spec.Flag("ll128", tuning.ll128);
    tuning.channels = static_cast<uint32_t>(spec.Integer("max-channels", tuning.channels, 1, 32));
    tuning.serverGBps = spec.Number("server-GBps", tuning.serverGBps, 0.001, 1e6);
    tuning.nicGBps = spec.Number("nic-GBps", tuning.nicGBps, 0.001, 1e6);
}

/** Reads how a collective is carried out. \param collective has what counts if a key is not given
 */
void
ReadHow(InputSpec& spec, WorkloadCollective& collective)
{
    collective.algorithm = Named(spec, "algorithm", collective.algorithm);
    collective.protocol = Named(spec, "protocol", collective.protocol);
    collective.channels =
        static_cast<uint32_t>(spec.Integer("channels", collective.channels, 0, 64));
    collective.chunkBytes = ChunkBytes(spec);
    collective.window = Window(spec);
    collective.elementBytes = static_cast<uint32_t>(spec.Integer("element", 1, 1, UINT32_MAX));
    collective.reduceNsPerByte = spec.Number("reduce-ns-per-byte", 0, 0, MAX_NS_PER_BYTE);
    collective.copyNsPerByte = spec.Number("copy-ns-per-byte", 0, 0, MAX_NS_PER_BYTE);
    collective.ranksPerServer =
        static_cast<uint32_t>(spec.Integer("ranks-per-server", 1, 1, UINT32_MAX));
    collective.rotateChannels = spec.Flag("rotate", collective.rotateChannels);
    ReadNvlink(spec, collective);
    ReadTuning(spec, collective);
}

WorkloadCollective
ReadCollective(InputSpec& spec, WorkloadCollectiveKind kind, uint32_t ranks)
{
    WorkloadCollective collective;
    collective.kind = kind;
    collective.bytes = spec.Bytes("bytes", 0, 0);
    ReadHow(spec, collective);
    if (kind == WorkloadCollectiveKind::BROADCAST || kind == WorkloadCollectiveKind::REDUCE)
    {
        collective.root = static_cast<uint32_t>(spec.Integer("root", 0, 0, ranks - 1));
    }
    return collective;
}

/** \param ends the last operations of the first time */
void
CheckSize(const std::string& text,
          const WorkloadCollectiveSpec& spec,
          const std::vector<uint32_t>& ends)
{
    constexpr uint64_t MAX_OPERATIONS = 1000000000; // 40 GB
    const uint64_t once = std::accumulate(ends.begin(), ends.end(), uint64_t{ends.size()});
    if (once > MAX_OPERATIONS / spec.repeat)
    {
        InputSpec(text).Fail("repeat=" + std::to_string(spec.repeat) + " times " +
                             std::to_string(once) + " operations is more than " +
                             std::to_string(MAX_OPERATIONS) + "; use fewer repeats");
    }
}

/** \return the kind that a name stands for, or the number of kinds */
size_t
KindIndex(const std::string& name)
{
    const std::vector<std::string> names = Names<WorkloadCollectiveKind>();
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

bool
IsWorkloadCollectiveSpec(const std::string& text)
{
    return KindIndex(text.substr(0, text.find(':'))) <
           WorkloadValues<WorkloadCollectiveKind>().size();
}

WorkloadCollective
ParseWorkloadCollectiveKeys(const std::string& text, WorkloadCollective defaults)
{
    InputSpec spec(text);
    ReadHow(spec, defaults);
    spec.Finish();
    return defaults;
}

WorkloadCollectiveSpec
ParseWorkloadCollectiveSpec(const std::string& text)
{
    constexpr int MAX_GAP_S = 1000000;
    InputSpec spec(text);
    const auto kinds = WorkloadValues<WorkloadCollectiveKind>();
    const size_t kind = KindIndex(spec.Kind());
    if (kind == kinds.size())
    {
        spec.Fail("no such kind of collective" +
                  KnownNamesText(spec.Kind(), Names<WorkloadCollectiveKind>()));
    }
    WorkloadCollectiveSpec result;
    spec.Require("ranks", "64");
    spec.Require("bytes", "1GB");
    result.ranks = static_cast<uint32_t>(spec.Integer("ranks", 2, 1, WORKLOAD_MOST_RANKS));
    result.repeat = static_cast<uint32_t>(spec.Integer("repeat", 1, 1, UINT32_MAX));
    result.gapNs =
        static_cast<uint64_t>(spec.Duration("gap", Time(0), Seconds(MAX_GAP_S)).GetNanoSeconds());
    result.collective = ReadCollective(spec, kinds[kind], result.ranks);
    spec.Finish();
    if (result.repeat == 1 && spec.Has("gap"))
    {
        spec.Fail("gap says nothing without a repeat; leave it out, or say repeat=2");
    }
    return result;
}

WorkloadSchedule
MakeCollectiveSchedule(const std::string& text)
{
    const WorkloadCollectiveSpec spec = ParseWorkloadCollectiveSpec(text);
    WorkloadScheduleBuilder builder(spec.ranks);
    const uint8_t category = builder.Category(WorkloadName(spec.collective.kind));
    std::vector<uint32_t> members(spec.ranks);
    std::iota(members.begin(), members.end(), 0);
    std::vector<uint32_t> after;
    for (uint32_t time = 0; time < spec.repeat; ++time)
    {
        if (time != 0 && spec.gapNs != 0)
        {
            builder.SetCategory(builder.Category("compute"));
            for (uint32_t rank = 0; rank < spec.ranks; ++rank)
            {
                const uint32_t gap = builder.Calc(rank, spec.gapNs, spec.collective.cpu);
                builder.Require(rank, gap, after[rank]);
                after[rank] = gap;
            }
        }
        builder.SetCategory(category);
        after = AddWorkloadCollective(builder, members, spec.collective, after).end;
        if (time == 0)
        {
            CheckSize(text, spec, after);
        }
    }
    WorkloadSchedule schedule = builder.Build();
    schedule.origin = text;
    return schedule;
}

std::string
WorkloadCollectiveSpecHelp()
{
    return R"(A collective of all ranks: KIND:ranks=N,bytes=SIZE,KEY=VALUE...

  all-reduce      ring, tree (one binary tree), double-tree (NCCL's two trees)
  all-gather      ring
  reduce-scatter  ring
  broadcast       ring (a chain from the root), tree
  reduce          ring (a chain to the root), tree
      root=N            broadcast and reduce only                                (0)
  all-to-all      direct: everyone to everyone at once
  send-recv       ring: everyone to the next, the last to the first

Keys of every kind (with their values if not given):
      ranks=N           ranks of the schedule, all members                       (required)
      bytes=SIZE        a rank's vector; all-gather: the result; all-to-all: with the own part;
                        B, KB, MB, GB are powers of 1000, KiB, MiB, GiB of 1024  (required)
      algorithm=A       auto (NCCL's choice), ring, tree, double-tree, direct    (auto)
      protocol=P        auto (NCCL's choice), simple, ll, ll128                  (simple)
      channels=N        the data is divided among them, up to 64; 0: NCCL's choice     (1)
      chunk=C           largest message: step (of a ring, undivided), nccl (as its buffers
                        divide it), or a size                                    (step)
      window=N          messages under way between two ranks, per channel; 0: any number;
                        nccl: its buffer's 8 steps                               (0)
      element=N         bytes of an element, which is not divided                (1)
      reduce-ns-per-byte=X    computation after each receive that reduces        (0)
      copy-ns-per-byte=X      computation after each other receive               (0)
      ranks-per-server=N      ranks 0 to N-1 are a server, and so on             (1)
      rotate=0|1        channel c enters a server at its c-th rank               (1)
      nvlink=network|cost     inside a server messages, or computations          (network)
      nvlink-rate=RATE        for cost                                           (1200Gbps)
      repeat=N          times, one after the other                               (1)
      gap=TIME          computation before each time but the first: ns, us, ms   (0ns)

For NCCL's choices:
      gpu=G             volta, ampere, hopper                                    (hopper)
      cpu=C             intel, amd                                               (intel)
      ll128=0|1         whether LL128 may be used                                (1)
      max-channels=N    1 to 32                                                  (16)
      server-GBps=X     a ring's bandwidth inside a server                       (360)
      nic-GBps=X        bandwidth of a rank's NIC                                (48)

Examples:
  all-reduce:ranks=64,bytes=1GB
  all-reduce:ranks=1024,bytes=100MB,algorithm=double-tree,ranks-per-server=8,channels=0,chunk=nccl
  all-to-all:ranks=64,bytes=64MiB,repeat=4,gap=1ms
  broadcast:ranks=16,bytes=10MB,root=3,algorithm=tree,chunk=1MB
)";
}

} // namespace ns3
