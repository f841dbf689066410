/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_AGREEMENT_H
#define HARNESS_AGREEMENT_H

#include <cstdint>
#include <string>

namespace harness
{

/** Expects every flow of a case to start and complete in the very nanosecond of expected.json.
 * \param windows RdmaSimulatorImpl::Windows */
void ExpectExact(const std::string& name, const std::string& control, bool windows = false);

/**
 * Expects the mean completion time under DCQCN, over the seeds 1 to \p seeds, to lie within 1 % of
 * the range of dcqcn-seeds.json.
 */
void ExpectDcqcnWithinSeeds(const std::string& name, uint64_t seeds);

} // namespace harness

#endif // HARNESS_AGREEMENT_H
