/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Communicators, and the functions that make them: in the simulation, all members wait for each
 * other, and no more time passes.
 */

#include "live.h"

using namespace mpilive;

namespace
{

std::unordered_map<MPI_Comm, std::shared_ptr<Communicator>>&
All()
{
    static auto* all = new std::unordered_map<MPI_Comm, std::shared_ptr<Communicator>>;
    return *all;
}

/** \return the ranks in MPI_COMM_WORLD of a group */
std::vector<int>
RanksOf(MPI_Group group)
{
    MPI_Group world = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<size_t>(size));
    std::vector<int> ranks(own.size());
    for (int i = 0; i < size; ++i)
    {
        own[static_cast<size_t>(i)] = i;
    }
    PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
    PMPI_Group_free(&world);
    return ranks;
}

std::vector<int>
RanksOf(MPI_Comm comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    std::vector<int> ranks = RanksOf(group);
    PMPI_Group_free(&group);
    return ranks;
}

/** \return a communicator of these ranks, with the next number */
std::shared_ptr<Communicator>
NewCommunicator(const std::vector<int>& members)
{
    static uint32_t next = ns3::WORKLOAD_MPI_SELF + 1;
    auto comm = std::make_shared<Communicator>();
    comm->number = next++;
    comm->members = members;
    return comm;
}

/** Tells the simulation of a communicator. */
void
Tell(Function function, const Communicator& comm, const Communicator& parent)
{
    Process& process = Process::Get();
    process.Begin(WORMHOLE_LIVE_COMMUNICATOR,
                  function,
                  {comm.number, parent.number, comm.members.size()});
    for (const int member : comm.members)
    {
        process.Put(static_cast<uint64_t>(member));
    }
}

/** Makes a communicator of another one, once all members are there. */
template <typename Maker>
int
Make(Function function, MPI_Comm handle, MPI_Comm* made, const Maker& make)
{
    const Call call(function);
    const std::shared_ptr<Communicator> parent = Find(handle);
    Process::Get().Together(function, *parent);
    const int result = make();
    if (result == MPI_SUCCESS && *made != MPI_COMM_NULL)
    {
        const std::shared_ptr<Communicator> comm = NewCommunicator(RanksOf(*made));
        comm->handle = *made;
        All()[*made] = comm;
        Tell(function, *comm, *parent);
    }
    return result;
}

} // namespace

namespace mpilive
{

std::shared_ptr<Communicator>
Find(MPI_Comm comm)
{
    std::shared_ptr<Communicator>& known = All()[comm];
    if (!known)
    {
        if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)
        {
            PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_COMM);
            GiveUp(Function::Comm_get_parent); // of another program, or none at all
        }
        known = std::make_shared<Communicator>();
        known->number = comm == MPI_COMM_WORLD ? ns3::WORKLOAD_MPI_WORLD : ns3::WORKLOAD_MPI_SELF;
        known->handle = comm;
        known->members = RanksOf(comm);
    }
    return known;
}

} // namespace mpilive

