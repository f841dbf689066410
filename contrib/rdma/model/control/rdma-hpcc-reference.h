/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_REFERENCE_H
#define RDMA_HPCC_REFERENCE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/** \ingroup rdma What bounds the steps of HPCC. Rates in bit/s. */
struct RdmaHpccSteps
{
    uint32_t maxStage; //!< additive increases in a row before a multiplicative one
    uint64_t increase; //!< added at every step (W_AI, as a rate)
    uint64_t minRate;
    uint64_t maxRate; //!< the NIC's
};

/** \ingroup rdma What HPCC and HPCC-PINT compute rates from (HPCC, SIGCOMM 2019, algorithm 1). */
struct RdmaHpccReference
{
    uint64_t rate{0};  //!< reference rate (W_c in the paper), bit/s
    uint32_t stage{0}; //!< additive increases since the last multiplicative step

    /** Takes a step (ComputeWind, lines 11 to 17). \param c utilisation of the busiest link,
     * divided by its target, above 0 \param steps bounds */
    void Step(double c, const RdmaHpccSteps& steps)
    {
        if (c >= 1 || stage >= steps.maxStage)
        {
            // a tiny c would ask for more than 64 bits hold; the line rate bounds it anyway
            const double scaled = static_cast<double>(rate) / c;
            rate = (scaled < static_cast<double>(steps.maxRate) ? static_cast<uint64_t>(scaled)
                                                                : steps.maxRate) +
                   steps.increase;
            stage = 0;
        }
        else
        {
            rate += steps.increase;
            ++stage;
        }
        rate = std::min(std::max(rate, steps.minRate), steps.maxRate);
    }
};

} // namespace ns3

#endif // RDMA_HPCC_REFERENCE_H
