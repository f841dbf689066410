/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PINT_H
#define RDMA_PINT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma What a switch remembers of an egress link for PINT. */
struct RdmaPintLink
{
    double use{0};       ///< averaged utilisation, queue included
    int64_t ns{0};       ///< when a frame with a code last began to leave
    uint64_t txBytes{0}; ///< that the port had sent before that frame
};

/**
 * \ingroup rdma
 * \brief Probabilistic in-band telemetry of utilisation (Ben Basat et al., SIGCOMM 2020, section
 * 4.3 and appendix B; numbers are those of HPCC's public simulator).
 *
 * A frame carries one code: the utilisation of the most used link so far. Code p stands for base^p
 * / 512. A number between two codes becomes one of them at random, so that it is right on average.
 */
class RdmaPint
{
  public:
    static constexpr double UNITS = 512; ///< of a utilisation of 1; no code is for less than one

    /**
     * \param base of the codes, above 1
     * \param rttNs over so many ns links average (T)
     */
    RdmaPint(double base, int64_t rttNs);

    /** \return bytes of a code on the wire, so that it can say a utilisation of 512 */
    static uint32_t GetWireBytes(double base);

    /**
     * A frame begins to leave by \p link: U = (1 - dt / T) * U + sent / (B * T) + dt * queued / (B
     * * T^2), where dt is the time since the last one, and at most T. Exact, where the paper's
     * switches take logarithms from tables.
     * \param link its memory, changed
     * \param nowNs time
     * \param txBytes that the port has sent before this frame
     * \param queueBytes that wait at the port, without this frame
     * \param rate of the link, bit/s (B)
     * \return U
     */
    double Average(RdmaPintLink& link,
                   int64_t nowNs,
                   uint64_t txBytes,
                   uint64_t queueBytes,
                   uint64_t rate) const;

    /** \return the code for \p use; no more than the largest \param draw uniform in [0, 1) */
    uint16_t Encode(double use, double draw) const;

    /** \return the utilisation that \p code stands for */
    double Decode(uint16_t code) const;

  private:
    double m_rttNs;
    std::vector<double> m_units; //!< of each code
};

} // namespace ns3

#endif // RDMA_PINT_H
