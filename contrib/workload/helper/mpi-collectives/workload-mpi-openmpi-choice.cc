/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-openmpi-choice.h"

#include "workload-mpi-openmpi-rules.h"

namespace ns3
{

namespace
{

/** \return the rules of reductions that are not commutative */
const WorkloadOpenMpiRules&
OpenMpiRulesInOrder()
{
    using Way = WorkloadOpenMpiWay;
    constexpr uint64_t KIB = 1024;
    constexpr uint64_t MIB = KIB * KIB;
    constexpr uint32_t ANY = WORKLOAD_OPEN_MPI_ANY;
    static const WorkloadOpenMpiRules rules{
        {WorkloadMpiCall::Reduce,
         {
             {4, {{8, Way::IN_ORDER}, {ANY, Way::LINEAR}}},
             {8, {{ANY, Way::LINEAR}}},
             {16,
              {{1 * KIB, Way::IN_ORDER},
               {8 * KIB, Way::LINEAR},
               {16 * KIB, Way::IN_ORDER},
               {256 * KIB, Way::LINEAR},
               {ANY, Way::IN_ORDER}}},
             {128, {{ANY, Way::IN_ORDER}}},
             {256, {{512, Way::IN_ORDER}, {1 * KIB, Way::LINEAR}, {ANY, Way::IN_ORDER}}},
             {ANY, {{ANY, Way::IN_ORDER}}},
         }},
        {WorkloadMpiCall::Allreduce,
         {
             {4, {{128 * KIB, Way::DOUBLING}, {ANY, Way::LINEAR}}},
             {8, {{ANY, Way::DOUBLING}}},
             {16, {{1 * MIB, Way::DOUBLING}, {ANY, Way::REDUCE_BROADCAST}}},
             {128, {{ANY, Way::DOUBLING}}},
             {256,
              {{128 * KIB, Way::REDUCE_BROADCAST},
               {512 * KIB, Way::DOUBLING},
               {ANY, Way::REDUCE_BROADCAST}}},
             {512,
              {{4 * KIB, Way::REDUCE_BROADCAST},
               {512 * KIB, Way::DOUBLING},
               {ANY, Way::REDUCE_BROADCAST}}},
             {ANY, {{2 * KIB, Way::REDUCE_BROADCAST}, {ANY, Way::DOUBLING}}},
         }},
        {WorkloadMpiCall::Reduce_scatter, {{ANY, {{ANY, Way::REDUCE_SCATTER}}}}},
        {WorkloadMpiCall::Reduce_scatter_block, {{ANY, {{ANY, Way::REDUCE_SCATTER}}}}},
    };
    return rules;
}

} // namespace

WorkloadOpenMpiWay
ChooseWorkloadOpenMpiWay(WorkloadMpiCall call, bool commutative, uint32_t members, uint64_t bytes)
{
    const WorkloadOpenMpiRules& rooted = WorkloadOpenMpiRootedRules();
    const WorkloadOpenMpiRules& rules = !commutative             ? OpenMpiRulesInOrder()
                                        : rooted.count(call) > 0 ? rooted
                                                                 : WorkloadOpenMpiSymmetricRules();
    // the first row, and in it the first cell, that fits; the last one does
    auto row = rules.at(call).begin();
    while (row->below != WORKLOAD_OPEN_MPI_ANY && members >= row->below)
    {
        ++row;
    }
    auto cell = row->rows.begin();
    while (cell->below != WORKLOAD_OPEN_MPI_ANY && bytes >= cell->below)
    {
        ++cell;
    }
    return cell->way;
}

} // namespace ns3
