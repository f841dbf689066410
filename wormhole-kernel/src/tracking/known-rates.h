/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_KNOWN_RATES_H
#define WORMHOLE_KNOWN_RATES_H

#include "tracking/flow-record.h"
#include "wormhole/partition-map.h"
#include "wormhole/signature.h"
#include "wormhole/simulator.h"

#include <optional>
#include <unordered_map>

namespace wormhole
{

/** At what rate a flow was steady. */
struct KnownRate
{
    Rate rate;
    double noise{0};    //!< as in SteadyRates
    bool proven{false}; //!< by all that samples show, or by a look after a skip
    bool rough{false};  //!< good for short flows: it may be of a transient, in part
};

/**
 * \brief Remembers the steady rates of flows that share no port with another one.
 *
 * Where such a flow comes to follows from the flow, from its ports, and from what passes there
 * besides, but not from how it began. So it need not be found out again: only whether it is there.
 */
class KnownRates
{
  public:
    /** \return what the steady rate of \p members follows from; nullopt if that is more than one
     * flow */
    static std::optional<Signature> ConditionsOf(const Simulator& simulator,
                                                 const PartitionMap& map,
                                                 const PartitionMembers& members);

    /** \return the rate under \p conditions; nullptr if it is not known */
    const KnownRate* Find(const Signature& conditions) const;

    /** The flow has become steady at \p found, or still is. */
    void Note(const Signature& conditions, const KnownRate& found);

  private:
    std::unordered_map<Signature, KnownRate> m_rates;
};

} // namespace wormhole

#endif // WORMHOLE_KNOWN_RATES_H
