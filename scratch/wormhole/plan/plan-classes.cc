/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-classes.h"

#include "controls.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/rdma-class-scheduler.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr uint8_t WORKLOAD_CLASS = 3; //!< in which messages travel

/** What `--class` says of one. */
struct ClassRequest
{
    std::string shown;     ///< for messages
    std::string control;   ///< empty for that of --cc
    std::string scheduled; ///< "4" or "strict"; empty if neither is said
};

/** Reads what \p text, which begins with a class, says of it. */
void
ParseRequest(const std::string& text, ClassRequest& request)
{
    ns3::InputSpec spec(text);
    request.control = spec.Word("cc", "");
    const uint64_t weight = spec.Integer("weight", 1, 1, ns3::RdmaClassScheduler::MAX_WEIGHT);
    const bool hasWeight = spec.Has("weight");
    const bool strict = spec.Flag("strict", false);
    spec.Finish();
    if (strict && hasWeight)
    {
        spec.Fail("a strict class has no weight, for it goes before all others; leave one of the "
                  "two out");
    }
    request.scheduled = strict ? "strict" : hasWeight ? std::to_string(weight) : "";
    if (request.control.empty() && request.scheduled.empty())
    {
        spec.Fail("says nothing of the class; give cc=NAME, weight=N or strict=1");
    }
}

/** \return what it says of which class \throws InputError for any other \p text */
std::pair<uint8_t, ClassRequest>
ParseClass(const std::string& text)
{
    ClassRequest request;
    request.shown = "--class " + ns3::ShownText(text);
    uint64_t priority = 0;
    if (!ns3::ParseInteger(text.substr(0, text.find(':')), priority) || priority < 1 ||
        priority > 7)
    {
        throw InputError(request.shown + ": must be a class from 1 to 7 and what its flows get, "
                                         "such as 2:cc=dcqcn,weight=4");
    }
    try
    {
        ParseRequest(text, request);
    }
    catch (const InputError& error)
    {
        throw InputError(std::string("--class ") + error.what()); // begins with the class
    }
    return {static_cast<uint8_t>(priority), request};
}

/** \return the classes that flows are of */
std::set<uint8_t>
ClassesOf(const RunPlan& plan)
{
    if (!plan.IsFlowList())
    {
        return {WORKLOAD_CLASS};
    }
    std::set<uint8_t> classes;
    for (const ns3::RdmaFlowSpec& flow : plan.flows)
    {
        classes.insert(flow.priority);
    }
    return classes;
}

/** Marks that suit the control: its own, or those of switches where --cc brings others. */
void
PlanMarks(const RunOptions& options, uint8_t priority, const ControlChoice& choice, RunPlan& plan)
{
    const ControlChoice base = FindControl(options.control.empty() ? "hpcc" : options.control);
    const bool others = !plan.config && EcnOf(base, 1);
    const auto sw = ns3::CreateObject<ns3::RdmaSwitch>();
    for (const ns3::RdmaLinkSpec& link : plan.topology.links)
    {
        const uint64_t rate = link.rate.GetBitRate();
        if (const auto marks = EcnOf(choice, rate))
        {
            plan.helper.SetClassEcnThresholds(priority, rate, *marks);
        }
        else if (others)
        {
            plan.helper.SetClassEcnThresholds(priority, rate, sw->GetEcnThresholds(rate));
        }
    }
}

void
PlanControl(const RunOptions& options, uint8_t priority, const ClassRequest& request, RunPlan& plan)
{
    ControlChoice choice;
    try
    {
        choice = FindControl(request.control);
    }
    catch (const InputError& error)
    {
        throw InputError(request.shown + ": " + error.what());
    }
    plan.classControls[priority] = choice.typeId;
    plan.helper.SetClassControl(priority, choice.typeId, choice.window);
    if (options.window.empty())
    {
        plan.flowOptions.windowOfClass[priority] = choice.window;
    }
    PlanMarks(options, priority, choice, plan);
}

/** Where classes leave no flow to --cc, there is no such control. */
void
DropIdleControl(const RunOptions& options, const std::set<uint8_t>& used, RunPlan& plan)
{
    const auto isOwn = [&](uint8_t priority) { return plan.classControls.count(priority) > 0; };
    if (used.empty() || !std::all_of(used.begin(), used.end(), isOwn))
    {
        return;
    }
    if (!options.control.empty())
    {
        throw InputError("--cc " + options.control +
                         ": no effect, since --class gives the flows of all classes a control; "
                         "leave it out");
    }
    plan.control.clear();
    plan.helper.SetCongestionControl("");
}

void
PlanScheduler(const RunOptions& options, RunPlan& plan)
{
    const std::vector<std::string> known = ns3::RdmaHelper::ListSchedulers();
    if (std::find(known.begin(), known.end(), options.scheduler) == known.end())
    {
        throw InputError("--scheduler " + ns3::ShownText(options.scheduler) +
                         ": no such scheduler" + ns3::KnownNamesText(options.scheduler, known));
    }
    plan.helper.SetScheduler(options.scheduler);
}

} // namespace

void
PlanClasses(const RunOptions& options, RunPlan& plan)
{
    const std::set<uint8_t> used = ClassesOf(plan);
    std::map<uint8_t, ClassRequest> requests;
    std::string schedule;
    std::string scheduling; // the first option that asks for weights
    for (const std::string& text : options.classes)
    {
        const auto [priority, request] = ParseClass(text);
        if (!requests.emplace(priority, request).second)
        {
            throw InputError(request.shown + ": class " + std::to_string(priority) +
                             " is given twice; say all of it in one");
        }
        if (!used.count(priority))
        {
            throw InputError(request.shown + ": no effect, since no flow is of class " +
                             std::to_string(priority) +
                             (plan.IsFlowList() ? "; a priority of --traffic or of a flow file is "
                                                  "its class"
                                                : "; messages of workloads are of class 3"));
        }
        if (!request.control.empty())
        {
            PlanControl(options, priority, request, plan);
        }
        if (!request.scheduled.empty())
        {
            scheduling = scheduling.empty() ? request.shown : scheduling;
            schedule +=
                (schedule.empty() ? "" : ",") + std::to_string(priority) + ":" + request.scheduled;
        }
    }
    DropIdleControl(options, used, plan);
    if (!scheduling.empty() && !options.scheduler.empty())
    {
        throw InputError(scheduling + ": --scheduler " + options.scheduler +
                         " says what ports send; leave one of them out");
    }
    if (!scheduling.empty() && used.size() < 2)
    {
        throw InputError(scheduling + ": no effect, since all flows are of class " +
                         std::to_string(*used.begin()) + ", and share links with none");
    }
    if (!scheduling.empty())
    {
        plan.helper.SetScheduler("ns3::RdmaClassScheduler");
        plan.helper.SetAttributeOf("ns3::RdmaClassScheduler",
                                   "Classes",
                                   ns3::StringValue(schedule));
    }
    if (!options.scheduler.empty())
    {
        PlanScheduler(options, plan);
    }
}

} // namespace wormhole
