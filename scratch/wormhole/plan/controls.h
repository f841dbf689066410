/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_CONTROLS_H
#define WORMHOLE_CLI_CONTROLS_H

#include "ns3/rdma-switch.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wormhole
{

/** A congestion control, and what suits it: settings of HPCC's run.py where that knows the control.
 */
struct ControlChoice
{
    std::string typeId; ///< empty for none
    bool window{true}; ///< limit bytes in flight to a bandwidth-delay product, scaled with the rate
    uint32_t ccMode{UINT32_MAX}; ///< HPCC's number for it; UINT32_MAX if it has none
    double ecnFromNs{0};         ///< if not 0, mark none up to so many ns of the line rate,
    double ecnAllNs{0};          ///< all from so many on, and a growing share in between
};

/**
 * \param name hpcc, hpcc-pint, dcqcn, timely, dctcp, swift, powertcp, nscc, none, or a TypeId
 * \throws InputError if there is no such congestion control
 */
ControlChoice FindControl(const std::string& name);

/** \return whether objects of \p typeId are congestion controls whose course can be told without
 * packets (ns3::RdmaPaced) */
bool IsPaced(const std::string& typeId);

/** \return when egress queues of \p rate (bit/s) mark as suits the control; nullopt for the
 * switches' own rule */
std::optional<ns3::RdmaEcnThresholds> EcnOf(const ControlChoice& choice, uint64_t rate);

} // namespace wormhole

#endif // WORMHOLE_CLI_CONTROLS_H
