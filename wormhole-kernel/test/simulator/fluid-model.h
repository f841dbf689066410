/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_FLUID_MODEL_H
#define WORMHOLE_TEST_FLUID_MODEL_H

#include "wormhole/id.h"
#include "wormhole/units.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** Amounts of fluid: 10^-12 byte, so that byte/s times ps is exact. Up to 9.2 MB: what moves within
 * a tick, or waits in a queue; whole transfers are Bytes. */
using PicoBytes = std::int64_t;

constexpr PicoBytes PICOBYTES_PER_BYTE = 1'000'000'000'000;

/** Rates of the toy: whole bytes per second, so that results are the same on every machine. */
using FluidRate = std::int64_t;

/** How the rate of a flow follows its fair share. */
enum class FluidMode : std::uint8_t
{
    Exponential, //!< comes closer by the same fraction in each tick
    Drift,       //!< the same, but the last FluidControl::amplitude from below in small steps
    Oscillation, //!< follows a triangle wave around the share
    Noise,       //!< follows the share times a new random factor in each tick
};

/** A toy congestion control. Fractions are in 1/1024. */
struct FluidControl
{
    FluidMode mode{FluidMode::Exponential};
    std::int32_t gain{
        128}; //!< how much of the way to its target the rate goes in one tick; 1..1024
    std::int32_t amplitude{0}; //!< Drift: part of the share; else: of the oscillation or noise
    std::int32_t period{1};    //!< ticks; Drift: that the last part takes; Oscillation: of the wave
    std::uint64_t seed{0};     //!< Noise
};

/** \return the rate after a tick
 *  \param rate before it
 *  \param share that the flow is entitled to; 0 stops it at once
 *  \param ticks that the flow has had before */
FluidRate NextRate(const FluidControl& control,
                   FluidRate rate,
                   FluidRate share,
                   std::uint64_t ticks);

/** A flow while it is under way. Moves at a constant rate from tick to tick. */
struct FluidFlow
{
    FluidRate rate{0};
    PicoBytes moved{0};     //!< up to #since, and not delivered yet
    Time since{};           //!< when #rate began to count
    Time nextTick{};        //!< when it delivers and changes its rate
    std::uint64_t ticks{0}; //!< that it has had
    Bytes delivered{0};
    Bytes left{0};

    /** When the next thing happens by itself, and whether it is the delivery of the last byte. */
    struct Next
    {
        Time time;
        bool isEnd;
    };

    Next NextEvent() const;

    /** Moves on to \p time, at or after #since. */
    void MoveTo(Time time);

    /** What has moved is delivered, in whole bytes; the rest stays. */
    void Deliver();
};

/** A port. What flows in beyond its capacity waits in its queue. */
struct FluidPort
{
    FluidRate capacity{0}; //!< 0: failed
    FluidRate inflow{0};   //!< sum of the rates of the flows that cross it
    PicoBytes queue{0};
    Time since{}; //!< as of when #queue is

    /** Moves on to \p time, at or after #since. */
    void MoveTo(Time time);
};

/** One flow among those that share capacities. */
struct FairShare
{
    const std::vector<PortId>* path;
    FluidRate limit;    //!< it never gets more
    FluidRate share{0}; //!< the result
};

/** Progressive filling: max-min fair shares, in whole bytes per second. Does not depend on the
 * order of \p flows, nor on flows that they are not connected with. */
void ComputeFairShares(const std::vector<FluidPort>& ports, std::vector<FairShare>& flows);

/** \return \p words as a string of 8 bytes each */
std::string PackWords(std::initializer_list<std::int64_t> words);

/** \return the \p count words in \p packed; empty if it does not hold just as many */
std::vector<std::int64_t> UnpackWords(const std::string& packed, std::size_t count);

/** \return 64 bits that depend on all of \p words, the same on every machine */
std::uint64_t MixWords(std::initializer_list<std::uint64_t> words);

} // namespace wormhole

#endif // WORMHOLE_TEST_FLUID_MODEL_H
