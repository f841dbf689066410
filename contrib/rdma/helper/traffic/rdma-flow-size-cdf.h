/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_SIZE_CDF_H
#define RDMA_FLOW_SIZE_CDF_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief A distribution of flow sizes, in the format of HPCC's traffic generator.
 *
 * The text has a line per point, `SIZE PERCENT`: so many percent of the flows have at most this
 * size, in bytes. Sizes and percents do not decrease; the first percent is 0, the last 100. Between
 * points the distribution is linear. A line that begins with `#` is a remark.
 */
class RdmaFlowSizeCdf
{
  public:
    /**
     * \param file path
     * \throws InputError with file, line, value and remedy
     */
    explicit RdmaFlowSizeCdf(const std::string& file);

    /** As RdmaFlowSizeCdf(file), from a stream; \p name stands for the file in messages. */
    RdmaFlowSizeCdf(std::istream& in, const std::string& name);

    /** \return the mean size in bytes, 1 at least */
    double Mean() const;

    /**
     * \param fraction in [0, 1]
     * \return the size in whole bytes, at least 1, that this fraction of the flows does not exceed
     */
    uint64_t SizeAt(double fraction) const;

  private:
    struct Point
    {
        double size;
        double percent;
    };

    void Read(std::istream& in, const std::string& name);

    std::vector<Point> m_points;
};

} // namespace ns3

#endif // RDMA_FLOW_SIZE_CDF_H