extern "C"
{
    int MPI_Comm_free(MPI_Comm* comm)
    {
        const Call call(Function::Comm_dup);
        All().erase(*comm);
        return PMPI_Comm_free(comm);
    }

    int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made)
    {
        return Make(Function::Comm_dup, comm, made, [&] { return PMPI_Comm_dup(comm, made); });
    }

    int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made)
    {
        return Make(Function::Comm_dup_with_info, comm, made, [&] {
            return PMPI_Comm_dup_with_info(comm, info, made);
        });
    }

    int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request)
    {
        // made at once, so that there is nothing to wait for
        *request = MPI_REQUEST_NULL;
        return Make(Function::Comm_idup, comm, made, [&] { return PMPI_Comm_dup(comm, made); });
    }

    int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made)
    {
        return Make(Function::Comm_create, comm, made, [&] {
            return PMPI_Comm_create(comm, group, made);
        });
    }

    int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* out)
    {
        const Call call(Function::Comm_create_group);
        const std::vector<int> ranks = RanksOf(group);
        // those of the group alone make it: they know it before it is there
        const auto made = NewCommunicator(ranks);
        Tell(Function::Comm_create_group, *made, *Find(comm));
        Process::Get().Together(Function::Comm_create_group, *made);
        const int result = PMPI_Comm_create_group(comm, group, tag, out);
        made->handle = *out;
        All()[*out] = made;
        return result;
    }

    int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made)
    {
        return Make(Function::Comm_split, comm, made, [&] {
            return PMPI_Comm_split(comm, color, key, made);
        });
    }

    int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made)
    {
        return Make(Function::Comm_split_type, comm, made, [&] {
            return PMPI_Comm_split_type(comm, type, key, info, made);
        });
    }

    int MPI_Cart_create(MPI_Comm comm,
                        int dimensions,
                        const int sizes[],
                        const int periods[],
                        int reorder,
                        MPI_Comm* made)
    {
        return Make(Function::Cart_create, comm, made, [&] {
            return PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made);
        });
    }

    int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made)
    {
        return Make(Function::Cart_sub, comm, made, [&] {
            return PMPI_Cart_sub(comm, remain, made);
        });
    }

    int MPI_Graph_create(MPI_Comm comm,
                         int nodes,
                         const int index[],
                         const int edges[],
                         int reorder,
                         MPI_Comm* made)
    {
        return Make(Function::Graph_create, comm, made, [&] {
            return PMPI_Graph_create(comm, nodes, index, edges, reorder, made);
        });
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
        return Make(Function::Dist_graph_create, comm, made, [&] {
            return PMPI_Dist_graph_create(comm,
                                          count,
                                          sources,
                                          degrees,
                                          destinations,
                                          weights,
                                          info,
                                          reorder,
                                          made);
        });
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
        return Make(Function::Dist_graph_create_adjacent, comm, made, [&] {
            return PMPI_Dist_graph_create_adjacent(comm,
                                                   in,
                                                   sources,
                                                   sourceWeights,
                                                   out,
                                                   destinations,
                                                   destinationWeights,
                                                   info,
                                                   reorder,
                                                   made);
        });
    }

    int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm*)
    {
        const Call call(Function::Intercomm_create);
        GiveUp(Function::Intercomm_create);
    }

    int MPI_Win_create(void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*)
    {
        const Call call(Function::Win_create);
        GiveUp(Function::Win_create);
    }

    int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*)
    {
        const Call call(Function::Win_allocate);
        GiveUp(Function::Win_allocate);
    }

    int MPI_Win_allocate_shared(MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*)
    {
        const Call call(Function::Win_allocate_shared);
        GiveUp(Function::Win_allocate_shared);
    }

    int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win*)
    {
        const Call call(Function::Win_create_dynamic);
        GiveUp(Function::Win_create_dynamic);
    }

    int MPI_Comm_spawn(const char*, char**, int, MPI_Info, int, MPI_Comm, MPI_Comm*, int*)
    {
        const Call call(Function::Comm_spawn);
        GiveUp(Function::Comm_spawn);
    }

    int MPI_Comm_spawn_multiple(int,
                                char**,
                                char***,
                                const int*,
                                const MPI_Info*,
                                int,
                                MPI_Comm,
                                MPI_Comm*,
                                int*)
    {
        const Call call(Function::Comm_spawn_multiple);
        GiveUp(Function::Comm_spawn_multiple);
    }

    int MPI_Comm_accept(const char*, MPI_Info, int, MPI_Comm, MPI_Comm*)
    {
        const Call call(Function::Comm_accept);
        GiveUp(Function::Comm_accept);
    }

    int MPI_Comm_connect(const char*, MPI_Info, int, MPI_Comm, MPI_Comm*)
    {
        const Call call(Function::Comm_connect);
        GiveUp(Function::Comm_connect);
    }

    int MPI_Comm_join(int, MPI_Comm*)
    {
        const Call call(Function::Comm_join);
        GiveUp(Function::Comm_join);
    }
} // extern "C"
