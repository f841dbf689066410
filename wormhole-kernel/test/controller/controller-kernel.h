/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_CONTROLLER_KERNEL_H
#define WORMHOLE_TEST_CONTROLLER_KERNEL_H

#include "simulator/fluid-simulator.h"
#include "wormhole/controller.h"

#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** The real Controller as the kernel of the toy. */
class ControllerKernel : public Kernel
{
  public:
    ControllerKernel(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options)
        : m_controller(simulator, store, options)
    {
    }

    Controller& Get()
    {
        return m_controller;
    }

    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now) override
    {
        m_controller.FlowStarted(flow, path, now);
    }

    void FlowEnded(FlowId flow, Time at) override
    {
        m_controller.FlowEnded(flow, at);
    }

    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now) override
    {
        m_controller.FlowRerouted(flow, path, now);
    }

    void PortChanged(PortId port, Time now) override
    {
        m_controller.PortChanged(port, now);
    }

    void Disturbed(FlowId flow, Time now) override
    {
        m_controller.Disturbed(flow, now);
    }

    std::optional<Time> NextAlarm() const override
    {
        return m_controller.NextAlarm();
    }

    void RunAlarms(Time now) override
    {
        m_controller.RunAlarms(now);
    }

    void Finish(Time now) override
    {
        m_controller.Finish(now);
    }

  private:
    Controller m_controller;
};

/** Runs \p scenario under a Controller.
 *  \param store may be nullptr */
inline FluidResult
RunScenario(const Scenario& scenario, const ControllerOptions& options, EpisodeStore* store)
{
    return RunScenario(scenario, [&options, store](Simulator& simulator) {
        return std::make_unique<ControllerKernel>(simulator, store, options);
    });
}

} // namespace wormhole

#endif // WORMHOLE_TEST_CONTROLLER_KERNEL_H
