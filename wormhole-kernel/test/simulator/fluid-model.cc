/*
 * SPDX-License-Identifier: MIT
 */
#include "simulator/fluid-model.h"

#include <algorithm>
#include <limits>

namespace wormhole
{

namespace
{

/** \p rate, nearer to \p target by \p gain / 1024 of the way, and by one byte/s at least, so that
 * it arrives. */
FluidRate
Approach(FluidRate rate, FluidRate target, std::int32_t gain)
{
    const FluidRate way = target - rate;
    const FluidRate step = way * gain / 1024;
    if (step != 0 || way == 0)
    {
        return rate + step;
    }
    return rate + (way > 0 ? 1 : -1);
}

/** A triangle wave of \p period: 0, up to 1024, down to -1024, up to 0. */
std::int64_t
Triangle(std::uint64_t ticks, std::int32_t period)
{
    const auto phase = static_cast<std::int64_t>(ticks % static_cast<std::uint64_t>(period));
    const std::int64_t quarter = phase * 4096 / period; // a whole wave is 4096
    if (quarter < 1024)
    {
        return quarter;
    }
    return quarter < 3072 ? 2048 - quarter : quarter - 4096;
}

FluidRate
Scaled(FluidRate share, std::int64_t factor, std::int32_t amplitude)
{
    return share + share / 1024 * factor / 1024 * amplitude;
}

FluidRate
Drift(const FluidControl& control, FluidRate rate, FluidRate share)
{
    const FluidRate last = share / 1024 * control.amplitude;
    if (rate > share || rate < share - last)
    {
        return Approach(rate, share, control.gain);
    }
    return std::min(share, rate + last / control.period + 1);
}

} // namespace

FluidRate
NextRate(const FluidControl& control, FluidRate rate, FluidRate share, std::uint64_t ticks)
{
    if (share == 0)
    {
        return 0;
    }
    switch (control.mode)
    {
    case FluidMode::Exponential:
        break;
    case FluidMode::Drift:
        return Drift(control, rate, share);
    case FluidMode::Oscillation:
        share = Scaled(share, Triangle(ticks, control.period), control.amplitude);
        break;
    case FluidMode::Noise:
        share = Scaled(share,
                       static_cast<std::int64_t>(MixWords({control.seed, ticks}) % 2049) - 1024,
                       control.amplitude);
        break;
    }
    return Approach(rate, share, control.gain);
}

FluidFlow::Next
FluidFlow::NextEvent() const
{
    const PicoBytes atTick = moved + rate * (nextTick - since).count();
    if (left > static_cast<Bytes>(atTick / PICOBYTES_PER_BYTE))
    {
        return {nextTick, false};
    }
    const PicoBytes missing = static_cast<PicoBytes>(left) * PICOBYTES_PER_BYTE - moved;
    return {missing <= 0 ? since : since + Duration{(missing + rate - 1) / rate}, true};
}

void
FluidFlow::MoveTo(Time time)
{
    moved += rate * (time - since).count();
    since = time;
}

void
FluidFlow::Deliver()
{
    const Bytes bytes = std::min(left, static_cast<Bytes>(moved / PICOBYTES_PER_BYTE));
    moved -= static_cast<PicoBytes>(bytes) * PICOBYTES_PER_BYTE;
    delivered += bytes;
    left -= bytes;
}

void
FluidPort::MoveTo(Time time)
{
    constexpr PicoBytes LARGEST = 4'000'000 * PICOBYTES_PER_BYTE; // a buffer of 4 MB; more is lost
    const std::int64_t passed = (time - since).count();
    const FluidRate excess = inflow - capacity;
    since = time;
    // Divided rather than multiplied: a port may have been left alone for very long.
    if (excess > 0)
    {
        queue = passed > (LARGEST - queue) / excess ? LARGEST : queue + excess * passed;
    }
    else if (excess < 0)
    {
        queue = passed > queue / -excess ? 0 : queue + excess * passed;
    }
}

void
ComputeFairShares(const std::vector<FluidPort>& ports, std::vector<FairShare>& flows)
{
    struct Filling
    {
        FluidRate left;
        std::int64_t flows;
    };

    std::vector<Filling> filling;
    filling.reserve(ports.size());
    for (const FluidPort& port : ports)
    {
        filling.push_back({port.capacity, 0});
    }
    std::vector<FairShare*> open;
    for (FairShare& flow : flows)
    {
        open.push_back(&flow);
        for (const PortId port : *flow.path)
        {
            ++filling[port.Value()].flows;
        }
    }
    while (!open.empty())
    {
        FluidRate level = std::numeric_limits<FluidRate>::max();
        for (const Filling& port : filling)
        {
            level = port.flows > 0 ? std::min(level, port.left / port.flows) : level;
        }
        for (const FairShare* flow : open)
        {
            level = std::min(level, flow->limit);
        }
        // All flows that stop here are found before any of them takes its share.
        std::vector<bool> full(filling.size());
        for (std::size_t i = 0; i < filling.size(); ++i)
        {
            full[i] = filling[i].flows > 0 && filling[i].left / filling[i].flows == level;
        }
        const auto stops = [&full, level](const FairShare* flow) {
            return flow->limit == level ||
                   std::any_of(flow->path->begin(), flow->path->end(), [&full](PortId port) {
                       return full[port.Value()];
                   });
        };
        const auto stopped =
            std::stable_partition(open.begin(), open.end(), [&stops](const FairShare* flow) {
                return !stops(flow);
            });
        for (auto flow = stopped; flow != open.end(); ++flow)
        {
            (*flow)->share = level;
            for (const PortId port : *(*flow)->path)
            {
                filling[port.Value()].left -= level;
                --filling[port.Value()].flows;
            }
        }
        open.erase(stopped, open.end());
    }
}

std::string
PackWords(std::initializer_list<std::int64_t> words)
{
    std::string packed;
    for (const std::int64_t word : words)
    {
        for (int shift = 0; shift < 64; shift += 8)
        {
            packed.push_back(static_cast<char>(static_cast<std::uint64_t>(word) >> shift & 0xff));
        }
    }
    return packed;
}

std::vector<std::int64_t>
UnpackWords(const std::string& packed, std::size_t count)
{
    std::vector<std::int64_t> words;
    if (packed.size() != count * 8)
    {
        return words;
    }
    for (std::size_t at = 0; at < packed.size(); at += 8)
    {
        std::uint64_t word = 0;
        for (std::size_t i = 8; i-- > 0;)
        {
            word = word << 8 | static_cast<unsigned char>(packed[at + i]);
        }
        words.push_back(static_cast<std::int64_t>(word));
    }
    return words;
}

std::uint64_t
MixWords(std::initializer_list<std::uint64_t> words)
{
    std::uint64_t state = 0;
    for (const std::uint64_t word : words)
    {
        state = (state ^ word) + 0x9e3779b97f4a7c15;
        state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
        state = (state ^ state >> 27) * 0x94d049bb133111eb;
        state ^= state >> 31;
    }
    return state;
}

} // namespace wormhole
