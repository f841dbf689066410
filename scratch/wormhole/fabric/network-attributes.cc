/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "network-attributes.h"

#include "plan/settings.h"

#include <algorithm>
#include <set>

namespace wormhole
{

namespace
{

/** \return the first node of the kind; null if there is none */
const ns3::ObjectBase*
FirstOf(ns3::RdmaNodeKind kind, const RunPlan& plan, const ns3::Ptr<ns3::RdmaNetwork>& network)
{
    const std::vector<ns3::RdmaNodeKind>& nodes = plan.topology.nodes;
    const auto node = std::find(nodes.begin(), nodes.end(), kind);
    return node == nodes.end() ? nullptr
                               : &network->GetRdmaNode(static_cast<uint32_t>(node - nodes.begin()));
}

} // namespace

std::vector<std::pair<std::string, AttributeList>>
AttributesOf(const RunPlan& plan, const ns3::Ptr<ns3::RdmaNetwork>& network)
{
    const ns3::Ptr<ns3::RdmaCongestionControl> control = plan.helper.CreateCongestionControl();
    const ns3::Ptr<ns3::RdmaEgressScheduler> scheduler = plan.helper.CreateScheduler();
    const ns3::Ptr<ns3::RdmaRouter> router = plan.helper.CreateRouter();
    std::vector<ns3::Ptr<ns3::RdmaCongestionControl>> ofClasses;
    std::vector<const ns3::ObjectBase*> objects{ns3::PeekPointer(network),
                                                FirstOf(ns3::RdmaNodeKind::HOST, plan, network),
                                                FirstOf(ns3::RdmaNodeKind::SWITCH, plan, network),
                                                ns3::PeekPointer(control),
                                                ns3::PeekPointer(scheduler),
                                                ns3::PeekPointer(router)};
    std::set<std::string> known{plan.control};
    for (const auto& [priority, name] : plan.classControls)
    {
        if (known.insert(name).second)
        {
            ofClasses.push_back(plan.helper.CreateClassControl(priority));
            objects.push_back(ns3::PeekPointer(ofClasses.back()));
        }
    }
    std::vector<std::pair<std::string, AttributeList>> attributes;
    for (const ns3::ObjectBase* object : objects)
    {
        if (object)
        {
            attributes.emplace_back(object->GetInstanceTypeId().GetName(), ListAttributes(*object));
            AttributeList& list = attributes.back().second;
            // the control is not chosen by this attribute, and stands here with its own
            list.erase(std::remove_if(list.begin(),
                                      list.end(),
                                      [](const auto& a) { return a.first == "CongestionControl"; }),
                       list.end());
        }
    }
    return attributes;
}

} // namespace wormhole
