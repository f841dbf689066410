/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

namespace ns3
{

namespace
{

constexpr const char* RATE_200G = "200Gbps";
constexpr const char* RATE_400G = "400Gbps";
constexpr uint64_t DELAY_NS = 500;

/** How GPUs are wired to top-of-rack switches (ToRs, SimAI's ASWs), and these to spines (PSWs). */
struct Wiring
{
    bool rail{false};    ///< GPU i of a server on the i-th ToR of its segment
    bool dualTor{false}; ///< every GPU has a port to each of two ToRs
    uint64_t planes{1};  ///< 2: the second ToRs have spines of their own
};

/** What a template says for keys that are not given. */
struct Defaults
{
    uint64_t gpus;
    const char* rate;
    uint64_t gpusPerTor;
    uint64_t spines;
    uint64_t torsPerSpine;
};

/** A template with all its numbers. */
struct Plan
{
    Wiring wiring;
    uint64_t gpus{0};
    uint64_t gpusPerServer{0};
    uint64_t nvswitchesPerServer{0};
    uint64_t gpusPerTor{0};
    uint64_t spines{0};
    RdmaTier port;
    RdmaTier uplink;
    RdmaTier nvlink;

    uint64_t TorsPerSegment() const
    {
        return wiring.rail ? gpusPerServer : 1;
    }

    uint64_t GpusPerSegment() const
    {
        return TorsPerSegment() * gpusPerTor;
    }

    uint64_t Segments() const
    {
        return (gpus + GpusPerSegment() - 1) / GpusPerSegment();
    }

    /** \return ToRs of one side: all of them, or half with dual ToRs */
    uint64_t SideTors() const
    {
        return Segments() * TorsPerSegment();
    }

    uint64_t Tors() const
    {
        return (wiring.dualTor ? 2 : 1) * SideTors();
    }

    /** \return the GPU's ToR among those of a side */
    uint64_t TorOf(uint64_t gpu) const
    {
        return gpu / GpusPerSegment() * TorsPerSegment() + (wiring.rail ? gpu % gpusPerServer : 0);
    }

