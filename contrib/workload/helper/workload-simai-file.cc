/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-file.h"

#include "workload-simai-type.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-number.h"
#include "ns3/rdma-spec-parser.h"
#include "ns3/rdma-text-reader.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

/** Of all layers, each computation counted twice: leaves room in 64 bits of picoseconds. */
constexpr uint64_t MAX_TOTAL_NS = 4'000'000'000'000'000;

constexpr uint64_t MAX_LAYERS = 10'000'000;
constexpr uint64_t MAX_GROUP = 1U << 24;

/** What an announced count may make us reserve: a short file must not cost memory by its count. */
constexpr uint64_t MAX_RESERVE = 4096;

constexpr size_t MAX_WARNINGS = 100;

/** A header value: its key in the file, its name among the options, and where they are stored. */
struct HeaderValue
{
    const char* key;
    const char* name;
    uint32_t WorkloadSimAiFile::*inFile;
    uint32_t WorkloadSimAiOptions::*inOptions;
};

const HeaderValue HEADER_VALUES[]{
    {"model_parallel_NPU_group:", "tp", &WorkloadSimAiFile::tp, &WorkloadSimAiOptions::tp},
    {"ep:", "ep", &WorkloadSimAiFile::ep, &WorkloadSimAiOptions::ep},
    {"pp:", "pp", &WorkloadSimAiFile::pp, &WorkloadSimAiOptions::pp},
    {"vpp:", "vpp", &WorkloadSimAiFile::vpp, &WorkloadSimAiOptions::vpp},
    {"ga:", "ga", &WorkloadSimAiFile::ga, &WorkloadSimAiOptions::ga},
    {"all_gpus:", "all_gpus", &WorkloadSimAiFile::allGpus, &WorkloadSimAiOptions::allGpus},
};

/** Reads one file, from its header to its last layer. */
class SimAiReader
{
  public:
    SimAiReader(std::istream& in, const std::string& name, const WorkloadSimAiOptions& options)
        : m_reader(in, name),
          m_options(options)
    {
        m_file.origin = name;
    }

    WorkloadSimAiFile Read()
    {
        ReadHeader();
        ReadLayers();
        TakeOptions();
        MarkCheckpoints();
        return std::move(m_file);
    }

  private:
    void Warn(uint64_t line, const std::string& text)
    {
        if (m_file.warnings.size() < MAX_WARNINGS)
        {
            m_file.warnings.push_back(m_reader.Name() + ":" + std::to_string(line) + ": " + text);
        }
        else if (m_file.warnings.size() == MAX_WARNINGS)
        {
            m_file.warnings.push_back(m_reader.Name() + ": there are further warnings");
        }
    }

    void ReadHeader()
    {
        const std::string policy = m_reader.Word("policy");
        if (!ParseWorkloadSimAiPolicy(policy, m_file.policy))
        {
            m_reader.Fail("policy " + RdmaShownText(policy) +
                          " is not one of SimAI's; AICB writes HYBRID_TRANSFORMER_FWD_IN_BCKWD or "
                          "MICRO");
        }
        m_headerLine = m_reader.Line();
        while (m_reader.MoreOnLine())
        {
            ReadHeaderWord(m_reader.Word("header"));
        }
    }

    void ReadHeaderWord(const std::string& word)
    {
        for (const HeaderValue& value : HEADER_VALUES)
        {
            if (word == value.key)
            {
                NeedHeaderValue(word);
                SetHeaderValue(value, uint32_t(m_reader.Integer(word, 0, MAX_GROUP)));
                return;
            }
        }
        if (word == "pp_comm" || word == "pp_comm:")
        {
            NeedHeaderValue(word);
            m_file.ppCommBytes = WholePart(m_reader.Word(word));
        }
        else if (word == "checkpoints:")
        {
            ReadIndices(word, m_checkpoints);
        }
        else if (word == "checkpoint_initiates:")
        {
            ReadIndices(word, m_initiates);
        }
        else
        {
            Warn(m_reader.Line(), "header word " + RdmaShownText(word) + " is skipped");
        }
    }

    void NeedHeaderValue(const std::string& key)
    {
        if (!m_reader.MoreOnLine())
        {
            m_reader.Fail("no value after " + key + " in the header; put it on the same line");
        }
    }

    void SetHeaderValue(const HeaderValue& value, uint32_t number)
    {
        uint32_t& held = m_file.*value.inFile;
        if (held != 0 && held != number)
        {
            m_reader.Fail(std::string(value.key) + " is given twice: " + std::to_string(held) +
                          " and " + std::to_string(number) + "; keep one");
        }
        held = number;
        if (!m_file.HasParallelism() && m_file.policy != WorkloadSimAiPolicy::HYBRID_CUSTOMIZED)
        {
            Warn(m_reader.Line(),
                 std::string(value.key) + " has no effect with policy " +
                     WorkloadSimAiPolicyName(m_file.policy));
        }
    }

