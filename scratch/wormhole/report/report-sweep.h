/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_SWEEP_H
#define WORMHOLE_CLI_REPORT_SWEEP_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** A number and its 95 % confidence interval; that of a single run is the number. */
struct OverlayValue
{
    double mean;
    double low;
    double high;
};

/** Sizes of flows, bytes. */
struct OverlaySizes
{
    double over;
    std::optional<double> upTo; ///< none: there is no limit

    bool operator<(const OverlaySizes& other) const
    {
        return over < other.over;
    }
};

/** A number in a bin of time. */
struct OverlayBin
{
    double beginNs;
    double endNs;
    OverlayValue value;
};

/** These shares of the flows have at most these. */
struct OverlayDistribution
{
    std::vector<double> shares;
    std::vector<double> fctNs;
    std::vector<double> slowdowns; ///< empty if unknown
};

/** What is drawn as one curve. */
struct OverlayCurve
{
    std::string scenario; ///< curves of one are drawn over each other: "load=0.3"
    std::string name;
    uint64_t runs{1}; ///< at most
    /** By kind of flow, sizes, and percentile ("p95"). */
    std::map<std::string, std::map<OverlaySizes, std::map<std::string, OverlayValue>>> bySize;
    std::map<std::string, OverlayDistribution> distributions; ///< by kind; of sweeps
    std::map<std::string, std::vector<OverlayBin>> overTime;  ///< by metric

    bool IsEmpty() const
    {
        return bySize.empty() && distributions.empty() && overTime.empty();
    }
};

/**
 * \param folder that wormhole sweep wrote
 * \return a curve for each control (without --cc, each value of the last parameter) of each scenario
 * \throws InputError with file and line if a table is not as the program writes it, and if the sweep
 * was not recorded
 */
std::vector<OverlayCurve> ReadSweepCurves(const std::string& folder);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_SWEEP_H
