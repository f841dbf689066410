/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_FAST_CASES_H
#define HARNESS_FAST_CASES_H

#include "harness/run_cli.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace harness
{

/** \return the workload of an iteration of GPT-7B on 64 GPUs, whose messages are \p scale times
 * smaller */
inline std::string
Gpt7b(const std::string& scale)
{
    return "training:file=" WORMHOLE_SOURCE_DIR "/workloads/training/gpt-7b-64.json,scale=" + scale;
}

/** Scenarios at packet level and with fast-forward, by the command line. */
class FastForwardCases : public RunCli
{
  protected:
    using json = nlohmann::json;

    /** Flows by source, destination, port and size, each with its start and time, ns. */
    using Flows = std::map<std::tuple<std::string, std::string, std::string, std::string>,
                           std::vector<std::pair<double, double>>>;

    /** Runs \p words at both levels. \param fast further ones with fast-forward */
    void RunBoth(const Words& words, const Words& fast = {})
    {
        m_packet = Summary(words);
        m_packetFlows = ReadFlows();
        m_fast = Summary(With(With(words, {"--mode", "fast"}), fast));
        m_fastFlows = ReadFlows();
    }

    /** What RunDisturbed found on average. */
    struct Means
    {
        double error{0};   //!< MeanError
        double bias{0};    //!< MeanBias
        double last{0};    //!< LastError
        double leftOut{0}; //!< LeftOut
    };

    /** \return what RunBoth of \p words finds on average of \p count pairs of runs, which --disturb
     * 0, 1... moves by a nanosecond: where packet level itself moves, one pair says little */
    Means RunDisturbed(const Words& words, int count, const Words& fast = {})
    {
        Means means;
        for (int i = 0; i < count; ++i)
        {
            RunBoth(i > 0 ? With(words, {"--disturb", std::to_string(i)}) : words, fast);
            means.error += MeanError() / count;
            means.bias += MeanBias() / count;
            means.last += LastError() / count;
            means.leftOut += LeftOut() / count;
        }
        return means;
    }

    /** \return the mean difference of completion times, a share; infinite if there are other flows
     */
    double MeanError() const
    {
        double sum = 0;
        double count = 0;
        for (const auto& [key, times] : m_packetFlows)
        {
            const auto found = m_fastFlows.find(key);
            if (found == m_fastFlows.end() || found->second.size() != times.size())
            {
                return INFINITY;
            }
            for (size_t i = 0; i < times.size(); ++i, ++count)
            {
                sum += std::abs(found->second[i].second - times[i].second) / times[i].second;
            }
        }
        return m_fastFlows.size() == m_packetFlows.size() && count > 0 ? sum / count : INFINITY;
    }

    /** \return the difference of the last end, a share */
    double LastError() const
    {
        return std::abs(Last(m_fastFlows) / Last(m_packetFlows) - 1);
    }

    /** \return the difference of the completion time of the first flow to \p port, a share;
     * infinite if there is none */
    double ErrorOf(const std::string& port) const
    {
        for (const auto& [key, times] : m_packetFlows)
        {
            const auto found = m_fastFlows.find(key);
            if (std::get<2>(key) == port && found != m_fastFlows.end())
            {
                return std::abs(found->second.front().second / times.front().second - 1);
            }
        }
        return INFINITY;
    }

    /** \return how much of the packet-hops fast-forward left out */
    double LeftOut() const
    {
        return m_fast["fast"]["events"]["skippedShare"];
    }

    /** \return by how much the mean completion time differs, a share */
    double MeanBias() const
    {
        return MeanTime(m_fastFlows) / MeanTime(m_packetFlows) - 1;
    }

    /** \return how far completion times are apart with fast-forward, their standard deviation, by
     * that at packet level */
    double SpreadRatio() const
    {
        return Spread(m_fastFlows) / Spread(m_packetFlows);
    }

    static uint64_t Drops(const json& summary)
    {
        return summary["counters"]["buffer_drops"];
    }

    json m_packet;
    json m_fast;

  private:
    Flows ReadFlows()
    {
        Flows flows;
        std::istringstream lines(box.Read("out/fct.txt"));
        std::string src, dst, sport, dport, bytes;
        double start = 0;
        double time = 0;
        double alone = 0;
        while (lines >> src >> dst >> sport >> dport >> bytes >> start >> time >> alone)
        {
            flows[{src, dst, dport, bytes}].emplace_back(start, time);
        }
        for (auto& [key, times] : flows)
        {
            std::sort(times.begin(), times.end());
        }
        return flows;
    }

    static double MeanTime(const Flows& flows)
    {
        return MeanOf(flows, [](double time) { return time; });
    }

    static double Spread(const Flows& flows)
    {
        const double mean = MeanTime(flows);
        return std::sqrt(
            MeanOf(flows, [mean](double time) { return (time - mean) * (time - mean); }));
    }

    template <typename Of>
    static double MeanOf(const Flows& flows, Of of)
    {
        double sum = 0;
        double count = 0;
        for (const auto& [key, times] : flows)
        {
            for (const auto& [start, time] : times)
            {
                sum += of(time);
                ++count;
            }
        }
        return sum / count;
    }

    static double Last(const Flows& flows)
    {
        double last = 0;
        for (const auto& [key, times] : flows)
        {
            for (const auto& [start, time] : times)
            {
                last = std::max(last, start + time);
            }
        }
        return last;
    }

    Flows m_packetFlows;
    Flows m_fastFlows;
};

} // namespace harness

#endif // HARNESS_FAST_CASES_H
