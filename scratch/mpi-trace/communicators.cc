/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Communicators: their numbers in the trace, and the functions that make them.
 */

#include "recorder.h"
#include "warnings.h"
#include "world-ranks.h"

#include <unordered_map>
#include <unordered_set>

using namespace mpitrace;

namespace
{

struct Communicators
{
    std::unordered_map<MPI_Comm, uint32_t> numbers{{MPI_COMM_WORLD, ns3::WORKLOAD_MPI_WORLD},
                                                   {MPI_COMM_SELF, ns3::WORKLOAD_MPI_SELF}};
    std::unordered_set<MPI_Comm> ofTwoGroups;
    uint32_t next{ns3::WORKLOAD_MPI_SELF + 1};
    MPI_Comm lastComm{MPI_COMM_WORLD}; //!< looked up: mostly it is the next one, too
    uint32_t lastNumber{ns3::WORKLOAD_MPI_WORLD};
};

Communicators&
AllCommunicators()
{
    static auto* all = new Communicators;
    return *all;
}

/** Records a communicator that a function made of another one. */
int
DoMake(Call& call, int result, MPI_Comm parent, const MPI_Comm* comm)
{
    if (call.Records(result))
    {
        Made(call, parent, *comm);
    }
    return result;
}

/** Lets the MPI library make a communicator of another one. */
template <typename Maker>
int
Make(Function function, MPI_Comm parent, const MPI_Comm* made, const Maker& make)
{
    Call call(function);
    return DoMake(call, make(), parent, made);
}

/** Records that a program does what a trace cannot hold. */
template <typename Caller>
int
LeaveOut(Function function, const Caller& caller)
{
    Call call(function);
    if (call)
    {
        WarnOf(function, "");
        call.Begin(Kind::UNSUPPORTED, {});
    }
    return caller();
}

} // namespace

namespace mpitrace
{

uint32_t
NumberOf(const Call& call, MPI_Comm comm)
{
    Communicators& all = AllCommunicators();
    if (comm != all.lastComm)
    {
        const auto found = all.numbers.find(comm);
        all.lastComm = comm;
        all.lastNumber = found == all.numbers.end() ? UINT32_MAX : found->second;
        if (all.ofTwoGroups.count(comm) > 0)
        {
            WarnOf(call.GetFunction(), " on a communicator of two groups");
        }
    }
    return all.lastNumber;
}

void
Made(Call& call, MPI_Comm parent, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
    {
        return;
    }
    Communicators& all = AllCommunicators();
    const auto known = all.numbers.find(parent);
    const uint32_t from = known == all.numbers.end() ? UINT32_MAX : known->second;
    const uint32_t number = all.next++;
    all.numbers[comm] = number;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
    {
        all.ofTwoGroups.insert(comm);
    }
    const std::vector<int> ranks = RanksOf(comm);
    call.Begin(
        Kind::COMMUNICATOR,
        {number, from, static_cast<uint64_t>(inter ? ns3::WORKLOAD_MPI_INTER : 0), ranks.size()});
    for (const int rank : ranks)
    {
        call.Put(rank == MPI_UNDEFINED ? UINT32_MAX : static_cast<uint64_t>(rank));
    }
}

} // namespace mpitrace

#include "communicator-calls.h"

extern "C"
{
    int MPI_Comm_free(MPI_Comm* comm)
    {
        const Call call(Function::Comm_dup);
        Communicators& all = AllCommunicators();
        if (call)
        {
            all.numbers.erase(*comm);
            all.ofTwoGroups.erase(*comm);
            all.lastComm = MPI_COMM_WORLD;
            all.lastNumber = ns3::WORKLOAD_MPI_WORLD;
        }
        return PMPI_Comm_free(comm);
    }

    int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request)
    {
        const Call call(Function::Comm_idup);
        const int result = PMPI_Comm_idup(comm, made, request);
        if (call.Records(result))
        {
            MadeLater(*request, comm, made);
        }
        return result;
    }

    int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made)
    {
        Call call(Function::Comm_create_group);
        return DoMake(call, PMPI_Comm_create_group(comm, group, tag, made), comm, made);
    }

    int MPI_Intercomm_create(MPI_Comm comm,
                             int leader,
                             MPI_Comm peers,
                             int remoteLeader,
                             int tag,
                             MPI_Comm* made)
    {
        Call call(Function::Intercomm_create);
        const int result = PMPI_Intercomm_create(comm, leader, peers, remoteLeader, tag, made);
        return DoMake(call, result, comm, made);
    }

    int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made)
    {
        Call call(Function::Intercomm_merge);
        // its two groups know it under different parents, so that none is named
        return DoMake(call, PMPI_Intercomm_merge(comm, high, made), MPI_COMM_WORLD, made);
    }
} // extern "C"
