/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_FILES_H
#define WORMHOLE_CLI_RECORD_FILES_H

#include "record-plan.h"
#include "record-thinned.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** \return a line of a CSV file, with its end */
template <typename... Fields>
std::string
CsvLine(const Fields&... fields)
{
    std::string line;
    const auto add = [&line](const auto& field) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>)
        {
            line += std::to_string(field);
        }
        else
        {
            line += field;
        }
        line += ',';
    };
    (add(fields), ...);
    line.back() = '\n';
    return line;
}

/** \return a name as a field of a CSV file: commas become semicolons, line ends spaces */
std::string CsvName(std::string name);

/** Does all \p steps, also after one has failed. \throws OutputError the first that was thrown
 */
void FinishEach(const std::vector<std::function<void()>>& steps);

/** Writes topology.txt. */
class RecordedTopology
{
  public:
    /** \throws OutputError if the file cannot be created */
    RecordedTopology(const RecordPlan& plan, const ns3::RdmaTopology& topology);

    /** Completes the file. \throws OutputError if that is impossible */
    void Finish()
    {
        m_file.Close();
    }

  private:
    ns3::LineFile m_file;
};

/** Numbers of nodes as the user knows them: of a host that stands for an NVSwitch, the switch's. */
class RecordedNodes
{
  public:
    explicit RecordedNodes(const ns3::RdmaTopology& topology);

    uint32_t operator()(uint32_t node) const;

  private:
    uint32_t m_count;
    std::vector<uint32_t> m_nvSwitches;
};

/** Which pairs of hosts are recorded in detail. */
class RecordedPairs
{
  public:
    /** \param chosen empty: those with the most bytes, of the first 256 that send */
    explicit RecordedPairs(const std::vector<RecordPair>& chosen);

    /** \return number of the pair, which one of the first may get now; nullopt if it is not
     * recorded */
    std::optional<size_t> Find(uint32_t src, uint32_t dst);

    const std::vector<RecordPair>& Get() const
    {
        return m_pairs;
    }

    /** Unless pairs were chosen: writes the 8 with the most bytes, of several the first ones.
     * \param bytes delivered, by pair */
    void KeepBusiest(const std::vector<uint64_t>& bytes);

    /** \return whether what was recorded of the pair is written */
    bool IsWritten(size_t pair) const
    {
        return m_left.count(pair) == 0;
    }

    /** \return [[src, dst], ...] of those that are written */
    nlohmann::ordered_json ToJson() const;

  private:
    std::vector<RecordPair> m_pairs;
    std::map<std::pair<uint32_t, uint32_t>, size_t> m_numbers;
    std::set<size_t> m_left; //!< out of the files
    bool m_chosen;
};

/** A flow that completed. */
struct RecordedFlow
{
    uint32_t kind{0};
    uint32_t src{0};
    uint32_t dst{0};
    uint64_t bytes{0};
    int64_t startNs{0};
    uint64_t fctNs{0};
    uint64_t standaloneNs{0};
};

/** Writes flows.csv. */
class RecordedFlows
{
  public:
    /** \throws OutputError if the file cannot be created */
    explicit RecordedFlows(const RecordPlan& plan);

    /** \param kinds names that RecordedFlow::kind refers to; without, they are those of the plan */
    void SetKinds(std::vector<std::string> kinds);

    void Add(const RecordedFlow& flow)
    {
        m_flows.Add(flow);
    }

    /** Adds what is known of them to the summary. */
    void Describe(nlohmann::ordered_json& summary) const;

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish();

  private:
    static constexpr size_t MOST = 200000;

    std::vector<std::string> m_kinds;
    RecordThinned<RecordedFlow> m_flows{0, MOST};
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_FILES_H
