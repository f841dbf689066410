/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controls.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-paced-control.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace wormhole
{

namespace
{

constexpr bool WINDOW = true;
constexpr bool NO_WINDOW = false;

// CC_MODE of HPCC's config.txt
constexpr uint32_t CC_MODE_NONE = 0;
constexpr uint32_t CC_MODE_DCQCN = 1;
constexpr uint32_t CC_MODE_HPCC = 3;
constexpr uint32_t CC_MODE_TIMELY = 7;
constexpr uint32_t CC_MODE_DCTCP = 8;
constexpr uint32_t CC_MODE_HPCC_PINT = 10;

// 300 KB at 100 Gb/s
constexpr double DCTCP_ECN_NS = 24000;

// 0.2 and 0.8 of what a link carries in 12 us, the round-trip time that NSCC is tuned for (htsim,
// main_uec.cpp: of its network's own)
constexpr double NSCC_ECN_FROM_NS = 2400;
constexpr double NSCC_ECN_ALL_NS = 9600;

const std::map<std::string, ControlChoice>&
ShortNames()
{
    static const std::map<std::string, ControlChoice> names{
        {"none", {"", NO_WINDOW, CC_MODE_NONE}},
        {"dcqcn", {"ns3::RdmaDcqcn", NO_WINDOW, CC_MODE_DCQCN}},
        {"hpcc", {"ns3::RdmaHpcc", WINDOW, CC_MODE_HPCC}},
        {"hpcc-pint", {"ns3::RdmaHpccPint", WINDOW, CC_MODE_HPCC_PINT}},
        {"timely", {"ns3::RdmaTimely", NO_WINDOW, CC_MODE_TIMELY}},
        {"dctcp", {"ns3::RdmaDctcp", WINDOW, CC_MODE_DCTCP, DCTCP_ECN_NS, DCTCP_ECN_NS}},
        // sets its own window
        {"swift", {"ns3::RdmaSwift", NO_WINDOW}},
        {"powertcp", {"ns3::RdmaPowerTcp", WINDOW}},
        // sets its own window
        {"nscc", {"ns3::RdmaNscc", NO_WINDOW, UINT32_MAX, NSCC_ECN_FROM_NS, NSCC_ECN_ALL_NS}},
    };
    return names;
}

std::vector<std::string>
KnownControls()
{
    std::vector<std::string> names;
    for (const auto& [name, choice] : ShortNames())
    {
        names.push_back(name);
    }
    const std::vector<std::string> types = ns3::RdmaHelper::ListCongestionControls();
    names.insert(names.end(), types.begin(), types.end());
    return names;
}

} // namespace

ControlChoice
FindControl(const std::string& name)
{
    std::string lower = name; // papers write HPCC and DCQCN
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const auto known = ShortNames().find(lower);
    if (known != ShortNames().end())
    {
        return known->second;
    }
    for (const auto& [shortName, choice] : ShortNames())
    {
        if (!choice.typeId.empty() && choice.typeId == name)
        {
            return choice;
        }
    }
    const std::vector<std::string> types = ns3::RdmaHelper::ListCongestionControls();
    if (std::find(types.begin(), types.end(), name) == types.end())
    {
        throw ns3::InputError("--cc " + ns3::ShownText(name) + ": no such congestion control" +
                              ns3::KnownNamesText(name, KnownControls()));
    }
    ControlChoice choice;
    choice.typeId = name;
    return choice;
}

bool
IsPaced(const std::string& typeId)
{
    if (!ns3::TypeId::LookupByName(typeId).IsChildOf(ns3::RdmaCongestionControl::GetTypeId()))
    {
        return false;
    }
    const auto control = ns3::ObjectFactory(typeId).Create<ns3::RdmaCongestionControl>();
    return dynamic_cast<const ns3::RdmaPaced*>(ns3::PeekPointer(control)) != nullptr;
}

std::optional<ns3::RdmaEcnThresholds>
EcnOf(const ControlChoice& choice, uint64_t rate)
{
    if (choice.ecnAllNs <= 0)
    {
        return std::nullopt;
    }
    const auto bytes = [rate](double ns) {
        return static_cast<uint64_t>(static_cast<double>(rate) * ns / 8e9);
    };
    return ns3::RdmaEcnThresholds{bytes(choice.ecnFromNs), bytes(choice.ecnAllNs), 1};
}

} // namespace wormhole
