/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_MONITOR_H
#define RDMA_SIMAI_MONITOR_H

#include "ns3/event-id.h"
#include "ns3/input-line-file.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>

namespace ns3
{

/** \ingroup rdma When a monitor samples: at start, and every interval after it up to the end. */
struct RdmaSamplingTimes
{
    int64_t startNs{0};    ///< ns, at least 0
    int64_t endNs{0};      ///< ns; no sample is later
    int64_t intervalNs{1}; ///< ns, more than 0
};

/**
 * \ingroup rdma
 * \brief What SimAI's monitors have in common: a file, and samples that are taken in retrospect.
 *
 * No event is scheduled for a sample. Before a value changes, the derived class calls AdvanceTo,
 * which takes the samples that are due; so a sample at t sees what was before anything that happens
 * at t. Runs of samples in which nothing can differ are skipped at no cost. After the last one the
 * derived class listens no more, which would cost time.
 */
class RdmaSimAiMonitor
{
  public:
    /**
     * \param file path
     * \param header first line, without its end
     * \param times when to sample
     * \throws OutputError if the file cannot be created
     */
    RdmaSimAiMonitor(const std::string& file,
                     const std::string& header,
                     const RdmaSamplingTimes& times);
    virtual ~RdmaSimAiMonitor();
    RdmaSimAiMonitor(const RdmaSimAiMonitor&) = delete;
    RdmaSimAiMonitor& operator=(const RdmaSimAiMonitor&) = delete;

    /** \return the file, to limit it */
    LineFile& GetFile()
    {
        return m_file;
    }

    /**
     * Takes the samples up to \p nowNs and closes the file.
     * \throws OutputError if anything could not be written
     */
    void Finish(int64_t nowNs);

  protected:
    /** A value is about to change at \p nowNs. \return whether there are samples to come */
    bool AdvanceTo(int64_t nowNs)
    {
        if (nowNs >= m_next)
        {
            TakeSamples(nowNs);
        }
        return m_next != NEVER;
    }

    /** \return the first sample that sees what happens at \p nowNs; NEVER if there is none */
    int64_t NextSampleNs(int64_t nowNs) const;

    /**
     * Writes a line for each value that is not as in its last line.
     * \param timeNs of the sample
     * \return whether the next sample can differ although nothing changes until then
     */
    virtual bool Sample(int64_t timeNs) = 0;

    /** Disconnects from all trace sources. Not called by any of them. */
    virtual void StopListening() = 0;

    /** \param line without its end */
    void WriteLine(const std::string& line);

    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    const RdmaSamplingTimes m_times;

  private:
    void TakeSamples(int64_t nowNs);

    LineFile m_file;
    int64_t m_next;    //!< time of the next sample, ns; NEVER if there is none
    EventId m_silence; //!< stops listening
};

} // namespace ns3

#endif // RDMA_SIMAI_MONITOR_H
