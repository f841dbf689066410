/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_ASTRA_NETWORK_API_HH
#define STAND_IN_ASTRA_NETWORK_API_HH

#include <cstdint>

// Stands in for ASTRA-sim's interface of networks where ASTRA-sim is not there: its names and
// types, as commit 518bd51 has them.

namespace AstraSim
{

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
    long double time_val;
};

struct sim_request;

class AstraNetworkAPI
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

    virtual ~AstraNetworkAPI() = default;

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
    virtual void sim_schedule(timespec_t delta, void (*fun_ptr)(void* fun_arg), void* fun_arg) = 0;
    virtual timespec_t sim_get_time() = 0;

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
