/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/course-watch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace wormhole
{
namespace
{

/** Of a slope, the square of so many standard errors as it must have to count half. */
constexpr double DOUBT = 4;

/** Means that are kept. */
constexpr std::size_t MOST = 32;

/** Of these, the latest ones by which noise is judged, ... */
constexpr std::size_t LATEST = 8;

/** ... and that say what the rate is now. */
constexpr std::size_t NOW = 4;

/** Parts of theta by which the rates of a course may have moved, ... */
constexpr double MOST_MOVED = 4;

/** ... and may move in a skip. */
constexpr double MOST_SKIPPED = 2;

/** A straight line through the rates of one flow, by least squares. */
struct Line
{
    double mean{0};
    double slope{0}; //!< per mean
    double error{0}; //!< of the slope, standard
    double noise{0}; //!< standard deviation from it, of one mean

    /** \return the slope, less by as much as it may be noise */
    double WorthOfSlope() const
    {
        const double square = slope * slope;
        return square > 0 ? slope * square / (square + DOUBT * error * error) : 0;
    }
};

/** \return of \p rateAt (0), \p rateAt (1), ... up to \p count */
template <typename RateAt>
Line
Fit(std::size_t count, const RateAt& rateAt)
{
    const auto n = static_cast<double>(count);
    const double middle = (n - 1) / 2;
    const double squares = n * (n * n - 1) / 12; // of 0 - middle, 1 - middle, ...
    Line line;
    for (std::size_t i = 0; i < count; ++i)
    {
        line.mean += rateAt(i) / n;
        line.slope += rateAt(i) * (static_cast<double>(i) - middle) / squares;
    }
    double residuals = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const double off = rateAt(i) - line.mean - line.slope * (static_cast<double>(i) - middle);
        residuals += off * off;
    }
    line.noise = std::sqrt(residuals / (n - 2));
    line.error = line.noise / std::sqrt(squares);
    return line;
}

} // namespace

void
CourseWatch::Look(const std::vector<Rate>& rates)
{
    m_sums.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        m_sums[i] += rates[i].InBytesPerSecond();
    }
    if (++m_samples < SAMPLES)
    {
        return;
    }
    std::vector<Rate> means;
    means.reserve(m_sums.size());
    for (const double sum : m_sums)
    {
        means.push_back(Rate::BytesPerSecond(sum / SAMPLES));
    }
    m_sums.assign(rates.size(), 0);
    m_samples = 0;
    m_means.push_back(std::move(means));
    if (m_means.size() > MOST)
    {
        m_means.pop_front();
    }
}

void
CourseWatch::Carry(const std::vector<Approach>& approaches, Duration time)
{
    for (std::vector<Rate>& rates : m_means)
    {
        Follow(rates, approaches, time);
    }
    m_sums.clear();
    m_samples = 0;
}

void
CourseWatch::Clear()
{
    m_known = false;
    m_means.clear();
    m_sums.clear();
    m_samples = 0;
}

std::optional<Course>
CourseWatch::Find(Duration interval, double theta)
{
    m_known = false;
    const std::size_t count = m_means.size();
    if (count < LATEST)
    {
        return std::nullopt;
    }
    const Duration step = interval * SAMPLES;
    const double speed = 1 / std::chrono::duration<double>(step * count).count();
    Course course;
    course.horizon = Duration::max();
    for (std::size_t flow = 0; flow < m_means.front().size(); ++flow)
    {
        const auto rateAt = [&](std::size_t i) { return m_means[i][flow].InBytesPerSecond(); };
        const Line latest = Fit(LATEST, [&](std::size_t i) { return rateAt(count - LATEST + i); });
        if (!(latest.noise < theta * latest.mean &&
              std::abs(latest.slope) * LATEST < MOST_MOVED * theta * latest.mean))
        {
            return std::nullopt;
        }
        double now = 0;
        for (std::size_t i = count - NOW; i < count; ++i)
        {
            now += rateAt(i) / NOW;
        }
        const double slope = Fit(count, rateAt).WorthOfSlope();
        const double target = std::max(now + slope * static_cast<double>(count), now / 2);
        course.rates.push_back(Rate::BytesPerSecond(now));
        course.approaches.push_back({Rate::BytesPerSecond(target), speed});
        if (slope != 0)
        {
            course.horizon =
                std::min(course.horizon, Scale(step, MOST_SKIPPED * theta * now / std::abs(slope)));
        }
    }
    m_known = true;
    return course;
}

} // namespace wormhole
