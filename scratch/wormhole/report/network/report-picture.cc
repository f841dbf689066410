/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-picture.h"

#include "network-tiers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::RdmaNodeKind;

namespace
{

constexpr size_t MOST_DRAWN_LINKS = 600;
constexpr int NO_TIER = -100;

/** What one node of the picture stands for. */
struct Place
{
    RdmaNodeKind kind{RdmaNodeKind::HOST};
    int tier{0};
    std::vector<uint32_t> nodes; ///< of the network
    double x{0};                 ///< 0 to 1, from left to right
};

/** The links between two places. */
struct Bundle
{
    uint32_t links{0};
    double rate{0};              ///< of all, bit/s
    double bytes[2]{0, 0};       ///< up, from the first place to the second, and back
    double utilisation[2]{0, 0}; ///< of the busiest link
    double busy[2]{0, 0};        ///< likewise
};

using Ends = std::pair<uint32_t, uint32_t>; // places, by number

/** A network in the making of its picture. */
class Picture
{
  public:
    explicit Picture(const LoadedNetwork& network)
        : m_network(network),
          m_tiers(NetworkTiers(network.topology))
    {
        MakePlaces(network.topology.links.size() > MOST_DRAWN_LINKS);
        MakeBundles();
        KeepBusiest();
        Arrange();
    }

    Json ToJson() const;

  private:
    void MakePlaces(bool joinHosts);
    void MakeBundles();
    void KeepBusiest();
    void DropUnlinked();
    void Arrange();
    void ArrangeTier(int tier, int from);
    Json PlaceJson(const Place& place) const;

    const LoadedNetwork& m_network;
    const std::vector<int> m_tiers;  //!< by node
    std::vector<uint32_t> m_placeOf; //!< by node
    std::vector<Place> m_places;
    std::map<Ends, Bundle> m_bundles;
    size_t m_allBundles{0};
    bool m_joined{false};
};

/** \param joinHosts whether those at the same switches become one */
void
Picture::MakePlaces(bool joinHosts)
{
    const auto& nodes = m_network.topology.nodes;
    std::vector<std::set<uint32_t>> switches(nodes.size());
    for (const ns3::RdmaLinkSpec& link : m_network.topology.links)
    {
        switches[link.a].insert(link.b);
        switches[link.b].insert(link.a);
    }
    std::map<std::set<uint32_t>, uint32_t> joined;
    m_placeOf.resize(nodes.size());
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        uint32_t place = m_places.size();
        if (joinHosts && nodes[node] == RdmaNodeKind::HOST)
        {
            place = joined.try_emplace(switches[node], place).first->second;
        }
        if (place == m_places.size())
        {
            m_places.push_back({nodes[node], m_tiers[node], {}, 0});
        }
        m_places[place].nodes.push_back(node);
        m_placeOf[node] = place;
        m_joined |= m_places[place].nodes.size() > 1;
    }
}

void
Picture::MakeBundles()
{
    for (size_t link = 0; link < m_network.topology.links.size(); ++link)
    {
        const ns3::RdmaLinkSpec& spec = m_network.topology.links[link];
        Ends ends{m_placeOf[spec.a], m_placeOf[spec.b]};
        const bool down = m_places[ends.first].tier > m_places[ends.second].tier;
        ends = down ? Ends{ends.second, ends.first} : ends;
        Bundle& bundle = m_bundles[ends];
        ++bundle.links;
        bundle.rate += static_cast<double>(spec.rate.GetBitRate());
        for (size_t way = 0; way < 2; ++way)
        {
            const size_t directed = 2 * link + (down ? 1 - way : way);
            bundle.bytes[way] += static_cast<double>(m_network.loads[directed].bytes);
            bundle.utilisation[way] =
                std::max(bundle.utilisation[way], m_network.Utilisation(directed));
            bundle.busy[way] = std::max(bundle.busy[way], m_network.BusyUtilisation(directed));
        }
    }
    m_allBundles = m_bundles.size();
}

/** Leaves out the links that carry least, where there are too many to see anything; those of hosts
 * only if they are most of them. */
