/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_SCENARIO_H
#define WORMHOLE_TEST_SCENARIO_H

#include "simulator/fluid-model.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** One transfer of a scenario. */
struct ScenarioFlow
{
    std::vector<PortId> path; //!< no port twice
    Bytes size{0};
    std::uint64_t lineRate{0};    //!< bit/s
    std::int32_t startRate{1024}; //!< in 1/1024 of the line rate
    Duration tick{1'000'000};
    FluidControl control;
    bool capturable{true};            //!< its control can say what its state is
    std::optional<std::size_t> after; //!< it starts when this flow, an index, has ended...
    Duration start{0};                //!< ... and this long has passed since; else at this time
};

/** Something that happens to a network at a known time. */
struct ScenarioAction
{
    enum class Kind : std::uint8_t
    {
        Reroute,     //!< #flow takes #path; before its start: will start on it
        Kick,        //!< #flow halves its rate
        SetCapacity, //!< #port has #capacity now; 0: it fails
    };

    Time at{};
    Kind kind{Kind::Kick};
    std::size_t flow{0}; //!< index
    std::vector<PortId> path;
    PortId port;
    std::uint64_t capacity{0}; //!< bit/s
};

/** A network, and what happens in it. Flow i is FlowId{i}, port i PortId{i}. */
struct Scenario
{
    std::uint64_t seed{0};                 //!< that it was made from
    std::vector<std::uint64_t> capacities; //!< of the ports; bit/s
    Duration patience{0}; //!< a queue that takes this long to drain makes flows slow down by a
                          //!< quarter, a shorter one by proportionally less; 0: none does
    bool foretold{false}; //!< Simulator::NextDisturbance knows the actions and timed starts
    bool counted{false};  //!< Simulator::TotalEvents and RunningFlows tell
    bool arrivals{false}; //!< Simulator::Observe tells when the last bytes came
    std::vector<ScenarioFlow> flows;
    std::vector<ScenarioAction> actions;
};

/** \return a scenario of 1 to 12 ports and 1 to 20 flows; the same for the same \p seed on every
 * machine */
Scenario RandomScenario(std::uint64_t seed);

/** \return \p scenario as lines of text, to reproduce a failure from */
std::string Describe(const Scenario& scenario);

} // namespace wormhole

#endif // WORMHOLE_TEST_SCENARIO_H
