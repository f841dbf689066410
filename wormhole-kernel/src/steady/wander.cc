/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/wander.h"

#include "steady/wander-pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace wormhole
{
namespace
{

/** Looks that are kept. */
constexpr std::size_t MOST_LOOKS = 64;

/** Parts of the looks whose sums of rates are compared. */
constexpr std::size_t PARTS = 4;

/** A memory cannot be told from one of more than so many times what was looked at. */
constexpr double LONGEST_MEMORY = 4;

/** The same of one of less than so many looks. */
constexpr double LEAST_MEMORY = 0.25;

/** Deviations that do no harm, whatever comes of them, ... */
constexpr double SMALL = 0.15;

/** ... and beyond which they are not normal. */
constexpr double LARGE = 0.5;

/** Standard deviations of its mean by which a share differs that does not wander about the fair
 * one: by chance, one of 2,000 does. */
constexpr double BEYOND_CHANCE = 3.5;

/** That of an exponential distribution. */
constexpr double MOST_SKEWNESS = 2;

/** Makes the sum of \p values 0. */
void
Centre(std::vector<double>& values)
{
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values)
    {
        value -= mean;
    }
}

} // namespace

bool
Wander::IsSeenIn(Duration looked) const
{
    return deviation <= LARGE && memory <= looked;
}

bool
Wander::IsKnown(Duration looked) const
{
    return deviation <= SMALL || IsSeenIn(looked);
}

double
Wander::OfMean(Duration span) const
{
    // Of an Ornstein-Uhlenbeck process over t memories, from any time on.
    const double t = std::chrono::duration<double>(span) / std::chrono::duration<double>(memory);
    return deviation * std::sqrt(2 / t * (1 + std::expm1(-t) / t));
}

std::vector<double>
Wander::Go(std::vector<double>& deviations,
           Duration span,
           const std::function<std::vector<double>()>& draw) const
{
    // Of an Ornstein-Uhlenbeck process z, by time in units of its memory: z(t) and its integral
    // over t are normal, with these moments; see Gillespie, Phys. Rev. E 54 (1996) 2084.
    const double t = std::chrono::duration<double>(span) / std::chrono::duration<double>(memory);
    const double kept = std::exp(-t);
    const double lost = -std::expm1(-t);
    const double inSum = std::sqrt(std::max(2 * t - 3 + 4 * kept - kept * kept, 0.0));
    const double inBoth = inSum > 0 ? lost * lost / inSum : 0;
    const double inEnd = std::sqrt(std::max(-std::expm1(-2 * t) - inBoth * inBoth, 0.0));
    const std::vector<double> sums = draw();
    const std::vector<double> ends = draw();
    std::vector<double> means;
    means.reserve(deviations.size());
    for (std::size_t i = 0; i < deviations.size(); ++i)
    {
        means.push_back((deviations[i] * lost + deviation * inSum * sums[i]) / t);
        deviations[i] = deviations[i] * kept + deviation * (inBoth * sums[i] + inEnd * ends[i]);
    }
    Centre(deviations);
    Centre(means);
    return means;
}

Wander
WanderOf(Duration time,
         std::size_t count,
         double product,
         const std::function<double(std::size_t)>& kept)
{
    // Not by looks themselves, for what is of one look alone is noise.
    if (product <= 0)
    {
        return Wander{0, time, 0};
    }
    // Of a decay by a factor q each, the sum up to where a part p is left is (1 - p) / (1 - q).
    double sum = 0;
    double last = 1;
    for (std::size_t lag = 1; lag < count / 2 && 2 * last > 1; ++lag)
    {
        sum += last;
        last = std::max(kept(lag), 0.0);
    }
    const double decayed = 1 - last;
    const double longest = LONGEST_MEMORY * static_cast<double>(count);
    const double terms = sum < decayed * longest ? sum / decayed : longest;
    const double looks = terms > 1 ? -1 / std::log1p(-1 / terms) : LEAST_MEMORY;
    // E[x(0) x(1)] of means x of one look each is that of the process times (looks (1 - e))^2.
    const double part = -looks * std::expm1(-1 / looks);
    return Wander{std::sqrt(product) / part, std::max(Scale(time, looks), Duration{1}), 0};
}

void
WanderWatch::Look(Duration time, const std::vector<Rate>& rates)
{
    if (time != m_time)
    {
        m_looks.clear();
        m_time = time;
    }
    OneLook look{0, {}};
    look.deviations.reserve(rates.size());
    for (const Rate rate : rates)
    {
        look.sum += rate.InBytesPerSecond();
    }
    const double fair = look.sum / static_cast<double>(rates.size());
    for (const Rate rate : rates)
    {
        look.deviations.push_back(fair > 0 ? rate.InBytesPerSecond() / fair - 1 : 0);
    }
    m_looks.push_back(std::move(look));
    if (m_looks.size() > MOST_LOOKS || (m_looks.size() > LEAST_LOOKS && !IsSteady()))
    {
        m_looks.pop_front();
    }
}

/** \return the mean from look \p first on */
Rate
WanderWatch::MeanSum(std::size_t first) const
{
    double sum = 0;
    for (std::size_t i = first; i < m_looks.size(); ++i)
    {
        sum += m_looks[i].sum;
    }
    return Rate::BytesPerSecond(sum / static_cast<double>(m_looks.size() - first));
}

/** \return whether the sum was from look \p first on */
bool
WanderWatch::IsSteady(std::size_t first) const
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t part = 0; part < PARTS; ++part)
    {
        const std::size_t looks = m_looks.size() - first;
        const std::size_t begin = first + looks * part / PARTS;
        const std::size_t end = first + looks * (part + 1) / PARTS;
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
        {
            sum += m_looks[i].sum;
        }
        sum /= static_cast<double>(end - begin);
        least = std::min(least, sum);
        most = std::max(most, sum);
    }
    return most - least <= m_steady * most;
}

