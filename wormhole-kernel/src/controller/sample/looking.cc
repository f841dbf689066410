/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/looking.h"

#include "controller/sample/trends.h"
#include "controller/skip/fair-shares.h"
#include "controller/skip/held-rates.h"
#include "controller/skip/recalling.h"
#include "controller/skip/skipping.h"
#include "controller/skip/wandering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wormhole
{
namespace
{

/** Looks at the sum of rates in a window of samples. */
constexpr std::uint32_t LOOKS_PER_WINDOW = 4;

/** \return whether a timer of a control of \p members runs: it must have had its time before rates
 * say anything, in a whole window */
bool
AreTimed(const Simulator& simulator, const PartitionMembers& members)
{
    return RateSampler::SlowestPeriodOf(simulator, members) > Duration{0};
}

} // namespace

Looking::Looking(const ControllerContext& context,
                 PartitionTable& table,
                 Wandering& wandering,
                 Recalling& recalling,
                 Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_wandering(wandering),
      m_recalling(recalling),
      m_skipping(skipping)
{
}

bool
Looking::Look(PartitionRecord& record)
{
    if (record.skipping.noise.empty())
    {
        return LookStrictly(record);
    }
    RateSampler& sampler = record.sampling.sampler;
    const std::uint32_t window = sampler.Window();
    const bool isWhole =
        AreTimed(m_context.simulator, record.members) || !record.skipping.drifts.empty();
    const std::uint32_t least = m_recalling.SamplesOfLook(record);
    const std::uint32_t samples = isWhole ? std::max(window, least) : least;
    if (sampler.Count() == 0 || sampler.Count() % samples != 0)
    {
        return false;
    }
    record.skipping.known = sampler.Count() < window;
    SteadyRates found{sampler.TakeMeans(),
                      Duration::max(),
                      Duration{0},
                      false,
                      record.skipping.noise,
                      {}};
    const std::optional<SteadyRates> alone = samples == window ? sampler.Expect() : std::nullopt;
    const Duration time = sampler.Interval() * samples;
    record.sampling.shares.Look(time, found.rates);
    Follow(record.skipping.rates, record.skipping.approaches, time);
    if (sampler.QueuesMove())
    {
        return false;
    }
    if (record.skipping.recalled)
    {
        return m_recalling.IsThere(record, found.rates) && m_skipping.GoOnRecalled(record);
    }
    if (!HaveHeld(record.skipping,
                  found.rates,
                  m_context.options.steady.theta,
                  static_cast<double>(window) / samples))
    {
        return false;
    }
    // Of what is found now, for means lag behind.
    const double shortness = std::sqrt(static_cast<double>(window) / samples);
    for (double& noise : found.noise)
    {
        noise *= shortness;
    }
    if (!FindApproaches(m_context.simulator,
                        m_table.Map(),
                        record,
                        m_context.options.steady.theta,
                        found))
    {
        return false; // what is not known any more
    }
    Follow(found.rates, found.approaches, time / 2); // from the middle of the look to its end
    LookAtTrend(record.sampling, m_table.Now(), time, m_context.options.steady.theta, found);
    found.noise = record.skipping.noise;
    sampler.FindDrifts(found);
    AverageLooks(record.skipping,
                 found,
                 m_recalling.LeastNoise(record),
                 alone ? alone->noise : std::vector<double>());
    if (!record.sampling.trend)
    {
        StartTrend(record.sampling, found.rates); // of one that was known
    }
    return m_skipping.KeepOn(record, found);
}

bool
Looking::LookStrictly(PartitionRecord& record)
{
    RateSampler& sampler = record.sampling.sampler;
    const bool isTime = record.state == PartitionState::Waking &&
                        sampler.Count() == m_recalling.SamplesOfLook(record);
    if (!isTime || AreTimed(m_context.simulator, record.members) ||
        !AreApart(m_context.simulator, m_table.Map(), record.members))
    {
        return false;
    }
    if (!m_recalling.IsThere(record, sampler.TakeMeans()))
    {
        return false;
    }
    // A longer look has found the rates, and no trend takes them further than what is there.
    SteadyRates found{record.skipping.rates, Duration::max(), Duration{0}, true, {}, {}};
    return m_skipping.KeepOn(record, found);
}

void
Looking::LookAtSum(PartitionRecord& record)
{
    RateSampler& sampler = record.sampling.sampler;
    const std::uint32_t window = sampler.Window();
    const std::uint32_t samples = AreTimed(m_context.simulator, record.members)
                                      ? window
                                      : std::max(window / LOOKS_PER_WINDOW, 1U);
    if (sampler.Count() % samples != 0)
    {
        return;
    }
    const Duration time = sampler.Interval() * samples;
    if (const auto shares = m_wandering.LookAgain(record, time, sampler.TakeMeans()))
    {
        m_skipping.TakeRates(record, *shares);
    }
    else if (sampler.Count() >= WanderWatch::LEAST_LOOKS * window)
    {
        record.wandering.wander.reset(); // as soon as it could be known anew
        m_skipping.GiveUpRates(record);
    }
}

} // namespace wormhole
