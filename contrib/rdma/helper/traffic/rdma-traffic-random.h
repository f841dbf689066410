/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_RANDOM_H
#define RDMA_TRAFFIC_RANDOM_H

#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Random numbers for traffic: SplitMix64 (Steele et al., OOPSLA 2014), the same on every
 * machine.
 *
 * The distributions of the standard library are not used since each library has its own.
 */
class RdmaTrafficRandom
{
  public:
    /**
     * \param seed of the traffic
     * \param stream streams of one seed are independent: one per host, so that a host's draws do not depend on others
     */
    RdmaTrafficRandom(uint64_t seed, uint64_t stream)
        : m_state(Mix(Mix(seed) + stream))
    {
    }

    /** \return 64 random bits */
    uint64_t Bits()
    {
        m_state += INCREMENT;
        return Mix(m_state);
    }

    /** \return uniform in (0, 1] */
    double Uniform()
    {
        return static_cast<double>((Bits() >> 11) + 1) * 0x1p-53;
    }

    /** \return uniform among 0 to \p count - 1; \p count is more than 0 */
    uint64_t Below(uint64_t count)
    {
        const uint64_t excess =
            (UINT64_MAX % count + 1) % count; // values that would favour the first
        uint64_t bits = Bits();
        while (bits > UINT64_MAX - excess)
        {
            bits = Bits();
        }
        return bits % count;
    }

    /** \return exponentially distributed with this mean, by inversion */
    double Exponential(double mean)
    {
        return -std::log(Uniform()) * mean;
    }

  private:
    static constexpr uint64_t INCREMENT = 0x9e3779b97f4a7c15;

    static uint64_t Mix(uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    uint64_t m_state;
};

} // namespace ns3

#endif // RDMA_TRAFFIC_RANDOM_H