/** \return the mean product of deviations, \p lag looks apart, before look \p end, of one flow of
 * those that \p counts */
double
WanderWatch::Product(std::size_t end, std::size_t lag, const std::vector<bool>& counts) const
{
    double sum = 0;
    for (std::size_t i = lag; i < end; ++i)
    {
        double products = 0;
        for (std::size_t flow = 0; flow < counts.size(); ++flow)
        {
            products +=
                counts[flow] ? m_looks[i].deviations[flow] * m_looks[i - lag].deviations[flow] : 0;
        }
        sum += products;
    }
    const auto flows = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), true));
    return sum / static_cast<double>((end - lag) * flows);
}

/** \return how the shares of flows that \p counts wander */
Wander
WanderWatch::WanderOfThose(const std::vector<bool>& counts) const
{
    const std::size_t looks = m_looks.size();
    const double product = Product(looks, 1, counts);
    // What is left is of the same looks' deviations, for these may grow: flows that begin together
    // are as fast as each other at first.
    Wander wander = WanderOf(m_time, looks, product, [&](std::size_t lag) {
        const double before = Product(looks - lag, 1, counts);
        return before > 0 ? Product(looks, lag + 1, counts) / before : 0;
    });
    if (wander.deviation <= 0)
    {
        return wander;
    }
    // Products grow from those of the first two looks to those of shares that have wandered for
    // long, by a part of what is missing that is lost twice as fast as deviations are.
    const double lookTwice =
        2 * std::chrono::duration<double>(m_time) / std::chrono::duration<double>(wander.memory);
    const auto pairs = static_cast<double>(looks - 1);
    const double missing = std::expm1(-lookTwice * pairs) / std::expm1(-lookTwice) / pairs;
    const double begun = std::clamp(Product(2, 1, counts), 0.0, product);
    wander.deviation *= std::sqrt((1 - missing * begun / product) / (1 - missing));
    return wander;
}

std::optional<Wander>
WanderWatch::Find() const
{
    if (m_looks.size() < LEAST_LOOKS || !IsSteady())
    {
        return std::nullopt;
    }
    Wander wander = WanderOfThose(std::vector<bool>(m_looks.back().deviations.size(), true));
    wander.skewness = Skewness();
    return wander;
}

/** \return that of the deviations, as far as a Wander may have it */
double
WanderWatch::Skewness() const
{
    double squares = 0;
    double cubes = 0;
    double count = 0;
    for (const OneLook& look : m_looks)
    {
        for (const double deviation : look.deviations)
        {
            squares += deviation * deviation;
            cubes += deviation * deviation * deviation;
        }
        count += static_cast<double>(look.deviations.size());
    }
    const double variance = squares / count;
    const double skewness = variance > 0 ? cubes / count / (variance * std::sqrt(variance)) : 0;
    return std::clamp(skewness, -MOST_SKEWNESS, MOST_SKEWNESS);
}

std::vector<double>
WanderWatch::MeanDeviations() const
{
    std::vector<double> means(m_looks.back().deviations.size());
    for (const OneLook& look : m_looks)
    {
        for (std::size_t flow = 0; flow < means.size(); ++flow)
        {
            means[flow] += look.deviations[flow] / static_cast<double>(m_looks.size());
        }
    }
    return means;
}

std::vector<double>
WanderWatch::Lasting() const
{
    if (m_looks.size() < LEAST_LOOKS)
    {
        return {};
    }
    std::vector<double> means = MeanDeviations();
    // Those that differ most are told from the others, one by one, as long as these are more.
    std::vector<std::size_t> order(means.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&means](std::size_t a, std::size_t b) {
        return std::abs(means[a]) > std::abs(means[b]);
    });
    order.resize((order.size() + 1) / 2);
    std::vector<bool> others(means.size(), true);
    double lasting = 0;
    std::size_t left = means.size();
    for (const std::size_t most : order)
    {
        others[most] = false;
        const double chance = WanderOfThose(others).OfMean(Looked());
        if (std::abs(means[most]) <= BEYOND_CHANCE * chance || chance <= 0)
        {
            others[most] = true;
            break;
        }
        lasting += means[most];
        --left;
    }
    if (left == means.size())
    {
        return {};
    }
    for (std::size_t flow = 0; flow < means.size(); ++flow)
    {
        means[flow] = others[flow] ? -lasting / static_cast<double>(left) : means[flow];
    }
    return means;
}

double
WanderWatch::LatelyMoved() const
{
    const std::vector<double>& before = m_looks[m_looks.size() - LATELY].deviations;
    const std::vector<double>& now = m_looks.back().deviations;
    double squares = 0;
    for (std::size_t i = 0; i < now.size(); ++i)
    {
        squares += (now[i] - before[i]) * (now[i] - before[i]);
    }
    return std::sqrt(squares / static_cast<double>(now.size()));
}

void
WanderWatch::Tell(WanderPool& pool, const std::vector<double>& lasting) const
{
    const std::vector<double>& now = m_looks.back().deviations;
    pool.AddTime(m_time);
    for (std::size_t lag = 1; lag < m_looks.size(); ++lag)
    {
        const std::vector<double>& before = m_looks[m_looks.size() - 1 - lag].deviations;
        double product = 0;
        for (std::size_t flow = 0; flow < now.size(); ++flow)
        {
            product += (now[flow] - lasting[flow]) * (before[flow] - lasting[flow]);
        }
        pool.Add(m_time, m_time * static_cast<Duration::rep>(lag), product, now.size());
    }
}

} // namespace wormhole
