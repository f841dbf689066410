/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that make a communicator of another one, and those that wormhole leaves out. Who
 * includes this, once in a program, has functions
 *
 * - Make(function, comm, made, maker): maker() calls the function of the MPI library,
 * - LeaveOut(function, caller): caller() does so.
 */

#define WORMHOLE_MPI_MAKER(name, arguments, ...)                                                   \
    extern "C" int MPI_##name(__VA_ARGS__, MPI_Comm* made)                                         \
    {                                                                                              \
        return Make(Function::name, comm, made, [&] { return PMPI_##name arguments; });            \
    }
#define WORMHOLE_MPI_LEFT_OUT(name, arguments, ...)                                                \
    extern "C" int MPI_##name(__VA_ARGS__)                                                         \
    {                                                                                              \
        return LeaveOut(Function::name, [&] { return PMPI_##name arguments; });                    \
    }

WORMHOLE_MPI_MAKER(Comm_dup, (comm, made), MPI_Comm comm)
WORMHOLE_MPI_MAKER(Comm_dup_with_info, (comm, info, made), MPI_Comm comm, MPI_Info info)
WORMHOLE_MPI_MAKER(Comm_create, (comm, group, made), MPI_Comm comm, MPI_Group group)
WORMHOLE_MPI_MAKER(Comm_split, (comm, color, key, made), MPI_Comm comm, int color, int key)
WORMHOLE_MPI_MAKER(Comm_split_type,
                   (comm, type, key, info, made),
                   MPI_Comm comm,
                   int type,
                   int key,
                   MPI_Info info)
WORMHOLE_MPI_MAKER(Cart_create,
                   (comm, dimensions, sizes, periods, reorder, made),
                   MPI_Comm comm,
                   int dimensions,
                   const int sizes[],
                   const int periods[],
                   int reorder)
WORMHOLE_MPI_MAKER(Cart_sub, (comm, remain, made), MPI_Comm comm, const int remain[])
WORMHOLE_MPI_MAKER(Graph_create,
                   (comm, nodes, index, edges, reorder, made),
                   MPI_Comm comm,
                   int nodes,
                   const int index[],
                   const int edges[],
                   int reorder)
WORMHOLE_MPI_MAKER(Dist_graph_create,
                   (comm, count, sources, degrees, destinations, weights, info, reorder, made),
                   MPI_Comm comm,
                   int count,
                   const int sources[],
                   const int degrees[],
                   const int destinations[],
                   const int weights[],
                   MPI_Info info,
                   int reorder)
WORMHOLE_MPI_MAKER(
    Dist_graph_create_adjacent,
    (comm, in, sources, sourceWeights, out, destinations, outWeights, info, reorder, made),
    MPI_Comm comm,
    int in,
    const int sources[],
    const int sourceWeights[],
    int out,
    const int destinations[],
    const int outWeights[],
    MPI_Info info,
    int reorder)

WORMHOLE_MPI_LEFT_OUT(Win_create,
                      (base, size, unit, info, comm, window),
                      void* base,
                      MPI_Aint size,
                      int unit,
                      MPI_Info info,
                      MPI_Comm comm,
                      MPI_Win* window)
WORMHOLE_MPI_LEFT_OUT(Win_allocate,
                      (size, unit, info, comm, base, window),
                      MPI_Aint size,
                      int unit,
                      MPI_Info info,
                      MPI_Comm comm,
                      void* base,
                      MPI_Win* window)
WORMHOLE_MPI_LEFT_OUT(Win_allocate_shared,
                      (size, unit, info, comm, base, window),
                      MPI_Aint size,
                      int unit,
                      MPI_Info info,
                      MPI_Comm comm,
                      void* base,
                      MPI_Win* window)
WORMHOLE_MPI_LEFT_OUT(Win_create_dynamic,
                      (info, comm, window),
                      MPI_Info info,
                      MPI_Comm comm,
                      MPI_Win* window)
WORMHOLE_MPI_LEFT_OUT(Comm_spawn,
                      (command, words, most, info, root, comm, made, errors),
                      const char* command,
                      char* words[],
                      int most,
                      MPI_Info info,
                      int root,
                      MPI_Comm comm,
                      MPI_Comm* made,
                      int errors[])
WORMHOLE_MPI_LEFT_OUT(Comm_spawn_multiple,
                      (count, commands, words, most, infos, root, comm, made, errors),
                      int count,
                      char* commands[],
                      char** words[],
                      const int most[],
                      const MPI_Info infos[],
                      int root,
                      MPI_Comm comm,
                      MPI_Comm* made,
                      int errors[])
WORMHOLE_MPI_LEFT_OUT(Comm_accept,
                      (port, info, root, comm, made),
                      const char* port,
                      MPI_Info info,
                      int root,
                      MPI_Comm comm,
                      MPI_Comm* made)
WORMHOLE_MPI_LEFT_OUT(Comm_connect,
                      (port, info, root, comm, made),
                      const char* port,
                      MPI_Info info,
                      int root,
                      MPI_Comm comm,
                      MPI_Comm* made)
WORMHOLE_MPI_LEFT_OUT(Comm_join, (descriptor, made), int descriptor, MPI_Comm* made)

#undef WORMHOLE_MPI_MAKER
#undef WORMHOLE_MPI_LEFT_OUT
