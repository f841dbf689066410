/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The functions that receive and that do both, as what MPI has in common of them: who includes
 * this, once in a program, has functions DoRecv, DoIrecv, DoSendrecv and DoSendrecvReplace.
 */

extern "C"
{
    int MPI_Recv(void* buffer,
                 int count,
                 MPI_Datatype type,
                 int from,
                 int tag,
                 MPI_Comm comm,
                 MPI_Status* status)
    {
        return DoRecv({buffer, count, type}, {from, tag, comm}, status);
    }

    int MPI_Irecv(void* buffer,
                  int count,
                  MPI_Datatype type,
                  int from,
                  int tag,
                  MPI_Comm comm,
                  MPI_Request* request)
    {
        return DoIrecv({buffer, count, type}, {from, tag, comm}, request);
    }

    int MPI_Sendrecv(const void* sent,
                     int sendCount,
                     MPI_Datatype sendType,
                     int to,
                     int sendTag,
                     void* received,
                     int receiveCount,
                     MPI_Datatype receiveType,
                     int from,
                     int receiveTag,
                     MPI_Comm comm,
                     MPI_Status* status)
    {
        return DoSendrecv({const_cast<void*>(sent), sendCount, sendType},
                          to,
                          sendTag,
                          {received, receiveCount, receiveType},
                          {from, receiveTag, comm},
                          status);
    }

    int MPI_Sendrecv_replace(void* buffer,
                             int count,
                             MPI_Datatype type,
                             int to,
                             int sendTag,
                             int from,
                             int receiveTag,
                             MPI_Comm comm,
                             MPI_Status* status)
    {
        return DoSendrecvReplace({buffer, count, type},
                                 to,
                                 sendTag,
                                 {from, receiveTag, comm},
                                 status);
    }
} // extern "C"
