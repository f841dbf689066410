/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Communicators: their numbers in the trace, and the functions that make them.
 */

#include "recorder.h"

#include <unordered_map>

using namespace mpitrace;

namespace
{

struct Communicators
{
    std::unordered_map<MPI_Comm, uint32_t> numbers{{MPI_COMM_WORLD, ns3::WORKLOAD_MPI_WORLD},
                                                   {MPI_COMM_SELF, ns3::WORKLOAD_MPI_SELF}};
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

/** \return the ranks in MPI_COMM_WORLD of a communicator's own group; MPI_UNDEFINED for others */
std::vector<int>
RanksOf(MPI_Comm comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<size_t>(size));
    std::vector<int> ranks(own.size());
    for (int i = 0; i < size; ++i)
    {
        own[static_cast<size_t>(i)] = i;
    }
    PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return ranks;
}

/** Records a communicator that a function made of another one. */
int
DoMake(Call& call, int result, MPI_Comm parent, const MPI_Comm* comm)
{
    if (call)
    {
        Made(call, parent, *comm);
    }
    return result;
}

/** Records that a program does what a trace cannot hold. */
void
PutUnsupported(Call& call)
{
    if (call)
    {
        call.Begin(Kind::UNSUPPORTED, {});
    }
}

} // namespace

namespace mpitrace
{

uint32_t
NumberOf(MPI_Comm comm)
{
    Communicators& all = AllCommunicators();
    if (comm != all.lastComm)
    {
        const auto found = all.numbers.find(comm);
        all.lastComm = comm;
        all.lastNumber = found == all.numbers.end() ? UINT32_MAX : found->second;
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
    const uint32_t from = NumberOf(parent);
    Communicators& all = AllCommunicators();
    all.numbers[comm] = all.next;
    all.lastComm = comm;
    all.lastNumber = all.next++;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    const std::vector<int> ranks = RanksOf(comm);
    call.Begin(Kind::COMMUNICATOR,
               {all.lastNumber,
                from,
                static_cast<uint64_t>(inter ? ns3::WORKLOAD_MPI_INTER : 0),
                ranks.size()});
    for (const int rank : ranks)
    {
        call.Put(rank == MPI_UNDEFINED ? UINT32_MAX : static_cast<uint64_t>(rank));
    }
}

} // namespace mpitrace

extern "C"
{
    int MPI_Comm_free(MPI_Comm* comm)
    {
        const Call call(Function::Comm_dup);
        Communicators& all = AllCommunicators();
        if (call)
        {
            all.numbers.erase(*comm);
            all.lastComm = MPI_COMM_WORLD;
            all.lastNumber = ns3::WORKLOAD_MPI_WORLD;
        }
        return PMPI_Comm_free(comm);
    }

    int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made)
    {
        Call call(Function::Comm_dup);
        return DoMake(call, PMPI_Comm_dup(comm, made), comm, made);
    }

