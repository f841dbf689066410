/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHROME_TRACE_H
#define WORKLOAD_CHROME_TRACE_H

#include "ns3/input-line-file.h"
#include "ns3/workload-observer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Writes what every rank did as a Chrome trace, which https://ui.perfetto.dev opens.
 *
 * The file is a JSON array of complete events ("ph":"X", times in us with six decimals, so exact),
 * written as they come. A rank is a process; each of its computation streams is a thread, and so
 * is each of the lanes that its communication is spread over, such that the spans of a lane do not
 * overlap. Spans without length are left out.
 */
class WorkloadChromeTrace final : public WorkloadObserver
{
  public:
    /** Says what a process is called. */
    struct Process
    {
        std::string name;
        uint32_t job{0}; ///< index of its categories
    };

    /** Lanes of communication that a rank has at most; what overlaps more is left out and counted.
     */
    static constexpr size_t MOST_LANES = 64;

    /**
     * Creates the file.
     * \param path of the file
     * \param processes what they are called
     * \param categories names by job
     * \param max spans to write; the first ones to end are
     * \throws OutputError if that is impossible
     */
    WorkloadChromeTrace(const std::string& path,
                        std::vector<Process> processes,
                        std::vector<std::vector<std::string>> categories,
                        uint64_t max);

    void Done(const WorkloadSpan& span) override;

    /** Hands what there is to the operating system. \return false if it does not take it */
    bool Flush()
    {
        return m_file.Flush();
    }

    /** Completes the file; before, it lacks its last bracket. \throws OutputError if it is
     * incomplete */
    void Finish();

    /** \return spans written */
    uint64_t GetWritten() const
    {
        return m_written;
    }

    /** \return spans left out since there were too many, in all or at once */
    uint64_t GetLeftOut() const
    {
        return m_leftOut + m_crowded;
    }

    /** \return those of them for which there was no lane */
    uint64_t GetCrowded() const
    {
        return m_crowded;
    }

  private:
    struct State
    {
        bool named{false};
        std::vector<int64_t> lanes;       //!< when each was last used, ps
        std::map<uint32_t, bool> streams; //!< of computation, that have a name
    };

    void Append(const std::string& event);
    void NameThread(uint32_t process, uint32_t thread, const std::string& name);
    bool FindLane(State& state, const WorkloadSpan& span, uint32_t& lane);
    void Mark(const std::string& text, int64_t ps);

    LineFile m_file;
    std::vector<Process> m_processes;
    std::vector<std::vector<std::string>> m_categories; //!< quoted for JSON
    std::vector<State> m_states;
    uint64_t m_max;
    uint64_t m_written{0};
    uint64_t m_leftOut{0};   //!< since there were m_max before
    uint64_t m_crowded{0};   //!< since MOST_LANES were in use
    int64_t m_cutPs{-1};     //!< when the first of m_leftOut ended
    int64_t m_crowdedPs{-1}; //!< when the first of m_crowded ended
    bool m_first{true};
};

} // namespace ns3

#endif // WORKLOAD_CHROME_TRACE_H
