/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_H
#define WORKLOAD_SIMAI_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload First word of a SimAI workload file: the order in which a layer list is run.
 */
enum class WorkloadSimAiPolicy : uint8_t
{
    DATA,
    MODEL,
    MICRO,
    HYBRID_TRANSFORMER,
    HYBRID_TRANSFORMER_FWD_IN_BCKWD,
    HYBRID_DLRM,
    HYBRID_DLRM_ENHANCED,
    HYBRID_DATA_MODEL,
    HYBRID_MODEL_DATA,
    HYBRID_CUSTOMIZED,
    DISTRIBUTED_INFERENCE
};

/** \ingroup workload \return the word of the file */
std::string WorkloadSimAiPolicyName(WorkloadSimAiPolicy policy);

/** \ingroup workload \return whether \p word names a policy, which \p policy is set to */
bool ParseWorkloadSimAiPolicy(const std::string& word, WorkloadSimAiPolicy& policy);

/** \ingroup workload Collectives that SimAI simulates. */
enum class WorkloadSimAiKind : uint8_t
{
    NONE,
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL
};

/** \ingroup workload Who takes part in a collective. */
enum class WorkloadSimAiGroup : uint8_t
{
    TP,
    DP,
    EP,
    DP_EP,
    ALL ///< every rank: what policies without a parallelisation mean
};

/** \ingroup workload Columns of a layer: forward pass, input gradient, weight gradient. */
enum class WorkloadSimAiPass : uint8_t
{
    FWD,
    IG,
    WG
};

constexpr uint32_t WORKLOAD_SIMAI_PASSES = 3; ///< number of WorkloadSimAiPass

/** \ingroup workload \return "all-reduce" and so on */
std::string WorkloadSimAiKindName(WorkloadSimAiKind kind);

/** \ingroup workload \return "TP" and so on */
std::string WorkloadSimAiGroupName(WorkloadSimAiGroup group);

/** \ingroup workload One of the three parts of a layer: a computation, then a collective. */
struct WorkloadSimAiPart
{
    uint64_t computeNs{0};
    WorkloadSimAiKind kind{WorkloadSimAiKind::NONE};
    WorkloadSimAiGroup group{WorkloadSimAiGroup::TP}; ///< as the type's suffix and column say
    uint64_t bytes{0}; ///< the file's: vector (all-reduce), gathered result (all-gather), a rank's
                       ///< input (reduce-scatter, all-to-all); 0 is no collective
};

/** \ingroup workload One record of the file. */
struct WorkloadSimAiLayer
{
    std::string name;
    WorkloadSimAiPart parts[WORKLOAD_SIMAI_PASSES]; ///< by WorkloadSimAiPass
    uint64_t processNs{0};                          ///< after each collective of the layer
    WorkloadSimAiPolicy policy{}; ///< the layer's own (HYBRID_CUSTOMIZED), or the file's
    bool checkpoint{false};       ///< recomputation starts from here
    bool initiates{false};        ///< recompute, from the nearest checkpoint, before its gradient
    uint64_t line{0};

    const WorkloadSimAiPart& Part(WorkloadSimAiPass pass) const
    {
        return parts[static_cast<uint32_t>(pass)];
    }
};

/** \ingroup workload \return whether layers of the policy have a parallelisation */
inline bool
WorkloadSimAiHasParallelism(WorkloadSimAiPolicy policy)
{
    return policy == WorkloadSimAiPolicy::HYBRID_TRANSFORMER ||
           policy == WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD;
}

/** \ingroup workload A SimAI/AICB workload file. Sizes of groups are 0 where the file does not say
 * and its policy does not need them. */
struct WorkloadSimAiFile
{
    std::string origin; ///< file name
    uint64_t line{0};   ///< of the header
    WorkloadSimAiPolicy policy{};
    uint32_t tp{0};      ///< model_parallel_NPU_group
    uint32_t ep{0};      ///< expert parallelism
    uint32_t pp{0};      ///< pipeline parallelism; report only
    uint32_t vpp{0};     ///< virtual pipeline stages (AICB: layers per stage); report only
    uint32_t ga{0};      ///< gradient accumulation; report only
    uint32_t allGpus{0}; ///< report only: groups are made of the topology's GPUs
    uint64_t ppCommBytes{0};
    std::vector<WorkloadSimAiLayer> layers;
    std::vector<std::string> warnings; ///< what was skipped or looks wrong, `FILE:LINE: TEXT`

