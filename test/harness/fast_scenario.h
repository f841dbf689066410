/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_FAST_SCENARIO_H
#define HARNESS_FAST_SCENARIO_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace harness
{

/** A small network and what happens in it, to be run with and without fast-forward. */
struct FastScenario
{
    struct Flow
    {
        uint32_t src{0};
        uint32_t dst{0};
        uint64_t bytes{0};
        int64_t startNs{0};
        /** Starts startNs after this earlier flow is delivered; -1: at startNs. */
        int32_t after{-1};
        uint16_t sourcePort{0}; //!< 0: counted
    };

    struct Failure
    {
        uint32_t link{0};
        int64_t downNs{0};
        int64_t upNs{0}; //!< 0: never
    };

    std::string topology;    //!< a generator's specification
    std::string control;     //!< TypeId's name; empty for none
    double errorRate{0};     //!< of all links
    uint64_t bufferBytes{0}; //!< of switches; 0 for the default
    uint64_t seed{1};
    bool window{true}; //!< in flight at most a bandwidth-delay product
    std::vector<Flow> flows;
    std::vector<Failure> failures;
};

/** What became of a scenario. */
struct FastOutcome
{
    struct Flow
    {
        bool completed{false};
        int64_t startNs{-1};
        int64_t deliveredNs{-1};
        int64_t endNs{-1};    //!< negative if it has not ended
        uint64_t received{0}; //!< bytes

        bool operator==(const Flow& o) const
        {
            return completed == o.completed && startNs == o.startNs &&
                   deliveredNs == o.deliveredNs && endNs == o.endNs && received == o.received;
        }
    };

    std::vector<Flow> flows; //!< as in the scenario
    /** What must never be: time that runs backwards, and the like; empty if all is well. */
    std::string faults;
    uint64_t hops{0};        //!< crossings of links that were simulated
    double skippedShare{0};  //!< of all crossings
    uint64_t found{0};       //!< episodes that were replayed
    uint64_t interrupted{0}; //!< replays whose packets had to catch up
    uint64_t skips{0};       //!< crossings that skips stand for
    uint64_t suspensions{0}; //!< of fast-forward
    uint64_t windows{0};     //!< that were run node by node
};

/** How to run: attributes of ns3::WormholeSimulatorImpl and what it derives from; empty: packet by
 * packet. */
using FastOptions = std::map<std::string, std::string>;

/** \return what happens to \p scenario within 0.4 s, after which all time-outs are over */
FastOutcome RunFastScenario(const FastScenario& scenario, const FastOptions& options);

/** \return a scenario drawn at random from \p seed: flows in waves that repeat, chains, incasts */
FastScenario DrawFastScenario(uint64_t seed);

/** \return \p scenario with each start later by 0 to 20 ns, drawn from \p seed: packet level's own
 * answer to what nobody can control */
FastScenario MoveStarts(FastScenario scenario, uint64_t seed);

/** \return \p scenario in words */
std::string ToText(const FastScenario& scenario);

/** \return the smallest scenario found, by leaving out and making smaller, that \p fails still */
FastScenario Shrink(FastScenario scenario, const std::function<bool(const FastScenario&)>& fails);

} // namespace harness

#endif // HARNESS_FAST_SCENARIO_H