    RdmaTopologySize Size() const
    {
        const uint64_t nvlinks = gpus * nvswitchesPerServer;
        const uint64_t ports = (wiring.dualTor ? 2 : 1) * gpus;
        return {gpus,
                gpus / gpusPerServer * nvswitchesPerServer,
                Tors() + spines,
                nvlinks + ports + Tors() * (spines / wiring.planes)};
    }
};

void
CheckPlan(InputSpec& spec, const Plan& plan, uint64_t torsPerSpine)
{
    if (plan.gpus % plan.gpusPerServer != 0)
    {
        spec.FailValue("gpus",
                       "a multiple of gpus-per-server, " + std::to_string(plan.gpusPerServer));
    }
    if (plan.spines % plan.wiring.planes != 0)
    {
        spec.Fail(std::to_string(plan.spines) +
                  " spines, but two planes need an even number, half for each");
    }
    // SimAI's own rule for the ports of a spine: with rails, it does not count dual ToRs twice.
    const uint64_t perSegment = plan.wiring.rail ? plan.gpusPerServer : plan.wiring.dualTor ? 2 : 1;
    if (plan.Segments() > torsPerSpine / perSegment)
    {
        spec.Fail(std::to_string(plan.Segments()) + " segments of " +
                  std::to_string(plan.GpusPerSegment()) +
                  " GPUs, but spines with tors-per-spine=" + std::to_string(torsPerSpine) +
                  " join at most " + std::to_string(torsPerSpine / perSegment) +
                  "; choose fewer gpus, or more tors-per-spine or gpus-per-tor");
    }
}

Plan
ReadPlan(InputSpec& spec, const Wiring& wiring, const Defaults& defaults)
{
    Plan plan;
    plan.wiring = wiring;
    plan.port = RdmaHostTier(spec, {DataRate(defaults.rate), NanoSeconds(DELAY_NS)});
    plan.uplink =
        RdmaNamedTier(spec, "uplink", {DataRate(RATE_400G), plan.port.delay, plan.port.errorRate});
    plan.nvlink = RdmaNvlinkTier(spec, plan.port.errorRate);
    plan.gpus = RdmaCountKey(spec, "gpus", defaults.gpus);
    plan.gpusPerServer = RdmaCountKey(spec, "gpus-per-server", 8);
    plan.nvswitchesPerServer = RdmaCountKey(spec, "nvswitches-per-server", 1, 0);
    plan.gpusPerTor = RdmaCountKey(spec, "gpus-per-tor", defaults.gpusPerTor);
    plan.spines = RdmaCountKey(spec, "spines", defaults.spines);
    CheckPlan(spec, plan, RdmaCountKey(spec, "tors-per-spine", defaults.torsPerSpine));
    return plan;
}

void
LinkGpus(RdmaTopologyBuilder& builder, const Plan& plan)
{
    for (uint64_t gpu = 0; gpu < plan.gpus; ++gpu)
    {
        const uint64_t firstNvswitch = gpu / plan.gpusPerServer * plan.nvswitchesPerServer;
        for (uint64_t i = 0; i < plan.nvswitchesPerServer; ++i)
        {
            builder.Link(gpu, builder.Nvswitch(firstNvswitch + i), plan.nvlink);
        }
        for (uint64_t tor = plan.TorOf(gpu); tor < plan.Tors(); tor += plan.SideTors())
        {
            builder.Link(gpu, builder.Switch(tor), plan.port);
        }
    }
}

void
LinkTors(RdmaTopologyBuilder& builder, const Plan& plan)
{
    const uint64_t perTor = plan.spines / plan.wiring.planes;
    for (uint64_t tor = 0; tor < plan.Tors(); ++tor)
    {
        const uint64_t plane = plan.wiring.planes == 2 ? tor / plan.SideTors() : 0;
        for (uint64_t i = 0; i < perTor; ++i)
        {
            builder.Link(builder.Switch(tor),
                         builder.Switch(plan.Tors() + plane * perTor + i),
                         plan.uplink);
        }
    }
}

RdmaTopology
Make(InputSpec& spec, const Wiring& wiring, const Defaults& defaults)
{
    const Plan plan = ReadPlan(spec, wiring, defaults);
    const std::string gpuType = spec.Choice("gpu-type", "H100", RdmaGpuTypes());
    spec.Finish();

    RdmaTopologyBuilder builder(spec, plan.Size());
    LinkGpus(builder, plan);
    LinkTors(builder, plan);
    RdmaTopology topology = builder.Finish();
    topology.gpusPerServer = uint32_t(plan.gpusPerServer);
    topology.gpuType = gpuType;
    return topology;
}

bool
IsDual(InputSpec& spec)
{
    return spec.Choice("tor", "single", {"single", "dual"}) == "dual";
}

RdmaTopology
MakeSpectrumX(InputSpec& spec)
{
    return Make(spec, {true, false, 1}, {4096, RATE_400G, 64, 64, 64});
}

RdmaTopology
MakeAlibabaHpn(InputSpec& spec)
{
    const uint64_t planes = spec.Integer("planes", 1, 1, 2);
    return Make(spec, {true, true, planes}, {15360, RATE_200G, 128, 120, 240 / planes});
}

RdmaTopology
MakeDcnPlus(InputSpec& spec)
{
    const bool dual = IsDual(spec);
    return Make(spec,
                {false, dual, 1},
                {512, dual ? RATE_200G : RATE_400G, dual ? 128U : 64U, 8, 8});
}

RdmaTopology
MakeSimai(InputSpec& spec)
{
    const Wiring wiring{spec.Flag("rail", false), IsDual(spec), spec.Integer("planes", 1, 1, 2)};
    if (wiring.planes == 2 && !(wiring.rail && wiring.dualTor))
    {
        spec.Fail("planes=2 needs rail=1 and tor=dual; add these, or leave it out");
    }
    return Make(spec, wiring, {32, RATE_400G, 64, 64, 64});
}

std::vector<RdmaTopologyKey>
Keys(const std::vector<RdmaTopologyKey>& own,
     const std::string& rate,
     const std::string& gpus,
     const std::string& gpusPerTor,
     const std::string& spines,
     const std::string& torsPerSpine)
{
    std::vector<RdmaTopologyKey> keys{
        {"rate", rate, "rate of a GPU's port to a ToR, each direction"},
        {"delay", "500ns", "one-way propagation delay of that link"},
        {"error", "0", "probability that a link loses a frame, each direction"},
        {"uplink-rate", "400Gbps", "rate of the links between ToRs and spines"},
        {"uplink-delay", "delay", "delay of the links between ToRs and spines"},
        {"nvlink-rate", "2880Gbps", "rate of a GPU's link to its NVSwitch"},
        {"nvlink-delay", "25ns", "delay of that link"},
        {"gpus", gpus, "number of GPUs, each a host"},
        {"gpus-per-server", "8", "GPUs of a server"},
        {"nvswitches-per-server", "1", "NVSwitches of a server, each linked to all its GPUs"},
        {"gpus-per-tor", gpusPerTor, "ports of a ToR to GPUs"},
        {"spines", spines, "number of spine switches"},
        {"tors-per-spine", torsPerSpine, "ports of a spine; limits the number of segments"},
        {"gpu-type", "H100", "A100, A800, H100, H800 or H20, for SimAI"},
    };
    keys.insert(keys.begin(), own.begin(), own.end());
    return keys;
}

} // namespace

std::vector<RdmaTopologyKind>
RdmaSimaiTopologies()
{
    const RdmaTopologyKey tor{"tor",
                              "single",
                              "single or dual: a GPU has a port to one ToR or two"};
    const RdmaTopologyKey planes{"planes", "1", "2: the second ToRs have spines of their own"};
    return {
        {"spectrum-x",
         "SimAI's Spectrum-X: rail-optimized, single ToR",
         Keys({}, "400Gbps", "4096", "64", "64", "64"),
         "spectrum-x:gpus=256",
         MakeSpectrumX},
        {"alibaba-hpn",
         "SimAI's AlibabaHPN: rail-optimized, dual ToR, one plane or two",
         Keys({planes}, "200Gbps", "15360", "128", "120", "240/planes"),
         "alibaba-hpn:gpus=64,planes=2,spines=16",
         MakeAlibabaHpn},
        {"dcn+",
         "SimAI's DCN+: a server's GPUs on one ToR, or on two at half the rate",
         Keys({tor}, "400 or 200Gbps", "512", "64 or 128", "8", "8"),
         "dcn+:gpus=128,tor=dual",
         MakeDcnPlus},
        {"simai",
         "SimAI's generator without a template: any combination of the above",
         Keys({{"rail", "0", "1: GPU i of a server on ToR i of its segment"}, tor, planes},
              "400Gbps",
              "32",
              "64",
              "64",
              "64"),
         "simai:gpus=16,rail=1,tor=dual",
         MakeSimai},
    };
}

} // namespace ns3
