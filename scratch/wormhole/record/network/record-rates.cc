/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-rates.h"

#include <algorithm>

namespace wormhole
{

/** Makes room for pairs that have come. */
void
RecordedRates::Fit()
{
    m_ended.resize(m_pairs.Get().size());
    m_highest.resize(m_pairs.Get().size());
    m_series.resize(m_pairs.Get().size());
}

/** Nothing of \p pair was delivered before the sample \p number. */
void
RecordedRates::Begin(size_t pair, int64_t number)
{
    if (m_series[pair].IsEmpty() && number > 0)
    {
        m_series[pair].Add(number - 1, 0);
    }
}

void
RecordedRates::Sample(int64_t number, const std::vector<uint64_t>& bytes)
{
    for (size_t pair = 0; pair < bytes.size(); ++pair)
    {
        Begin(pair, number);
        m_highest[pair] = std::max(m_highest[pair], bytes[pair]);
        m_series[pair].Add(number, m_highest[pair]);
    }
}

void
RecordedRates::Thin()
{
    for (RecordSeries<uint64_t>& series : m_series)
    {
        series.Thin();
    }
}

void
RecordedRates::End(const RecordTimes& times, int64_t ns, const std::vector<uint64_t>& bytes)
{
    for (size_t pair = 0; pair < bytes.size(); ++pair)
    {
        Begin(pair, times.GetCount());
        m_series[pair].End(times, ns, std::max(m_highest[pair], bytes[pair]));
    }
    m_pairs.KeepBusiest(bytes);
}

void
RecordedRates::Finish(const RecordTimes& times)
{
    m_file.Write("time_ns,src,dst,bytes\n");
    for (size_t i = 0; i < m_series.size(); ++i)
    {
        if (!m_pairs.IsWritten(i))
        {
            continue;
        }
        const RecordPair pair = m_pairs.Get()[i];
        m_series[i].ForEachLine(times, true, [&](int64_t ns, uint64_t bytes) {
            m_file.Write(CsvLine(ns, pair.src, pair.dst, bytes));
        });
    }
    m_file.Close();
}

} // namespace wormhole
