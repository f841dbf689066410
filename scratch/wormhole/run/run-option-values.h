/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_OPTION_VALUES_H
#define WORMHOLE_CLI_RUN_OPTION_VALUES_H

#include "run-options.h"

#include "ns3/nstime.h"

#include <string>

namespace wormhole
{

// Values of options of `wormhole run` that have a form of their own.

/** \return the largest simulated time that a run can have */
ns3::Time MostTime();

/** \param option "link-down" or "link-up" \param text TIME:A-B \throws InputError for any other */
ns3::RdmaLinkEvent ParseLinkEvent(const std::string& option, const std::string& text);

/** \param text PREFIX[:NODES] \throws InputError for any other */
CaptureRequest ParseCapture(const std::string& text);

/**
 * \return whether `--disturb-links` says all; false if it is not given
 * \throws InputError for anything but one and all, and if there is no `--disturb`
 */
bool AllLinksDisturbed(const boost::program_options::variables_map& values);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_OPTION_VALUES_H
