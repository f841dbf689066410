/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RANKS_H
#define WORMHOLE_CLI_RANKS_H

#include "plan/run-plan.h"
#include "run-options.h"

#include "ns3/rdma-ranks.h"

#include <cstdint>

namespace wormhole
{

/** \return how many of us mpirun has started; 1 without it */
uint32_t CountRanks();

/** \return which of them this is, from 0 */
uint32_t GetRank();

/** \throws InputError if mpirun has started several of us, and \p command runs in one process only;
 * \param remedy what to do instead */
void RefuseRanks(const std::string& command, const std::string& remedy = "run it without mpirun");

/** Forgets mpirun: what this process starts from now on runs alone, and is no rank. */
void LeaveMpirun();

/** \throws InputError if ranks cannot share a run with such options */
void CheckForRanks(const RunOptions& options);

/** \throws InputError if ranks cannot share what is planned */
void CheckForRanks(const RunPlan& plan);

/** Lets all that this rank writes go nowhere: the first one writes the results. */
void DiscardOutputs(RunPlan& plan);

/** The other ranks, over MPI. */
class RanksOfMpi
{
  public:
    /** Waits until all ranks have come so far. \throws InputError if we were built without MPI */
    RanksOfMpi();

    /** \return all ranks */
    ns3::RdmaRanks& Get() const
    {
        return *m_ranks;
    }

    /** \throws InputError if another rank has other \p options, or input files that differ: each
     * would simulate a part of something else */
    void CheckThatAllAgree(const RunOptions& options, const RunPlan& plan) const;

    /** Waits until all are done. A rank that ends without it ends the others. */
    void Leave();

  private:
    void* m_library;
    ns3::RdmaRanks* m_ranks;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RANKS_H
