/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-sweep.h"

#include "csv-reader.h"
#include "report-run.h"
#include "result/result-file.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace wormhole
{

namespace
{

using Columns = std::vector<std::string>;

const std::string SLOWDOWN_METRIC = "slowdown_";

/** \return names in the first line of a table */
Columns
HeaderOf(const std::string& path)
{
    std::ifstream in = OpenResultFile(path);
    std::string line;
    std::getline(in, line);
    std::istringstream names(line);
    Columns columns;
    for (std::string name; std::getline(names, name, ',');)
    {
        columns.push_back(name);
    }
    return columns;
}

/** A table of a sweep: parameters, then what it says of them. */
class CurveTable
{
  public:
    /** \param columns that follow the parameters */
    CurveTable(const std::string& path, const Columns& columns)
        : m_header(HeaderOf(path)),
          m_csv(path, m_header)
    {
        const auto own =
            std::search(m_header.begin(), m_header.end(), columns.begin(), columns.end());
        if (own == m_header.end())
        {
            throw ns3::InputError(path + ":1: has no columns from " + columns.front() + " to " +
                                  columns.back() + "; it is no table of wormhole sweep");
        }
        m_first = static_cast<size_t>(own - m_header.begin());
        const auto control = std::find(m_header.begin(), own, "cc");
        m_curve = control != own ? static_cast<size_t>(control - m_header.begin())
                                 : std::max<size_t>(m_first, 1) - 1;
    }

    bool Next()
    {
        return m_csv.Next();
    }

    /** \return the curve that the line is about, added if it is new */
    OverlayCurve& CurveIn(std::vector<OverlayCurve>& curves) const
    {
        OverlayCurve curve;
        for (size_t i = 0; i < m_first; ++i)
        {
            if (i != m_curve)
            {
                curve.scenario +=
                    (curve.scenario.empty() ? "" : " ") + m_header[i] + "=" + m_csv.Text(i);
            }
        }
        curve.name = m_first > 0 ? m_csv.Text(m_curve) : "all runs";
        const auto found = std::find_if(curves.begin(), curves.end(), [&curve](const auto& other) {
            return other.scenario == curve.scenario && other.name == curve.name;
        });
        return found != curves.end() ? *found : curves.emplace_back(curve);
    }

    const std::string& Text(size_t column) const
    {
        return m_csv.Text(m_first + column);
    }

    bool Has(size_t column) const
    {
        return m_csv.Has(m_first + column);
    }

    double Number(size_t column) const
    {
        return m_csv.Number(m_first + column);
    }

    /** \return mean and interval, from three columns on */
    OverlayValue Value(size_t column) const
    {
        const double mean = Number(column);
        if (!Has(column + 1) || !Has(column + 2))
        {
            return {mean, mean, mean};
        }
        double low = 0; // may be below 0, of what is not negative
        if (!ns3::ParseNumber(Text(column + 1), low))
        {
            m_csv.Fail("ci95_low is \"" + ns3::ShownText(Text(column + 1)) + "\", not a number");
        }
        return {mean, low, Number(column + 2)};
    }

  private:
    Columns m_header;
    CsvReader m_csv;
    size_t m_first{0}; //!< column after the parameters
    size_t m_curve{0}; //!< parameter that has a curve for each of its values
};

void
ReadBySize(const std::string& path, std::vector<OverlayCurve>& curves)
{
    enum Column : size_t
    {
        KIND,
        OVER,
        UP_TO,
        METRIC,
        RUNS,
        MEAN
    };

    CurveTable table(path,
                     {"flow_kind",
                      "bytes_over",
                      "bytes_up_to",
                      "metric",
                      "runs",
                      "mean",
                      "ci95_low",
                      "ci95_high"});
    while (table.Next())
    {
        const bool sized = table.Has(OVER) || table.Has(UP_TO);
        if (!sized || table.Text(METRIC).rfind(SLOWDOWN_METRIC, 0) != 0)
        {
            continue;
        }
        OverlayCurve& curve = table.CurveIn(curves);
        const OverlaySizes sizes{table.Has(OVER) ? table.Number(OVER) : 0,
                                 table.Has(UP_TO) ? std::optional(table.Number(UP_TO))
                                                  : std::nullopt};
        curve.runs = std::max(curve.runs, static_cast<uint64_t>(table.Number(RUNS)));
        curve.bySize[table.Text(KIND)][sizes][table.Text(METRIC).substr(SLOWDOWN_METRIC.size())] =
            table.Value(MEAN);
    }
}

void
ReadDistributions(const std::string& path, std::vector<OverlayCurve>& curves)
{
    enum Column : size_t
    {
        KIND,
        SHARE,
        FCT,
        SLOWDOWN
    };

    CurveTable table(path, {"flow_kind", "share", "fct_ns", "slowdown"});
    while (table.Next())
    {
        OverlayDistribution& points = table.CurveIn(curves).distributions[table.Text(KIND)];
        points.shares.push_back(table.Number(SHARE));
        points.fctNs.push_back(table.Number(FCT));
        if (table.Has(SLOWDOWN))
        {
            points.slowdowns.push_back(table.Number(SLOWDOWN));
        }
    }
}

void
ReadOverTime(const std::string& path, std::vector<OverlayCurve>& curves)
{
    enum Column : size_t
    {
        BEGIN,
        END,
        METRIC,
        RUNS,
        MEAN
    };

    CurveTable table(path,
                     {"begin_ns", "end_ns", "metric", "runs", "mean", "ci95_low", "ci95_high"});
    while (table.Next())
    {
        OverlayCurve& curve = table.CurveIn(curves);
        curve.runs = std::max(curve.runs, static_cast<uint64_t>(table.Number(RUNS)));
        curve.overTime[table.Text(METRIC)].push_back(
            {table.Number(BEGIN), table.Number(END), table.Value(MEAN)});
    }
}

} // namespace

std::vector<OverlayCurve>
ReadSweepCurves(const std::string& folder)
{
    std::vector<OverlayCurve> curves;
    const auto read = [&](const char* name, auto reader) {
        const std::string path = (std::filesystem::path(folder) / name).string();
        if (FileExists(path))
        {
            reader(path, curves);
        }
    };
    read(SWEEP_TABLES[0], ReadBySize);
    read(SWEEP_TABLES[1], ReadDistributions);
    read(SWEEP_TABLES[2], ReadOverTime);
    if (curves.empty())
    {
        throw ns3::InputError(folder +
                              ": the sweep has no statistics of flows or over time; run it with "
                              "--record");
    }
    return curves;
}

} // namespace wormhole
