/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_RULES_H
#define WORKLOAD_TRAINING_RULES_H

#include "workload-training.h"

#include "ns3/input-error.h"
#include "ns3/input-json-text.h"

#include <string>

namespace ns3
{

/** \ingroup workload \brief Rules of one training job; whoever has some derives from it. */
class WorkloadTrainingRules
{
  public:
    /** \param training must outlive this \param text that it was read from, for lines; or null */
    WorkloadTrainingRules(const WorkloadTraining& training, const JsonText* text)
        : m_training(training),
          m_text(text),
          m_parallelism(training.parallelism),
          m_model(training.model)
    {
    }

  protected:
    /** \throws InputError at a place in the file */
    [[noreturn]] void Fail(const std::string& place, const std::string& message) const
    {
        throw InputError(m_training.origin,
                         m_text ? m_text->LineOf(place) : 0,
                         place + ": " + message);
    }

    static std::string Value(uint64_t value)
    {
        return std::to_string(value);
    }

    const WorkloadTraining& m_training;
    const JsonText* m_text; //!< may be null
    const WorkloadTrainingParallelism& m_parallelism;
    const WorkloadTrainingModel& m_model;
};

/** \ingroup workload Checks context parallelism, DualPipe, what is computed again, slowdowns, and
 * collectives by server. \throws InputError */
void CheckWorkloadTrainingVariants(const WorkloadTraining& training, const JsonText* text);

} // namespace ns3

#endif // WORKLOAD_TRAINING_RULES_H
