/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_NETWORK_CALLS_HH
#define STAND_IN_NETWORK_CALLS_HH

#include <cstdint>

// What the interfaces of networks of ASTRA-sim and SimAI have in common, by the names that both
// have.

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

struct sim_request;

/** \tparam Timespec times, which differ in their type of numbers */
template <typename Timespec>
class NetworkCalls
{
  public:
    virtual ~NetworkCalls() = default;

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
    virtual void sim_schedule(Timespec delta, void (*fun_ptr)(void* fun_arg), void* fun_arg) = 0;
    virtual Timespec sim_get_time() = 0;
};

} // namespace AstraSim

#endif // STAND_IN_NETWORK_CALLS_HH
