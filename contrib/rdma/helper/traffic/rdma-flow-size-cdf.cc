/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-size-cdf.h"

#include "ns3/input-text-reader.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

constexpr double MAX_SIZE = 9e18; // below 2^63

} // namespace

RdmaFlowSizeCdf::RdmaFlowSizeCdf(const std::string& file)
{
    std::ifstream in = OpenInput(file);
    Read(in, file);
}

RdmaFlowSizeCdf::RdmaFlowSizeCdf(std::istream& in, const std::string& name)
{
    Read(in, name);
}

void
RdmaFlowSizeCdf::Read(std::istream& in, const std::string& name)
{
    TextReader reader(in, name);
    std::string word;
    while (reader.Next(word))
    {
        if (word.front() == '#')
        {
            reader.SkipLine();
            continue;
        }
        Point point{};
        point.size = reader.ToNumber("flow size in bytes", word, 0, MAX_SIZE);
        if (!m_points.empty() && point.size < m_points.back().size)
        {
            reader.Fail("the flow size is less than the one before; sort the points by size");
        }
        point.percent = reader.ToNumber("percentage of flows",
                                        reader.Word("percentage of flows up to the size"),
                                        0,
                                        100);
        if (m_points.empty() && point.percent != 0)
        {
            reader.Fail(
                "the first percentage must be 0; begin with a line of the least size and 0");
        }
        if (!m_points.empty() && point.percent < m_points.back().percent)
        {
            reader.Fail("the percentage is less than the one before; a CDF never decreases");
        }
        m_points.push_back(point);
    }
    if (m_points.empty() || m_points.back().percent != 100)
    {
        reader.Fail(
            "the last percentage must be 100; end with a line of the greatest size and 100");
    }
    if (Mean() < 1)
    {
        reader.Fail("the mean of the sizes is below 1 byte; give larger sizes");
    }
}

double
RdmaFlowSizeCdf::Mean() const
{
    double mean = 0;
    for (size_t i = 1; i < m_points.size(); ++i)
    {
        const double fraction = (m_points[i].percent - m_points[i - 1].percent) / 100;
        mean += fraction * (m_points[i - 1].size + m_points[i].size) / 2;
    }
    return mean;
}

uint64_t
RdmaFlowSizeCdf::SizeAt(double fraction) const
{
    const double percent = std::min(std::max(fraction, 0.0), 1.0) * 100;
    const auto above =
        std::lower_bound(m_points.begin() + 1,
                         m_points.end() - 1,
                         percent,
                         [](const Point& point, double value) { return point.percent < value; });
    const Point& b = *above;
    const Point& a = *(above - 1);
    const double width = b.percent - a.percent;
    const double size =
        width > 0 ? a.size + (b.size - a.size) * (percent - a.percent) / width : b.size;
    return std::max<uint64_t>(1, static_cast<uint64_t>(size));
}

} // namespace ns3