void
Picture::KeepBusiest()
{
    const auto ofHost = [this](const auto& item) { return m_places[item.first.first].tier == 0; };
    const bool hosts =
        static_cast<size_t>(std::count_if(m_bundles.begin(), m_bundles.end(), ofHost)) <=
        MOST_DRAWN_LINKS / 2;
    std::vector<std::tuple<bool, double, Ends>> order; // what is to be drawn comes first
    for (const auto& item : m_bundles)
    {
        const double busiest = std::max(item.second.utilisation[0], item.second.utilisation[1]);
        order.emplace_back(!(hosts && ofHost(item)), -busiest, item.first);
    }
    std::sort(order.begin(), order.end());
    for (size_t i = MOST_DRAWN_LINKS; i < order.size(); ++i)
    {
        m_bundles.erase(std::get<Ends>(order[i]));
    }
    DropUnlinked();
}

/** Nodes that no drawn link is at are not drawn either, unless all links are. */
void
Picture::DropUnlinked()
{
    std::vector<bool> drawn(m_places.size(), m_bundles.size() == m_allBundles);
    for (const auto& [ends, bundle] : m_bundles)
    {
        drawn[ends.first] = true;
        drawn[ends.second] = true;
    }
    std::vector<uint32_t> number(m_places.size());
    std::vector<Place> places;
    for (size_t place = 0; place < m_places.size(); ++place)
    {
        number[place] = places.size();
        if (drawn[place])
        {
            places.push_back(std::move(m_places[place]));
        }
    }
    std::map<Ends, Bundle> bundles;
    for (const auto& [ends, bundle] : m_bundles)
    {
        bundles[{number[ends.first], number[ends.second]}] = bundle;
    }
    m_places = std::move(places);
    m_bundles = std::move(bundles);
}

/** Puts the nodes of a tier in the order of those that they are linked to in another. */
void
Picture::ArrangeTier(int tier, int from)
{
    std::vector<double> sum(m_places.size(), 0);
    std::vector<double> count(m_places.size(), 0);
    for (const auto& [ends, bundle] : m_bundles)
    {
        for (const auto& [own, other] : {ends, Ends{ends.second, ends.first}})
        {
            if (m_places[own].tier == tier && m_places[other].tier == from)
            {
                sum[own] += m_places[other].x;
                count[own] += 1;
            }
        }
    }
    std::vector<std::pair<double, uint32_t>> order;
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        if (m_places[place].tier == tier)
        {
            order.emplace_back(count[place] > 0 ? sum[place] / count[place] : 1, place);
        }
    }
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i)
    {
        m_places[order[i].second].x =
            (static_cast<double>(i) + 0.5) / static_cast<double>(order.size());
    }
}

void
Picture::Arrange()
{
    int top = 0;
    for (const Place& place : m_places)
    {
        top = std::max(top, place.tier);
    }
    // By number at first. Hosts of a server have numbers in a row: they stay where NVSwitches join
    // them, and go to their leaves elsewhere.
    for (int tier = NVSWITCH_TIER; tier <= top; ++tier)
    {
        ArrangeTier(tier, NO_TIER);
    }
    const bool servers = m_network.topology.Count(RdmaNodeKind::NVSWITCH) > 0;
    if (!servers)
    {
        ArrangeTier(0, 1);
    }
    for (int tier = 1; tier <= top; ++tier)
    {
        ArrangeTier(tier, tier - 1);
    }
    ArrangeTier(NVSWITCH_TIER, 0);
}

Json
Picture::PlaceJson(const Place& place) const
{
    const char* const kind = place.kind == RdmaNodeKind::HOST     ? "host"
                             : place.kind == RdmaNodeKind::SWITCH ? "switch"
                                                                  : "nvswitch";
    return {{"kind", kind},
            {"first", place.nodes.front()},
            {"last", place.nodes.back()},
            {"count", place.nodes.size()},
            {"tier", place.tier},
            {"x", place.x}};
}

Json
Picture::ToJson() const
{
    Json nodes = Json::array();
    for (const Place& place : m_places)
    {
        nodes.push_back(PlaceJson(place));
    }
    Json links = Json::array();
    for (const auto& [ends, bundle] : m_bundles)
    {
        links.push_back({{"a", ends.first},
                         {"b", ends.second},
                         {"links", bundle.links},
                         {"rate_bps", bundle.rate},
                         {"bytes", bundle.bytes},
                         {"utilisation", bundle.utilisation},
                         {"busy_utilisation", bundle.busy}});
    }
    return {{"hosts_joined", m_joined},
            {"left_out", m_allBundles - m_bundles.size()},
            {"nodes", nodes},
            {"links", links}};
}

} // namespace

Json
PictureJson(const LoadedNetwork& network)
{
    return Picture(network).ToJson();
}

} // namespace wormhole
