/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SIMAI_NETWORK_API_HH
#define STAND_IN_SIMAI_NETWORK_API_HH

#include "stand-in/network-calls.hh"

#include <string>

// Stands in for SimAI's interface of networks where SimAI is not there: its names and types, as
// SimAI 1.6 (commit f5efb5a9) has them.

namespace AstraSim
{

class AstraMemoryAPI;

struct sim_comm
{
    std::string comm_name;
};

struct timespec_t
{
    time_type_e time_res;
    double time_val;
};

struct ncclFlowTag
{
    int current_flow_id{-1};
    int tag_id{-1};
};

struct sim_request
{
    ncclFlowTag flowTag;
};

class AstraNetworkAPI : public NetworkCalls<timespec_t>
{
  public:
    explicit AstraNetworkAPI(int /* node */)
    {
    }

    virtual int sim_comm_size(sim_comm comm, int* size) = 0;
    virtual int sim_finish() = 0;
    virtual double sim_time_resolution() = 0;
    virtual int sim_init(AstraMemoryAPI* memory) = 0;
};

} // namespace AstraSim

#endif // STAND_IN_SIMAI_NETWORK_API_HH
