/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-file.h"

#include "workload-simai-header.h"
#include "workload-simai-type.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-text-reader.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

/** What an announced count may make us reserve: a short file must not cost memory by its count. */
constexpr uint64_t MAX_RESERVE = 4096;

/** Reads one file, from its header to its last layer. */
class SimAiReader
{
  public:
    SimAiReader(std::istream& in, const std::string& name, const WorkloadSimAiOptions& options)
        : m_reader(in, name),
          m_options(options),
          m_header(m_reader, m_file)
    {
        m_file.origin = name;
    }

    WorkloadSimAiFile Read()
    {
        m_header.Read();
        ReadLayers();
        m_header.TakeOptions(m_options);
        m_header.MarkCheckpoints(m_totalNs);
        return std::move(m_file);
    }

  private:
    void ReadLayers()
    {
        const uint64_t count = m_reader.Integer("number of layers", 1, WORKLOAD_SIMAI_MAX_LAYERS);
        const uint64_t countLine = m_reader.Line();
        m_file.layers.reserve(std::min(count, MAX_RESERVE));
        std::string name;
        while (m_reader.Next(name))
        {
            if (m_file.layers.size() == count)
            {
                WarnOfWorkloadSimAi(
                    m_file,
                    m_reader.Line(),
                    "what follows is skipped, since line " + std::to_string(countLine) +
                        " declares " + std::to_string(count) + (count == 1 ? " layer" : " layers"));
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
            WarnOfWorkloadSimAi(m_file,
                                countLine,
                                std::to_string(count) + " layers are declared, but there are " +
                                    std::to_string(m_file.layers.size()) +
                                    "; is the file complete?");
        }
    }

    void ReadLayer(const std::string& name)
    {
        WorkloadSimAiLayer layer;
        layer.name = name;
        layer.line = m_layerLine = m_reader.Line();
        layer.policy = m_file.policy;
        SkipDependency();
        std::string types[WORKLOAD_SIMAI_PASSES];
        for (uint32_t pass = 0; pass < WORKLOAD_SIMAI_PASSES; ++pass)
        {
            WorkloadSimAiPart& part = layer.parts[pass];
            part.computeNs = ReadNs("compute time");
            types[pass] = m_reader.Word("communication type");
            m_typeLines[pass] = m_reader.Line();
            part.bytes = ReadInteger("communication size", UINT64_MAX);
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
        if (!ParseInteger(word[0] == '-' ? word.substr(1) : word, value))
        {
            FailLayer("dependency " + ShownText(word) + ", but must be a whole number, usually -1");
        }
    }

    /** What is no number may be a word of the next line, for one is missing in this layer's. */
    [[noreturn]] void FailLayer(const std::string& message) const
    {
        const bool custom = m_file.policy == WorkloadSimAiPolicy::HYBRID_CUSTOMIZED;
        throw InputError(m_reader.Name(),
                         m_layerLine,
                         message + "; does each layer have " + (custom ? "13" : "12") + " words?");
    }

    uint64_t ReadInteger(const std::string& what, uint64_t max)
    {
        const std::string word = m_reader.Word(what);
        if (word.find_first_not_of("+-.0123456789") != std::string::npos)
        {
            FailLayer(what + " " + ShownText(word) + ", but must be a whole number");
        }
        return m_reader.ToInteger(what, word, 0, max);
    }

    uint64_t ReadNs(const std::string& what)
    {
        const uint64_t ns = ReadInteger(what, WORKLOAD_SIMAI_MAX_TOTAL_NS);
        m_totalNs += 2 * ns;
        if (m_totalNs > WORKLOAD_SIMAI_MAX_TOTAL_NS)
        {
            m_reader.Fail("the times of all layers add up to more than " +
                          std::to_string(WORKLOAD_SIMAI_MAX_TOTAL_NS / 2) +
                          " ns; are they nanoseconds?");
        }
        return ns;
    }

    void ReadLayerPolicy(WorkloadSimAiPolicy& policy)
    {
        const std::string word = m_reader.Word("policy of the layer");
        if (!ParseWorkloadSimAiPolicy(word, policy) ||
            policy == WorkloadSimAiPolicy::HYBRID_CUSTOMIZED)
        {
            m_reader.Fail("policy of a layer " + ShownText(word) +
                          ", but must be another of SimAI's, such as HYBRID_DATA_MODEL");
        }
    }

    void SetType(const std::string& word, WorkloadSimAiLayer& layer, WorkloadSimAiPass pass)
    {
        const uint64_t line = m_typeLines[static_cast<uint32_t>(pass)];
        WorkloadSimAiPart& part = layer.parts[static_cast<uint32_t>(pass)];
        const bool known =
            ReadWorkloadSimAiType(word, layer.policy, pass, m_reader.Name(), line, part);
        if (!known && !IsWorkloadSimAiSkippedType(word))
        {
            throw InputError(m_reader.Name(),
                             line,
                             "communication type " + ShownText(word) +
                                 ", but must be ALLREDUCE, ALLGATHER, REDUCESCATTER or "
                                 "ALLTOALL, alone or with _EP or _DP_EP, or NONE; does each "
                                 "layer have all its words?");
        }
        if (!known &&
            std::find(m_skippedTypes.begin(), m_skippedTypes.end(), word) == m_skippedTypes.end())
        {
            if (m_skippedTypes.size() < WORKLOAD_SIMAI_MAX_WARNINGS)
            {
                m_skippedTypes.push_back(word);
            }
            WarnOfWorkloadSimAi(m_file,
                                line,
                                "communication type " + ShownText(word) +
                                    " is not simulated, here and below, as in SimAI");
        }
    }

    TextReader m_reader;
    const WorkloadSimAiOptions& m_options;
    WorkloadSimAiFile m_file;
    WorkloadSimAiHeader m_header;
    uint64_t m_totalNs{0};
    uint64_t m_layerLine{0};                       //!< at which the layer being read begins
    uint64_t m_typeLines[WORKLOAD_SIMAI_PASSES]{}; //!< of the layer being read
    std::vector<std::string> m_skippedTypes;       //!< warned of
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
    std::ifstream in = OpenInput(file, "cannot be opened; check the path");
    return ReadWorkloadSimAi(in, file, options);
}

} // namespace ns3
