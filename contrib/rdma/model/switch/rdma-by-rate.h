/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_BY_RATE_H
#define RDMA_BY_RATE_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief A quantity that may depend on the rate of a link.
 *
 * As text: "100KB" for all rates; "100Gbps:100KB,400Gbps:400KB" for these two alone;
 * "100KB,400Gbps:400KB" for 400 Gb/s and for all others; empty for none. A quantity is a number,
 * or bytes with a unit (ParseBytes).
 */
class RdmaByRate
{
  public:
    /**
     * \param text as above
     * \param value set to what it says
     * \return what is wrong; empty, or else \p value is as it was
     */
    static std::string Parse(const std::string& text, RdmaByRate& value);

    /** \return the quantity at \p rate (bit/s), if there is one */
    std::optional<double> At(uint64_t rate) const;

    /** \return quantities by rate, bit/s; 0 stands for all other rates */
    const std::map<uint64_t, double>& GetAll() const
    {
        return m_values;
    }

  private:
    std::map<uint64_t, double> m_values;
};

std::ostream& operator<<(std::ostream& out, const RdmaByRate& value);
std::istream& operator>>(std::istream& in, RdmaByRate& value);

ATTRIBUTE_HELPER_HEADER(RdmaByRate);

} // namespace ns3

#endif // RDMA_BY_RATE_H
