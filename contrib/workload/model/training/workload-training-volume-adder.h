/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_VOLUME_ADDER_H
#define WORKLOAD_TRAINING_VOLUME_ADDER_H

#include "workload-training-volume.h"
#include "workload-training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload \brief Adds up the collectives of one category. */
class WorkloadTrainingVolumeAdder
{
  public:
    /** \param training must outlive this \param category of the volume */
    WorkloadTrainingVolumeAdder(const WorkloadTraining& training, const char* category);

    /** Adds \p count collectives of \p n members, \p bytes (scaled) each. All of all-reduce,
     * whatever its algorithm, move 2 (n - 1) times the vector; the others n - 1 times. */
    void Add(WorkloadCollectiveKind kind, uint64_t n, uint64_t bytes, uint64_t count);

    /** Adds \p count messages. */
    void AddMessages(uint64_t bytes, uint64_t count);

    /** \return bytes of all vectors */
    std::string GetVectors() const;

    void SetFormula(const std::string& formula)
    {
        m_volume.formula = formula;
    }

    /** There are none through NVLink. */
    void ForgetMessages();

    /** Hands the result over, unless nothing was added. */
    void Finish(std::vector<WorkloadTrainingVolume>& volumes) const;

  private:
    const WorkloadTraining& m_training;
    WorkloadTrainingVolume m_volume;
    uint64_t m_vectors{0};
};

} // namespace ns3

#endif // WORKLOAD_TRAINING_VOLUME_ADDER_H
