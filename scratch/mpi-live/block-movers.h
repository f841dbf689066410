/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_LIVE_BLOCK_MOVERS_H
#define MPI_LIVE_BLOCK_MOVERS_H

#include "live.h"

namespace mpilive
{

// The data of collectives whose blocks differ: each member sends its own as it enters. What is
// returned receives what the others sent. Arguments are those of the MPI function.

Finish AllgathervData(const void* sent,
                      int sendCount,
                      MPI_Datatype sendType,
                      void* received,
                      const int counts[],
                      const int places[],
                      MPI_Datatype receiveType,
                      MPI_Comm comm);

Finish Reduce_scatterData(const void* sent,
                          void* received,
                          const int counts[],
                          MPI_Datatype type,
                          MPI_Op op,
                          MPI_Comm comm);

Finish AlltoallvData(const void* sent,
                     const int sendCounts[],
                     const int sendPlaces[],
                     MPI_Datatype sendType,
                     void* received,
                     const int receiveCounts[],
                     const int receivePlaces[],
                     MPI_Datatype receiveType,
                     MPI_Comm comm);

Finish AlltoallwData(const void* sent,
                     const int sendCounts[],
                     const int sendPlaces[],
                     const MPI_Datatype sendTypes[],
                     void* received,
                     const int receiveCounts[],
                     const int receivePlaces[],
                     const MPI_Datatype receiveTypes[],
                     MPI_Comm comm);

} // namespace mpilive

#endif // MPI_LIVE_BLOCK_MOVERS_H
