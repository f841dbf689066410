/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/wander-pool.h"

#include <algorithm>

namespace wormhole
{
namespace
{

/** Lags that are told apart, in units. */
constexpr std::size_t MOST_LAGS = 64;

} // namespace

void
WanderPool::Add(Duration unit, Duration lag, double product, std::size_t flows)
{
    if (m_products.empty())
    {
        m_unit = unit;
        m_products.resize(MOST_LAGS);
    }
    const auto place = static_cast<std::size_t>((lag + m_unit / 2) / m_unit);
    if (place < m_products.size())
    {
        m_products[place].sum += product;
        m_products[place].flows += static_cast<double>(flows);
    }
}

std::optional<Wander>
WanderPool::Find() const
{
    if (m_looked < m_unit * static_cast<Duration::rep>(MOST_LAGS))
    {
        return std::nullopt; // of shares on their way to where they wander
    }
    std::vector<double> means;
    for (const Products& products : m_products)
    {
        if (products.flows > 0)
        {
            means.push_back(products.sum / products.flows);
        }
        else if (!means.empty())
        {
            means.push_back(means.back()); // what is not seen to end is taken to last
        }
    }
    if (means.size() < 2)
    {
        return std::nullopt;
    }
    return WanderOf(m_unit, 2 * means.size(), means.front(), [&means](std::size_t lag) {
        return means[std::min(lag, means.size() - 1)] / means.front();
    });
}

} // namespace wormhole