    /** AICB prints sizes that it has divided with a fraction: "33554432.0". */
    uint64_t WholePart(const std::string& word)
    {
        const size_t point = word.find('.');
        uint64_t value = 0;
        uint64_t fraction = 0;
        if (!ParseRdmaInteger(word.substr(0, point), value) ||
            (point != std::string::npos && !ParseRdmaInteger(word.substr(point + 1), fraction)))
        {
            m_reader.Fail("pp_comm " + RdmaShownText(word) +
                          ", but expected is a number of bytes from 0 to 2^64 - 1");
        }
        return value;
    }

    void ReadIndices(const std::string& key, std::vector<uint64_t>& indices)
    {
        NeedHeaderValue(key);
        const uint64_t count = m_reader.Integer("number of " + key, 0, MAX_LAYERS);
        for (uint64_t i = 0; i < count; ++i)
        {
            NeedHeaderValue(key);
            indices.push_back(m_reader.Integer("layer in " + key, 0, MAX_LAYERS));
        }
    }

    void ReadLayers()
    {
        const uint64_t count = m_reader.Integer("number of layers", 1, MAX_LAYERS);
        const uint64_t countLine = m_reader.Line();
        m_file.layers.reserve(std::min(count, MAX_RESERVE));
        std::string name;
        while (m_reader.Next(name))
        {
            if (m_file.layers.size() == count)
            {
                Warn(m_reader.Line(),
                     "what follows is skipped, since line " + std::to_string(countLine) +
                         " declares " + std::to_string(count) + " layers");
                break;
            }
            ReadLayer(name);
        }
        if (m_file.layers.empty())
        {
            m_reader.Fail("the file ends before its first layer; complete it");
        }
        if (m_file.layers.size() < count)
        {
            Warn(countLine,
                 std::to_string(count) + " layers are declared, but there are " +
                     std::to_string(m_file.layers.size()) + "; is the file complete?");
        }
    }

    void ReadLayer(const std::string& name)
    {
        WorkloadSimAiLayer layer;
        layer.name = name;
        layer.line = m_reader.Line();
        layer.policy = m_file.policy;
        SkipDependency();
        std::string types[WORKLOAD_SIMAI_PASSES];
        for (uint32_t pass = 0; pass < WORKLOAD_SIMAI_PASSES; ++pass)
        {
            WorkloadSimAiPart& part = layer.parts[pass];
            part.computeNs = ReadNs("compute time");
            types[pass] = m_reader.Word("communication type");
            m_typeLines[pass] = m_reader.Line();
            part.bytes = m_reader.Integer("communication size", 0, UINT64_MAX);
        }
        layer.processNs = ReadNs("process time");
        if (m_file.policy == WorkloadSimAiPolicy::HYBRID_CUSTOMIZED)
        {
            ReadLayerPolicy(layer.policy);
        }
        for (uint32_t pass = 0; pass < WORKLOAD_SIMAI_PASSES; ++pass)
        {
            SetType(types[pass], layer, static_cast<WorkloadSimAiPass>(pass));
        }
        m_file.layers.push_back(std::move(layer));
    }

    /** SimAI reads this number and uses it for nothing. */
    void SkipDependency()
    {
        std::string word = m_reader.Word("dependency of the layer");
        uint64_t value = 0;
        if (!ParseRdmaInteger(word[0] == '-' ? word.substr(1) : word, value))
        {
            m_reader.Fail("dependency " + RdmaShownText(word) +
                          ", but expected is a whole number, usually -1; does each layer have " +
                          (m_file.policy == WorkloadSimAiPolicy::HYBRID_CUSTOMIZED ? "13" : "12") +
                          " words?");
        }
    }

    uint64_t ReadNs(const std::string& what)
    {
        const uint64_t ns = m_reader.Integer(what, 0, MAX_TOTAL_NS);
        m_totalNs += 2 * ns;
        if (m_totalNs > MAX_TOTAL_NS)
        {
            m_reader.Fail("the times of all layers add up to more than " +
                          std::to_string(MAX_TOTAL_NS / 2) + " ns; are they nanoseconds?");
        }
        return ns;
    }

    void ReadLayerPolicy(WorkloadSimAiPolicy& policy)
    {
        const std::string word = m_reader.Word("policy of the layer");
        if (!ParseWorkloadSimAiPolicy(word, policy) ||
            policy == WorkloadSimAiPolicy::HYBRID_CUSTOMIZED)
        {
            m_reader.Fail("policy of a layer " + RdmaShownText(word) +
                          ", but expected is another of SimAI's, such as HYBRID_DATA_MODEL");
        }
    }

