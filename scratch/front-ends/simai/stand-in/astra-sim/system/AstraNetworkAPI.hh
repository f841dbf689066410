/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SIMAI_NETWORK_API_HH
#define STAND_IN_SIMAI_NETWORK_API_HH

#include <cstdint>
#include <string>
#include <vector>

// Stands in for SimAI's interface of networks where SimAI is not there: its names and types, as
// SimAI 1.6 (commit f5efb5a9) has them.

namespace AstraSim
{

class AstraMemoryAPI;

struct sim_comm
{
    std::string comm_name;
};

enum time_type_e
{
    SE,
    MS,
    US,
    NS,
    FS
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

class AstraNetworkAPI
{
  public:
    explicit AstraNetworkAPI(int /* node */)
    {
    }

    virtual ~AstraNetworkAPI() = default;

    virtual int sim_comm_size(sim_comm comm, int* size) = 0;
    virtual int sim_finish() = 0;
    virtual double sim_time_resolution() = 0;
    virtual int sim_init(AstraMemoryAPI* memory) = 0;
    virtual timespec_t sim_get_time() = 0;
    virtual void sim_schedule(timespec_t delta, void (*fun_ptr)(void* fun_arg), void* fun_arg) = 0;
    virtual int sim_send(void* buffer,
                         uint64_t count,
                         int type,
                         int dst,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
    virtual int sim_recv(void* buffer,
                         uint64_t count,
                         int type,
                         int src,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
};

} // namespace AstraSim

#endif // STAND_IN_SIMAI_NETWORK_API_HH
