/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_HELD_RATES_H
#define WORMHOLE_HELD_RATES_H

#include "tracking/partition-record.h"

#include <vector>

namespace wormhole
{

/** \param shortness windows of samples by the length of the look: noise of the mean is larger in a
 *        short one
 *  \return whether \p rates are those that \p skip was skipped with, within \p theta and noise */
bool HaveHeld(const SkipState& skip,
              const std::vector<Rate>& rates,
              double theta,
              double shortness = 1);

/** \return whether the sum of \p rates is so far, as a part of \p theta, from that when they were
 * \p used that a longer stretch would not be closer */
bool HaveMoved(const std::vector<Rate>& rates, const std::vector<Rate>& used, double theta);

/** Something that may not matter has happened to what was skipped, or looked at, with \p skip. */
void LookAgain(SkipState& skip);

/** Those of \p rates that are the same as when they were \p used become these. */
void KeepRates(std::vector<Rate>& rates, const std::vector<Rate>& used);

/** \p found are rates in one look, and those that \p skip was skipped with in others: their mean.
 * \param least noise that is taken for granted, relative
 * \param alone noise of this look; empty if that is not known */
void AverageLooks(SkipState& skip,
                  SteadyRates& found,
                  double least,
                  const std::vector<double>& alone);

} // namespace wormhole

#endif // WORMHOLE_HELD_RATES_H
