/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-header.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_GROUP = 1U << 24;

} // namespace

/** A value: its key in the file, its name among the options, and where they are stored. */
struct WorkloadSimAiHeader::Value
{
    const char* key;
    const char* name;
    uint32_t WorkloadSimAiFile::*inFile;
    uint32_t WorkloadSimAiOptions::*inOptions;
};

const WorkloadSimAiHeader::Value WorkloadSimAiHeader::VALUES[]{
    {"model_parallel_NPU_group:", "tp", &WorkloadSimAiFile::tp, &WorkloadSimAiOptions::tp},
    {"ep:", "ep", &WorkloadSimAiFile::ep, &WorkloadSimAiOptions::ep},
    {"pp:", "pp", &WorkloadSimAiFile::pp, &WorkloadSimAiOptions::pp},
    {"vpp:", "vpp", &WorkloadSimAiFile::vpp, &WorkloadSimAiOptions::vpp},
    {"ga:", "ga", &WorkloadSimAiFile::ga, &WorkloadSimAiOptions::ga},
    {"all_gpus:", "all_gpus", &WorkloadSimAiFile::allGpus, &WorkloadSimAiOptions::allGpus},
};

void
WarnOfWorkloadSimAi(WorkloadSimAiFile& file, uint64_t line, const std::string& text)
{
    if (file.warnings.size() < WORKLOAD_SIMAI_MAX_WARNINGS)
    {
        file.warnings.push_back(file.origin + ":" + std::to_string(line) + ": " + text);
    }
    else if (file.warnings.size() == WORKLOAD_SIMAI_MAX_WARNINGS)
    {
        file.warnings.push_back(file.origin + ": there are further warnings");
    }
}

WorkloadSimAiHeader::WorkloadSimAiHeader(TextReader& reader, WorkloadSimAiFile& file)
    : m_reader(reader),
      m_file(file)
{
}

void
WorkloadSimAiHeader::Read()
{
    const std::string policy = m_reader.Word("policy");
    if (!ParseWorkloadSimAiPolicy(policy, m_file.policy))
    {
        m_reader.Fail("policy " + ShownText(policy) +
                      " is not one of SimAI's; AICB writes HYBRID_TRANSFORMER_FWD_IN_BCKWD or "
                      "MICRO");
    }
    m_line = m_file.line = m_reader.Line();
    while (m_reader.MoreOnLine())
    {
        ReadWord(m_reader.Word("header"));
    }
}

void
WorkloadSimAiHeader::ReadWord(const std::string& word)
{
    for (const Value& value : VALUES)
    {
        if (word == value.key)
        {
            NeedValue(word);
            SetValue(value, uint32_t(m_reader.Integer(word, 0, MAX_GROUP)));
            return;
        }
    }
    if (word == "pp_comm" || word == "pp_comm:")
    {
        NeedValue(word);
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
        WarnOfWorkloadSimAi(m_file,
                            m_reader.Line(),
                            "header word " + ShownText(word) + " is skipped");
    }
}

void
WorkloadSimAiHeader::NeedValue(const std::string& key)
{
    if (!m_reader.MoreOnLine())
    {
        m_reader.Fail("no value after " + key + " in the header; put it on the same line");
    }
}

void
WorkloadSimAiHeader::SetValue(const Value& value, uint32_t number)
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
        WarnOfWorkloadSimAi(m_file,
                            m_reader.Line(),
                            std::string(value.key) + " has no effect with policy " +
                                WorkloadSimAiPolicyName(m_file.policy));
    }
}

/** AICB prints sizes that it has divided with a fraction: "33554432.0". */
uint64_t
WorkloadSimAiHeader::WholePart(const std::string& word)
{
    const size_t point = word.find('.');
    uint64_t value = 0;
    uint64_t fraction = 0;
    if (!ParseInteger(word.substr(0, point), value) ||
        (point != std::string::npos && !ParseInteger(word.substr(point + 1), fraction)))
    {
        m_reader.Fail("pp_comm " + ShownText(word) +
                      ", but must be a number of bytes from 0 to 2^64 - 1");
    }
    return value;
}

void
WorkloadSimAiHeader::ReadIndices(const std::string& key, std::vector<uint64_t>& indices)
{
    NeedValue(key);
    const uint64_t count = m_reader.Integer("number of " + key, 0, WORKLOAD_SIMAI_MAX_LAYERS);
    for (uint64_t i = 0; i < count; ++i)
    {
        NeedValue(key);
        indices.push_back(m_reader.Integer("layer in " + key, 0, WORKLOAD_SIMAI_MAX_LAYERS));
    }
}

void
WorkloadSimAiHeader::TakeOptions(const WorkloadSimAiOptions& options)
{
    const bool parallel =
        std::any_of(m_file.layers.begin(), m_file.layers.end(), [](const auto& layer) {
            return WorkloadSimAiHasParallelism(layer.policy);
        });
    std::vector<std::string> missing;
    for (const Value& value : VALUES)
    {
        const uint32_t given = options.*value.inOptions;
        uint32_t& held = m_file.*value.inFile;
        if (given != 0 && held != 0 && given != held)
        {
            Fail(std::string(value.name) + " is " + std::to_string(held) + " here, but " +
                 std::to_string(given) + " was asked for; change one");
        }
        if (given != 0 && !parallel)
        {
            Fail(std::string(value.name) + " was asked for, but has no effect with policy " +
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
        Fail("the header lacks (or has 0 for) " + ListText(missing) +
             "; add them, or give them as options (1 for no parallelism)");
    }
}

void
WorkloadSimAiHeader::MarkCheckpoints(uint64_t totalNs)
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
                Fail("checkpoint_initiates: layer " + std::to_string(i) +
                     ", but no checkpoint is at or before it; list one");
            }
            again += i - from;
            totalNs += since;
            if (again > WORKLOAD_SIMAI_MAX_LAYERS || totalNs > WORKLOAD_SIMAI_MAX_TOTAL_NS)
            {
                Fail("the checkpoints lead to too much recomputation; list more of them");
            }
        }
        since += layer.Part(WorkloadSimAiPass::FWD).computeNs;
    }
}

void
WorkloadSimAiHeader::Fail(const std::string& message) const
{
    throw InputError(m_reader.Name(), m_line, message);
}

void
WorkloadSimAiHeader::Mark(const std::vector<uint64_t>& indices,
                          const std::string& key,
                          bool WorkloadSimAiLayer::*flag)
{
    if (!indices.empty() && m_file.policy != WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD)
    {
        WarnOfWorkloadSimAi(m_file,
                            m_line,
                            key + " has no effect with policy " +
                                WorkloadSimAiPolicyName(m_file.policy));
        return;
    }
    for (uint64_t index : indices)
    {
        if (index >= m_file.layers.size())
        {
            Fail(key + " layer " + std::to_string(index) + ", but the last one is " +
                 std::to_string(m_file.layers.size() - 1));
        }
        m_file.layers[index].*flag = true;
    }
}

} // namespace ns3
