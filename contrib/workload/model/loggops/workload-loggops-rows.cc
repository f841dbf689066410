/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-rows.h"

#include "ns3/input-csv.h"

namespace ns3
{

namespace
{

constexpr uint64_t MOST_NS = 1'000'000'000'000; // 1,000 s
constexpr double MOST_NS_PER_BYTE = 1e6;

} // namespace

std::vector<WorkloadLogGopsRow>
ReadWorkloadLogGopsRows(std::istream& in, const std::string& file)
{
    InputCsvReader reader(in, file, "bytes,L,o,g,G,eager,self");
    std::vector<WorkloadLogGopsRow> rows;
    for (std::vector<std::string> cells; reader.Next(cells);)
    {
        WorkloadLogGopsRow row;
        // a first row from 1 byte on is for empty messages, too, which count as one byte
        row.bytes = rows.empty()
                        ? reader.ToInteger("bytes of the first row", cells[0], 0, 1)
                        : reader.ToInteger("bytes", cells[0], rows.back().bytes + 1, UINT64_MAX);
        row.L = reader.ToInteger("L", cells[1], 0, MOST_NS);
        row.o = reader.ToInteger("o", cells[2], 0, MOST_NS);
        row.g = reader.ToInteger("g", cells[3], 0, MOST_NS);
        row.G = reader.ToNumber("G", cells[4], 0, MOST_NS_PER_BYTE);
        row.eager =
            reader.ToInteger("eager", cells[5], 0, rows.empty() || rows.back().eager ? 1 : 0) == 1;
        row.self = reader.ToInteger("self", cells[6], 0, MOST_NS);
        rows.push_back(row);
    }
    return rows;
}

} // namespace ns3