    int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made)
    {
        Call call(Function::Comm_dup_with_info);
        return DoMake(call, PMPI_Comm_dup_with_info(comm, info, made), comm, made);
    }

    int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request)
    {
        const Call call(Function::Comm_idup);
        const int result = PMPI_Comm_idup(comm, made, request);
        if (call)
        {
            MadeLater(*request, comm, made);
        }
        return result;
    }

    int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made)
    {
        Call call(Function::Comm_create);
        return DoMake(call, PMPI_Comm_create(comm, group, made), comm, made);
    }

    int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made)
    {
        Call call(Function::Comm_create_group);
        return DoMake(call, PMPI_Comm_create_group(comm, group, tag, made), comm, made);
    }

    int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made)
    {
        Call call(Function::Comm_split);
        return DoMake(call, PMPI_Comm_split(comm, color, key, made), comm, made);
    }

    int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made)
    {
        Call call(Function::Comm_split_type);
        return DoMake(call, PMPI_Comm_split_type(comm, type, key, info, made), comm, made);
    }

    int MPI_Cart_create(MPI_Comm comm,
                        int dimensions,
                        const int sizes[],
                        const int periods[],
                        int reorder,
                        MPI_Comm* made)
    {
        Call call(Function::Cart_create);
        const int result = PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made);
        return DoMake(call, result, comm, made);
    }

    int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made)
    {
        Call call(Function::Cart_sub);
        return DoMake(call, PMPI_Cart_sub(comm, remain, made), comm, made);
    }

    int MPI_Graph_create(MPI_Comm comm,
                         int nodes,
                         const int index[],
                         const int edges[],
                         int reorder,
                         MPI_Comm* made)
    {
        Call call(Function::Graph_create);
        const int result = PMPI_Graph_create(comm, nodes, index, edges, reorder, made);
        return DoMake(call, result, comm, made);
    }

    int MPI_Dist_graph_create(MPI_Comm comm,
                              int count,
                              const int sources[],
                              const int degrees[],
                              const int destinations[],
                              const int weights[],
                              MPI_Info info,
                              int reorder,
                              MPI_Comm* made)
    {
        Call call(Function::Dist_graph_create);
        const int result = PMPI_Dist_graph_create(comm,
                                                  count,
                                                  sources,
                                                  degrees,
                                                  destinations,
                                                  weights,
                                                  info,
                                                  reorder,
                                                  made);
        return DoMake(call, result, comm, made);
    }

    int MPI_Dist_graph_create_adjacent(MPI_Comm comm,
                                       int in,
                                       const int sources[],
                                       const int sourceWeights[],
                                       int out,
                                       const int destinations[],
                                       const int destinationWeights[],
                                       MPI_Info info,
                                       int reorder,
                                       MPI_Comm* made)
    {
        Call call(Function::Dist_graph_create_adjacent);
        const int result = PMPI_Dist_graph_create_adjacent(comm,
                                                           in,
                                                           sources,
                                                           sourceWeights,
                                                           out,
                                                           destinations,
                                                           destinationWeights,
                                                           info,
                                                           reorder,
                                                           made);
        return DoMake(call, result, comm, made);
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

    int MPI_Win_create(void* base,
                       MPI_Aint size,
                       int unit,
                       MPI_Info info,
                       MPI_Comm comm,
                       MPI_Win* window)
    {
        Call call(Function::Win_create);
        PutUnsupported(call);
        return PMPI_Win_create(base, size, unit, info, comm, window);
    }

    int MPI_Win_allocate(MPI_Aint size,
                         int unit,
                         MPI_Info info,
                         MPI_Comm comm,
                         void* base,
                         MPI_Win* window)
    {
        Call call(Function::Win_allocate);
        PutUnsupported(call);
        return PMPI_Win_allocate(size, unit, info, comm, base, window);
    }

    int MPI_Win_allocate_shared(MPI_Aint size,
                                int unit,
                                MPI_Info info,
                                MPI_Comm comm,
                                void* base,
                                MPI_Win* window)
    {
        Call call(Function::Win_allocate_shared);
        PutUnsupported(call);
        return PMPI_Win_allocate_shared(size, unit, info, comm, base, window);
    }

    int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window)
    {
        Call call(Function::Win_create_dynamic);
        PutUnsupported(call);
        return PMPI_Win_create_dynamic(info, comm, window);
    }

    int MPI_Comm_spawn(const char* command,
                       char* words[],
                       int most,
                       MPI_Info info,
                       int root,
                       MPI_Comm comm,
                       MPI_Comm* made,
                       int errors[])
    {
        Call call(Function::Comm_spawn);
        PutUnsupported(call);
        return PMPI_Comm_spawn(command, words, most, info, root, comm, made, errors);
    }

    int MPI_Comm_spawn_multiple(int count,
                                char* commands[],
                                char** words[],
                                const int most[],
                                const MPI_Info infos[],
                                int root,
                                MPI_Comm comm,
                                MPI_Comm* made,
                                int errors[])
    {
        Call call(Function::Comm_spawn_multiple);
        PutUnsupported(call);
        return PMPI_Comm_spawn_multiple(count,
                                        commands,
                                        words,
                                        most,
                                        infos,
                                        root,
                                        comm,
                                        made,
                                        errors);
    }

    int MPI_Comm_accept(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made)
    {
        Call call(Function::Comm_accept);
        PutUnsupported(call);
        return PMPI_Comm_accept(port, info, root, comm, made);
    }

    int MPI_Comm_connect(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made)
    {
        Call call(Function::Comm_connect);
        PutUnsupported(call);
        return PMPI_Comm_connect(port, info, root, comm, made);
    }

    int MPI_Comm_join(int descriptor, MPI_Comm* made)
    {
        Call call(Function::Comm_join);
        PutUnsupported(call);
        return PMPI_Comm_join(descriptor, made);
    }
} // extern "C"
