/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_ASTRA_NETWORK_API_HH
#define STAND_IN_ASTRA_NETWORK_API_HH

#include "stand-in/network-calls.hh"

// Stands in for ASTRA-sim's interface of networks where ASTRA-sim is not there: its names and
// types, as commit 518bd51 has them.

namespace AstraSim
{

struct timespec_t
{
    time_type_e time_res;
    long double time_val;
};

class AstraNetworkAPI : public NetworkCalls<timespec_t>
{
  public:
    enum class BackendType
    {
        NotSpecified,
        Garnet,
        NS3,
        Analytical
    };

    explicit AstraNetworkAPI(int npu)
        : rank(npu)
    {
    }

    virtual BackendType get_backend_type()
    {
        return BackendType::NotSpecified;
    }

    virtual void sim_notify_finished()
    {
    }

    int rank;
};

} // namespace AstraSim

#endif // STAND_IN_ASTRA_NETWORK_API_HH
