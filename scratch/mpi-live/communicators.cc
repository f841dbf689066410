/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Communicators, and the functions that make them: in the simulation, all members wait for each
 * other, and no more time passes.
 */

#include "live.h"
#include "world-ranks.h"

using namespace mpilive;
using mpitrace::RanksOf;

namespace
{

std::unordered_map<MPI_Comm, std::shared_ptr<Communicator>>&
All()
{
    static auto* all = new std::unordered_map<MPI_Comm, std::shared_ptr<Communicator>>;
    return *all;
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
    if (IsCommRefused(handle))
    {
        return make();
    }
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

/** What is not simulated ends the run. */
template <typename Caller>
int
LeaveOut(Function function, const Caller&)
{
    const Call call(function);
    GiveUp(function);
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
            int size = 0;
            PMPI_Comm_size(comm, &size);       // the MPI library's error, if it is none at all
            GiveUp(Function::Comm_get_parent); // of another program
        }
        known = std::make_shared<Communicator>();
        known->number = comm == MPI_COMM_WORLD ? ns3::WORKLOAD_MPI_WORLD : ns3::WORKLOAD_MPI_SELF;
        known->handle = comm;
        known->members = RanksOf(comm);
    }
    return known;
}

} // namespace mpilive

#include "communicator-calls.h"

extern "C"
{
    int MPI_Comm_free(MPI_Comm* comm)
    {
        const Call call(Function::Comm_dup);
        All().erase(*comm);
        return PMPI_Comm_free(comm);
    }

    int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request)
    {
        // made at once, so that there is nothing to wait for
        *request = MPI_REQUEST_NULL;
        return Make(Function::Comm_idup, comm, made, [&] { return PMPI_Comm_dup(comm, made); });
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

    int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm*)
    {
        const Call call(Function::Intercomm_create);
        GiveUp(Function::Intercomm_create);
    }
} // extern "C"
