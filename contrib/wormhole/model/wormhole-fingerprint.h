/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_FINGERPRINT_H
#define WORMHOLE_FINGERPRINT_H

#include "wormhole-options.h"
#include "wormhole/signature.h"

#include "ns3/rdma-network.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup wormhole
 * \brief Numbers that stand for all attributes of objects, and their classes.
 *
 * Of a class, and of values that one object after the other has, it keeps what ns-3 makes anew each
 * time.
 */
class WormholeAttributeReader
{
  public:
    /** \return of all attributes of \p object, and its class; a user's own included */
    uint64_t Read(const Object& object);

  private:
    struct Attribute
    {
        std::string name;
        Ptr<const AttributeAccessor> accessor;
        Ptr<const AttributeChecker> checker;
        std::optional<uint64_t> latest; //!< value, if it is a number ...
        std::string text;               //!< ... and how it is written
    };

    std::vector<Attribute>& AttributesOf(TypeId type);

    std::map<TypeId, std::vector<Attribute>> m_classes; //!< those of their parents, too
};

/**
 * \ingroup wormhole
 * \brief What an episode depends on and a conflict graph's shape does not say: attributes of
 * objects, as numbers.
 */
class WormholeFingerprint
{
  public:
    /** \return of all attributes of \p object, and its class; a user's own included */
    static uint64_t OfObject(const Object& object);

    /** \return of the settings of \p network as a whole, and of how episodes are found */
    static wormhole::Signature OfNetwork(const RdmaNetwork& network,
                                         const WormholeOptions& options);

    /** \return the class of a delay or round-trip time, in any unit; those of a class differ by
     * less than 0.1 % */
    static int32_t ClassOf(int64_t delay);

    /** \return of the control of \p qp and its parameters; 0 for none */
    uint64_t OfControl(const RdmaQueuePair& qp);

    /** \return of the host or switch at \p port, and what it does there */
    uint64_t OfPort(const RdmaPort& port);

  private:
    WormholeAttributeReader m_reader;
    std::map<Ptr<const Object>, uint64_t> m_known; //!< kept, so that no other takes their addresses
};

} // namespace ns3

#endif // WORMHOLE_FINGERPRINT_H
