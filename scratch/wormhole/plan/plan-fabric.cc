/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-classes.h"
#include "plan-parts.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/rdma-switch.h"
#include "ns3/string.h"

#include <algorithm>
#include <vector>

// What is between hosts besides the control: loss recovery, the choice of ways, flow control of
// links, and classes.

namespace wormhole
{

using ns3::InputError;

namespace
{

/** \return whether hosts go back to the start of a chunk after a loss: the last that was said */
bool
GoesBackToZero(const RunOptions& options, const RunPlan& plan)
{
    const std::string name = "ns3::RdmaHost::BackToZero=";
    ns3::BooleanValue value(plan.config && plan.config->l2BackToZero);
    for (const std::string& setting : options.settings)
    {
        if (setting.compare(0, name.size(), name) == 0)
        {
            // what is no Boolean is rejected with all settings
            value.DeserializeFromString(setting.substr(name.size()), ns3::MakeBooleanChecker());
        }
    }
    return value.Get();
}

/** IRN limits what is in flight to a bandwidth-delay product (Mittal et al., SIGCOMM 2018, section
 * 3.2), whatever the control does. */
void
PlanRecovery(const RunOptions& options, RunPlan& plan)
{
    if (options.recovery.empty())
    {
        return;
    }
    plan.helper.SetHostAttribute("Recovery", ns3::StringValue(options.recovery));
    if (options.recovery == "irn" && GoesBackToZero(options, plan))
    {
        throw InputError("--recovery irn does not go back, but ns3::RdmaHost::BackToZero "
                         "(L2_BACK_TO_ZERO) says where to; leave one of them out");
    }
    if (options.recovery == "irn" && options.window.empty() && !plan.flowOptions.window)
    {
        plan.flowOptions.window = true;
        plan.flowOptions.largest = true;
        plan.flowOptions.windowOfClass.clear();
    }
}

/** \return the attribute Routing of switches for --routing; "router" for a class of the user's */
std::string
SwitchRouting(const std::string& routing)
{
    const std::vector<std::string>
        kinds{"ecmp", "spray", "flowlet", "adaptive", "entropy", "valiant", "ugal"};
    if (routing == "reps")
    {
        return "entropy";
    }
    if (std::find(kinds.begin(), kinds.end(), routing) != kinds.end())
    {
        return routing;
    }
    std::vector<std::string> known = ns3::RdmaHelper::ListRouters();
    if (std::find(known.begin(), known.end(), routing) == known.end())
    {
        known.insert(known.begin(), kinds.begin(), kinds.end());
        known.emplace_back("reps");
        throw InputError("--routing " + ns3::ShownText(routing) + ": no such choice of ways" +
                         ns3::KnownNamesText(routing, known));
    }
    return "router";
}

/** The telemetry of some controls tells one way from another by the order of ports alone. */
void
RejectTelemetry(const RunOptions& options, const RunPlan& plan)
{
    std::vector<ns3::Ptr<ns3::RdmaCongestionControl>> controls{
        plan.helper.CreateCongestionControl()};
    for (const auto& [priority, name] : plan.classControls)
    {
        controls.push_back(plan.helper.CreateClassControl(priority));
    }
    for (const auto& control : controls)
    {
        if (control && control->GetTelemetry() == ns3::RdmaTelemetry::INT)
        {
            throw InputError("--routing " + options.routing +
                             ": packets of a flow take several ways, whose telemetry " +
                             control->GetInstanceTypeId().GetName() +
                             " cannot tell apart; choose another --cc, such as dcqcn or swift");
        }
    }
}

void
PlanRouting(const RunOptions& options, RunPlan& plan)
{
    if (options.routing.empty())
    {
        return;
    }
    const std::string routing = SwitchRouting(options.routing);
    if (routing == "router")
    {
        plan.helper.SetRouter(options.routing);
    }
    else
    {
        plan.helper.SetSwitchAttribute("Routing", ns3::StringValue(routing));
    }
    if (routing == "ecmp")
    {
        return;
    }
    if (options.routing == "reps")
    {
        plan.helper.SetHostAttribute("Entropy", ns3::StringValue(options.routing));
    }
    if (options.links)
    {
        throw InputError("--routing " + options.routing +
                         ": packets of a flow take several ways, but --links counts its bytes on "
                         "one; leave it out");
    }
    RejectTelemetry(options, plan);
    if (routing != "router" && routing != "flowlet" && options.recovery != "irn")
    {
        plan.warnings.push_back(
            "--routing " + options.routing +
            ": packets of a flow may overtake each other, which go-back-N takes "
            "for losses; choose --recovery irn");
    }
}

void
PlanFlowControl(const RunOptions& options, RunPlan& plan)
{
    if (!options.flowControl.empty())
    {
        plan.helper.SetNetworkAttribute("FlowControl", ns3::StringValue(options.flowControl));
    }
}

/** An attribute that has no effect unless something was chosen. */
struct Conditional
{
    const char* attribute;
    bool effective;
    const char* remedy;
};

void
RejectIdleSettings(const RunOptions& options)
{
    const bool credits = options.flowControl == "credits";
    const bool reps = options.routing == "reps";
    const bool flowlet = options.routing == "flowlet";
    const bool irn = options.recovery == "irn";
    const std::vector<Conditional> conditionals{
        {"ns3::RdmaNetwork::CreditBuffer", credits, "without --flow-control credits"},
        {"ns3::RdmaNetwork::CreditUpdate", credits, "without --flow-control credits"},
        {"ns3::RdmaHost::EntropyValues",
         reps || options.routing == "entropy",
         "without --routing entropy or reps"},
        {"ns3::RdmaHost::RepsFreezing", reps, "without --routing reps"},
        {"ns3::RdmaSwitch::FlowletGap", flowlet, "without --routing flowlet"},
        {"ns3::RdmaSwitch::FlowletEntries", flowlet, "without --routing flowlet"},
        {"ns3::RdmaHost::NackThreshold", irn, "without --recovery irn"},
        {"ns3::RdmaHost::RtoLow", irn, "without --recovery irn"},
        {"ns3::RdmaHost::RtoHigh", irn, "without --recovery irn"},
        {"ns3::RdmaHost::RtoLowPackets", irn, "without --recovery irn"},
        {"ns3::RdmaHost::NackInterval", !irn, "with --recovery irn"},
        {"ns3::RdmaHost::RetransmissionTimeout", !irn, "with --recovery irn"},
        {"ns3::RdmaSwitch::BufferSize", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::Reserve", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::ResumeOffset", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::ThresholdShift", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::HeadroomFactor", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::PauseTime", !credits, "with --flow-control credits"},
        {"ns3::RdmaSwitch::Pfc", !credits, "with --flow-control credits"},
    };
    for (const std::string& setting : options.settings)
    {
        for (const Conditional& conditional : conditionals)
        {
            if (!conditional.effective &&
                setting.compare(0, setting.find('='), conditional.attribute) == 0)
            {
                throw InputError("--set " + ns3::ShownText(setting) + ": no effect " +
                                 conditional.remedy);
            }
        }
    }
}

} // namespace

void
PlanFabric(const RunOptions& options, RunPlan& plan)
{
    RejectIdleSettings(options);
    PlanClasses(options, plan);
    PlanRecovery(options, plan);
    PlanRouting(options, plan);
    PlanFlowControl(options, plan);
}

} // namespace wormhole
