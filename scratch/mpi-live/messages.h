/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_LIVE_MESSAGES_H
#define MPI_LIVE_MESSAGES_H

#include "live.h"
#include "place.h"

namespace mpilive
{

using mpitrace::Place;
using Wanted = mpitrace::Envelope;
using Mode = wormhole_live_bits;
constexpr auto STANDARD = static_cast<Mode>(0);

/** \return whether the MPI library refuses to send this */
bool IsSendRefused(const Place& place, int to, int tag, MPI_Comm comm);

/** \return whether it refuses to receive this */
bool IsReceiveRefused(const Place& place, const Wanted& wanted);

/** \return whether it refuses to look for this */
bool IsProbeRefused(const Wanted& wanted);

/** Begins a request that is over at once, of MPI_PROC_NULL. */
void BeginNothing(Request& request);

/** Begins a request of the simulation. */
void BeginRequest(Request& request, Function function);

/** Sends a copy of a buffer, and says so. \param asked whether the rank will ask about its end */
void BeginSend(Request& request,
               bool asked,
               Function function,
               Mode mode,
               const void* buffer,
               int count,
               MPI_Datatype type,
               int to,
               int tag,
               MPI_Comm comm);

/** Posts a receive. */
void BeginReceive(Request& request, Function function, const Place& place, const Wanted& wanted);

/** Moves the data of a receive that is over. \return what MPI returns */
int FinishReceive(Request& request, const Place& place);

/** Puts what a receive or a probe asks for. \param bits besides */
void PutWanted(uint8_t kind,
               Function function,
               const Communicator& comm,
               const Wanted& wanted,
               unsigned bits);

} // namespace mpilive

#endif // MPI_LIVE_MESSAGES_H