    void SetType(const std::string& word, WorkloadSimAiLayer& layer, WorkloadSimAiPass pass)
    {
        const uint64_t line = m_typeLines[static_cast<uint32_t>(pass)];
        WorkloadSimAiPart& part = layer.parts[static_cast<uint32_t>(pass)];
        const bool known =
            ReadWorkloadSimAiType(word, layer.policy, pass, m_reader.Name(), line, part);
        if (!known &&
            std::find(m_skippedTypes.begin(), m_skippedTypes.end(), word) == m_skippedTypes.end())
        {
            if (m_skippedTypes.size() < MAX_WARNINGS)
            {
                m_skippedTypes.push_back(word);
            }
            Warn(line,
                 "communication type " + RdmaShownText(word) +
                     " is not simulated, here and below, as in SimAI");
        }
    }

    /** Completes the header from the options, and checks that nothing needed is missing. */
    void TakeOptions()
    {
        const bool parallel =
            std::any_of(m_file.layers.begin(), m_file.layers.end(), [](const auto& layer) {
                return WorkloadSimAiHasParallelism(layer.policy);
            });
        std::vector<std::string> missing;
        for (const HeaderValue& value : HEADER_VALUES)
        {
            const uint32_t given = m_options.*value.inOptions;
            uint32_t& held = m_file.*value.inFile;
            if (given != 0 && held != 0 && given != held)
            {
                FailHeader(std::string(value.name) + " is " + std::to_string(held) + " here, but " +
                           std::to_string(given) + " was asked for; change one");
            }
            if (given != 0 && !parallel)
            {
                FailHeader(std::string(value.name) +
                           " was asked for, but has no effect with policy " +
                           WorkloadSimAiPolicyName(m_file.policy) + "; leave it out");
            }
            held = held == 0 ? given : held;
            if (held == 0 && parallel)
            {
                missing.emplace_back(value.name);
            }
        }
        if (!missing.empty())
        {
            FailHeader("the header lacks (or has 0 for) " + RdmaListText(missing) +
                       "; add them, or give them as options (1 for no parallelism)");
        }
    }

    void MarkCheckpoints()
    {
        Mark(m_checkpoints, "checkpoints:", &WorkloadSimAiLayer::checkpoint);
        Mark(m_initiates, "checkpoint_initiates:", &WorkloadSimAiLayer::initiates);
        size_t from = m_file.layers.size(); // nearest checkpoint, if there is one
        uint64_t since = 0;                 // forward computation from there on, ns
        uint64_t again = 0;                 // layers recomputed
        for (size_t i = 0; i < m_file.layers.size(); ++i)
        {
            const WorkloadSimAiLayer& layer = m_file.layers[i];
            if (layer.checkpoint)
            {
                from = i;
                since = 0;
            }
            if (layer.initiates)
            {
                if (from > i)
                {
                    FailHeader("checkpoint_initiates: layer " + std::to_string(i) +
                               ", but no checkpoint is at or before it; list one");
                }
                again += i - from;
                m_totalNs += since;
                if (again > MAX_LAYERS || m_totalNs > MAX_TOTAL_NS)
                {
                    FailHeader("the checkpoints lead to too much recomputation; list more of them");
                }
            }
            since += layer.Part(WorkloadSimAiPass::FWD).computeNs;
        }
    }

    [[noreturn]] void FailHeader(const std::string& message) const
    {
        throw RdmaInputError(m_reader.Name(), m_headerLine, message);
    }

    void Mark(const std::vector<uint64_t>& indices,
              const std::string& key,
              bool WorkloadSimAiLayer::*flag)
    {
        if (!indices.empty() &&
            m_file.policy != WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD)
        {
            Warn(m_headerLine,
                 key + " has no effect with policy " + WorkloadSimAiPolicyName(m_file.policy));
            return;
        }
        for (uint64_t index : indices)
        {
            if (index >= m_file.layers.size())
            {
                FailHeader(key + " layer " + std::to_string(index) + ", but the last one is " +
                           std::to_string(m_file.layers.size() - 1));
            }
            m_file.layers[index].*flag = true;
        }
    }

    RdmaTextReader m_reader;
    const WorkloadSimAiOptions& m_options;
    WorkloadSimAiFile m_file;
    uint64_t m_headerLine{1};
    uint64_t m_totalNs{0};
    uint64_t m_typeLines[WORKLOAD_SIMAI_PASSES]{}; //!< of the layer being read
    std::vector<uint64_t> m_checkpoints;
    std::vector<uint64_t> m_initiates;
    std::vector<std::string> m_skippedTypes; //!< warned of
};

} // namespace

WorkloadSimAiFile
ReadWorkloadSimAi(std::istream& in, const std::string& name, const WorkloadSimAiOptions& options)
{
    return SimAiReader(in, name, options).Read();
}

WorkloadSimAiFile
ReadWorkloadSimAi(const std::string& file, const WorkloadSimAiOptions& options)
{
    std::ifstream in(file);
    if (!in)
    {
        throw RdmaInputError(file, 0, "cannot be opened; check the path");
    }
    return ReadWorkloadSimAi(in, file, options);
}

} // namespace ns3