    /** \return whether it has a parallelisation (the two HYBRID_TRANSFORMER policies) */
    bool HasParallelism() const
    {
        return WorkloadSimAiHasParallelism(policy);
    }
};

/** \ingroup workload Whose rules pick algorithm, protocol and send latency. */
enum class WorkloadSimAiRules : uint8_t
{
    SIMAI_1_6, ///< rings, or NVLS where asked for; one send latency
    SIMAI_1_7  ///< NVLS from a size on, PAT, protocols by size, latencies from a table
};

/** \ingroup workload When PAT is chosen for all-gather and reduce-scatter (SIMAI_1_7). */
enum class WorkloadSimAiPat : uint8_t
{
    OFF,
    FORCE, ///< whatever the size, if every rank is alone on its server
    AUTO   ///< if every rank is alone on its server, and between the two sizes
};

/** \ingroup workload NCCL's protocol as SimAI numbers it. */
enum class WorkloadSimAiProtocol : int8_t
{
    UNDEFINED = -1,
    LL = 0,
    LL128 = 1,
    SIMPLE = 2
};

/**
 * \ingroup workload
 * \brief All that a user may choose about a SimAI workload.
 *
 * The defaults are SimAI 1.6's with its environment variables unset, except that the send latency
 * is what its documents say (6 us) and not what unset variables lead to (6 ms).
 */
struct WorkloadSimAiOptions
{
    /** \name Header values that the file lacks
     * 0: not given. One that contradicts the file is an error. */
    ///@{
    uint32_t tp{0};
    uint32_t ep{0};
    uint32_t pp{0};
    uint32_t vpp{0};
    uint32_t ga{0};
    uint32_t allGpus{0};
    ///@}

    uint32_t gpusPerServer{0}; ///< 0: as the topology says; every GPU its own server if it does not
    std::string gpuType;       ///< empty: as the topology says
    uint32_t nvSwitches{0};    ///< of the topology, all in all: SimAI counts them as nodes of its
                               ///< logical dimensions. ResolveWorkloadSimAiOptions() sets it

    WorkloadSimAiRules rules{WorkloadSimAiRules::SIMAI_1_6};
    bool nvls{false};               ///< AS_NVLS_ENABLE: all-reduce in a server by NVSwitch
    uint64_t nvlsMinBytes{2097152}; ///< AS_NVLS_MIN_BYTES; SIMAI_1_7 only
    bool pxn{false};                ///< AS_PXN_ENABLE: leave a server on the rail of the target
    WorkloadSimAiPat pat{WorkloadSimAiPat::AUTO}; ///< SIMAI_PAT_ENABLE; SIMAI_1_7 only
    uint64_t patMinBytes{524288};                 ///< SIMAI_PAT_MIN_BYTES
    uint64_t patMaxBytes{1048576};                ///< SIMAI_PAT_MAX_BYTES
    bool protocolAware{true};                     ///< SIMAI_PROTO_AWARE; SIMAI_1_7 only
    WorkloadSimAiProtocol forceProtocol{
        WorkloadSimAiProtocol::UNDEFINED}; ///< SIMAI_FORCE_PROTO; UNDEFINED: by size

    /** Time from a flow's data being there to its first packet: -1 for the rules' own (1.6: 6000;
     * 1.7: by algorithm, protocol and place). Nanoseconds, unless \c literalLatency. */
    int64_t sendLatency{-1};

    /** Take send latencies, given or of the rules, as SimAI does: as microseconds. */
    bool literalLatency{false};

    /** Follow SimAI's arithmetic where it is faulty but yields a result: sizes through a 32-bit
     * float, no collective of the forward pass and input gradient (also of experts) if TP is 1, no
     * PXN in all-gathers, NVSwitches counted as another server. */
    bool literal{false};

    int64_t memoryDelayNs{10}; ///< before each flow
    int64_t reduceDelayNs{30}; ///< further, before a flow that SimAI charges with it

    /** Number of a disturbance (DrawWorkloadDisturbance): each computation and each change of state
     * of one rank takes longer. 0 for none. */
    uint64_t disturbance{0};
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_H
