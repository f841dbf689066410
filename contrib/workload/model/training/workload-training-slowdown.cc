/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-slowdown.h"

#include "workload-training-model.h"

#include "ns3/input-csv.h"
#include "ns3/input-spec.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_CHANNELS = 1024;
constexpr double MOST_SLOWDOWN = 100;
constexpr double THOUSANDTHS = 1000;

/** Factors of one kernel, by channels. */
using Factors = std::map<uint32_t, double>;
using Table = std::map<std::string, Factors>;

/** The ranges that Echo's authors give: the same at any number of channels. */
const std::map<std::string, Table>&
BuiltIn()
{
    static const std::map<std::string, Table> tables{
        {"echo-high", {{"gemm", {{1, 1.39}}}, {"layernorm", {{1, 1.94}}}}},
        {"echo-low", {{"gemm", {{1, 1.13}}}, {"layernorm", {{1, 1.09}}}}}};
    return tables;
}

std::vector<std::string>
KernelNames()
{
    std::vector<std::string> names = WorkloadTrainingKernelNames();
    names.insert(names.begin(), {"gemm", "layernorm"});
    return names;
}

/** \return a user's table */
Table
ReadTable(std::istream& in, const std::string& file)
{
    InputCsvReader reader(in, file, "kernel,channels,factor");
    const std::vector<std::string> names = KernelNames();
    Table table;
    for (std::vector<std::string> cells; reader.Next(cells);)
    {
        if (std::find(names.begin(), names.end(), cells[0]) == names.end())
        {
            reader.FailValue("kernel", cells[0], "one of " + ListText(names));
        }
        const auto channels =
            static_cast<uint32_t>(reader.ToInteger("channels", cells[1], 1, MOST_CHANNELS));
        const double factor = reader.ToNumber("factor", cells[2], 1, MOST_SLOWDOWN);
        if (!table[cells[0]].emplace(channels, factor).second)
        {
            reader.FailValue("kernel and channels", cells[0] + "," + cells[1], "given once");
        }
    }
    return table;
}

/** What a table says for a number of channels. */
class Chooser
{
  public:
    Chooser(const std::string& name, const Table& table, uint32_t channels)
        : m_name(name),
          m_table(table),
          m_channels(channels)
    {
    }

    bool Has(const std::string& kernel) const
    {
        return m_table.count(kernel) > 0;
    }

    double Get(const std::string& kernel) const
    {
        const auto found = m_table.find(kernel);
        if (found == m_table.end())
        {
            throw InputError(m_name,
                             0,
                             "has no row for kernel " + kernel +
                                 ", which some kernel of the job needs: add one");
        }
        const auto next = found->second.upper_bound(m_channels);
        if (next == found->second.begin())
        {
            throw InputError(m_name,
                             0,
                             "has no row for kernel " + kernel + " and " +
                                 std::to_string(m_channels) +
                                 " channels (collectives.channels) or fewer: add one");
        }
        return std::prev(next)->second;
    }

  private:
    const std::string& m_name;
    const Table& m_table;
    uint32_t m_channels;
};

/** \return thousandths more, by kernel */
WorkloadTrainingSlowdowns
SlowdownsOf(const Chooser& chooser, double norms)
{
    WorkloadTrainingSlowdowns slowdowns{};
    for (size_t i = 0; i < slowdowns.size(); ++i)
    {
        const std::string& kernel = WorkloadTrainingKernelNames()[i];
        double factor = 0;
        if (chooser.Has(kernel))
        {
            factor = chooser.Get(kernel);
        }
        else
        {
            factor = norms < 1 ? (1 - norms) * chooser.Get("gemm") : 0;
            factor += norms > 0 ? norms * chooser.Get("layernorm") : 0;
        }
        slowdowns[i] = static_cast<uint32_t>(std::lround((factor - 1) * THOUSANDTHS));
    }
    return slowdowns;
}

} // namespace

const std::vector<std::string>&
WorkloadTrainingSlowdownTables()
{
    static const std::vector<std::string> names{"echo-low", "echo-high"};
    return names;
}

WorkloadTrainingSlowdowns
ReadWorkloadTrainingSlowdowns(const std::string& table, uint32_t channels, double norms)
{
    const auto known = BuiltIn().find(table);
    if (known != BuiltIn().end())
    {
        return SlowdownsOf(Chooser(table, known->second, channels), norms);
    }
    std::ifstream in = OpenInput(table,
                                 "cannot be opened; compute.overlap.factors must be " +
                                     ListText(WorkloadTrainingSlowdownTables()) + " or a CSV file");
    return ReadWorkloadTrainingSlowdowns(in, table, channels, norms);
}

WorkloadTrainingSlowdowns
ReadWorkloadTrainingSlowdowns(std::istream& in,
                              const std::string& file,
                              uint32_t channels,
                              double norms)
{
    const Table rows = ReadTable(in, file);
    return SlowdownsOf(Chooser(file, rows, channels), norms);
}

} // namespace ns3
