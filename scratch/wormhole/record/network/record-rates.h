/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_RATES_H
#define WORMHOLE_CLI_RECORD_RATES_H

#include "record/record-files.h"
#include "record/record-series.h"

#include "ns3/input-line-file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** Writes rates.csv: payload delivered so far between the recorded pairs of hosts. */
class RecordedRates
{
  public:
    /** \throws OutputError if the file cannot be created */
    explicit RecordedRates(const RecordPlan& plan)
        : m_pairs(plan.pairs),
          m_file(plan.PathOf("rates.csv"))
    {
    }

    /** \return number of the pair; nullopt if it is not recorded */
    std::optional<size_t> Find(uint32_t src, uint32_t dst)
    {
        return m_pairs.Find(src, dst);
    }

    const RecordedPairs& GetPairs() const
    {
        return m_pairs;
    }

    /** A flow of \p pair has ended, of which the receiver has \p bytes. */
    void Ended(size_t pair, uint64_t bytes)
    {
        Fit();
        m_ended[pair] += bytes;
    }

    /** \return bytes of the flows that have ended, by pair; those of others are to be added */
    std::vector<uint64_t> GetEnded()
    {
        Fit();
        return m_ended;
    }

    /** Takes a sample. \param bytes delivered so far, by pair; an estimate may be too high, later
     * ones are not lower than it */
    void Sample(int64_t number, const std::vector<uint64_t>& bytes);

    /** Every second sample is dropped. */
    void Thin();

    /** The simulation is over. */
    void End(const RecordTimes& times, int64_t ns, const std::vector<uint64_t>& bytes);

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish(const RecordTimes& times);

  private:
    void Fit();
    void Begin(size_t pair, int64_t number);

    RecordedPairs m_pairs;
    std::vector<uint64_t> m_ended;                //!< bytes, by pair
    std::vector<uint64_t> m_highest;              //!< sampled so far, by pair
    std::vector<RecordSeries<uint64_t>> m_series; //!< by pair
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_RATES_H
