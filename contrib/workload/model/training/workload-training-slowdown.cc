/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-slowdown.h"

#include "workload-training-model.h"

#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-values.h"
#include "ns3/output-error.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

constexpr const char* COLUMNS = "kernel,channels,factor";
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

/** Reads a user's table. */
class TableReader : public InputValues
{
  public:
    explicit TableReader(const std::string& file)
        : m_file(file)
    {
    }

    Table Read()
    {
        std::ifstream in(m_file, std::ios::binary);
        if (!in)
        {
            throw InputError(m_file,
                             0,
                             "cannot be opened: " + ErrorText(errno) +
                                 "; compute.overlap.factors must be " +
                                 ListText(WorkloadTrainingSlowdownTables()) + " or a CSV file");
        }
        Table table;
        for (std::string text; std::getline(in, text);)
        {
            ++m_line;
            if (!text.empty() && text.back() == '\r')
            {
                text.pop_back();
            }
            if (m_line == 1)
            {
                if (text != COLUMNS)
                {
                    FailValue("the first line", text, COLUMNS);
                }
            }
            else if (!text.empty())
            {
                AddRow(text, table);
            }
        }
        if (in.bad() || table.empty())
        {
            throw InputError(m_file, m_line, in.bad() ? "cannot be read" : "has no rows");
        }
        return table;
    }

    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override
    {
        throw InputError(m_file,
                         m_line,
                         std::string(what) + ": " + ShownText(text) + ", but must be " + expected);
    }

  private:
    void AddRow(const std::string& text, Table& table) const
    {
        std::vector<std::string> cells;
        std::istringstream row(text);
        for (std::string cell; std::getline(row, cell, ',');)
        {
            cells.push_back(cell);
        }
        if (cells.size() != 3)
        {
            FailValue("a row", text, COLUMNS);
        }
        const std::vector<std::string> names = KernelNames();
        if (std::find(names.begin(), names.end(), cells[0]) == names.end())
        {
            FailValue("kernel", cells[0], "one of " + ListText(names));
        }
        const auto channels =
            static_cast<uint32_t>(ToInteger("channels", cells[1], 1, MOST_CHANNELS));
        const double factor = ToNumber("factor", cells[2], 1, MOST_SLOWDOWN);
        if (!table[cells[0]].emplace(channels, factor).second)
        {
            FailValue("kernel and channels", cells[0] + "," + cells[1], "given once");
        }
    }

    std::string m_file;
    uint64_t m_line{0};
};

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
    const Table rows = known == BuiltIn().end() ? TableReader(table).Read() : known->second;
    const Chooser chooser(table, rows, channels);
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

} // namespace ns3
