/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PROCESSES_H
#define RDMA_PROCESSES_H

#include "rdma-event-queue.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaNetwork;

/**
 * \ingroup rdma
 * \brief Runs a network's events process by process, in windows of the least delay between
 * processes, with the result of one queue in the order of (time, place).
 *
 * A process is a node, or several that links join which are much shorter than the others. What it
 * does reaches another one by a link, so not before the window is over: within a window each
 * process runs alone, with a small queue of its own, and its state stays in the cache (DONS,
 * SIGCOMM 2023; Unison, EuroSys 2024).
 *
 * Invariants:
 * - All that a process schedules within a window for another one is due after the window.
 * - Events of the network as a whole (a flow that starts, a link that fails, ns-3's and the user's)
 *   belong to no process. The next of them ends the window: all processes have run up to its time
 *   and place, and no further.
 * - Equal times: the order is that of scheduling, as in one queue. Within a window, a process takes
 *   provisional places, after all places taken before the window; that is the right order among
 *   its own events, and no others meet there. When the window is over, what was taken is put into
 *   the order in which one queue would have taken it: by the time, and at equal times by the place,
 *   of the event that took it (Rank). No shorter key gives that order: at equal times it depends on
 *   all events that led there, back to the start.
 * - Ends of flows, and pauses, are told when the window is over, in order, with the clock at the
 *   time; who is told only looks on. RdmaNetwork::MayRunAhead says where all this holds; where
 *   it does not, all events are in the one queue again (Join).
 */
class RdmaProcesses
{
  public:
    /** \param queue of \p network \param network that has started */
    RdmaProcesses(RdmaEventQueue& queue, RdmaNetwork& network);
    ~RdmaProcesses();
    RdmaProcesses(const RdmaProcesses&) = delete;
    RdmaProcesses& operator=(const RdmaProcesses&) = delete;

    /**
     * Runs the next window.
     * \param time of the first event that is not the queue's, as ns-3 compares times
     * \param place of that event
     * \return whether anything was done; if not, the first event is one for the caller to run
     */
    bool RunWindow(uint64_t time, uint64_t place);

    /** Puts all events into the one queue. */
    void Join();

    /** \return whether a process has something to do; O(processes) */
    bool HasPending() const;

    /** \return windows run */
    uint64_t GetWindowCount() const
    {
        return m_windows;
    }

  private:
    friend class RdmaEventQueue;

    using Entry = RdmaEventEntry;
    using Key = Entry::Key;

    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max();
    static constexpr uint64_t SLOTS = 64;      //!< windows that m_due knows
    static constexpr uint64_t LONGEST = 4096;  //!< windows that a frame may be on a link
    static constexpr uint32_t MOST_NODES = 64; //!< that short links may join
    static constexpr int32_t UNKNOWN = std::numeric_limits<int32_t>::min();

    /** A process. */
    struct Process
    {
        std::vector<Entry> heap;
        std::vector<Entry> inbox; //!< what came from outside since it ran
        uint64_t listed{NONE};    //!< the first window that it is listed for
    };

    /** An event that took places in this window. */
    struct Record
    {
        uint64_t place; //!< of the event
        uint32_t time;  //!< since the window began
        uint32_t first; //!< place that it took, since the window began
    };

    void Cut();
    void Split();
    void Post(uint32_t process, const Entry& entry);
    void List(uint32_t process, uint64_t time);
    bool FindWindow();
    bool IsWorthIt();
    void Fetch(const std::vector<uint32_t>& list, size_t i) const;
    bool RunProcess(uint32_t process, Key end);
    void Close();
    void Rank();
    void RankBucket(size_t begin, size_t end);
    void RankEqual(size_t begin, size_t end);
    void RankChained(size_t begin, size_t end);
    void Take(const Record& record);
    void KeepMoves(uint64_t base);

    RdmaEventQueue& m_queue;
    RdmaNetwork& m_network;
    bool m_split{false};
    uint64_t m_length{0};  //!< of a window, time steps
    uint64_t m_longest{0}; //!< that a place taken for a frame may be asked for, time steps
    std::vector<Process> m_processes; //!< process p at p - 1; 0 stands for the network as a whole
    std::vector<std::vector<uint32_t>> m_due;  //!< processes by window, of the next SLOTS
    using Far = std::pair<uint64_t, uint32_t>; //!< window, process
    std::priority_queue<Far, std::vector<Far>, std::greater<>> m_far; //!< beyond
    uint64_t m_current{0};                                            //!< window
    uint64_t m_windows{0};
    uint64_t m_visits{0};      //!< to processes, since the last look at what they are worth
    uint64_t m_firedBefore{0}; //!< events, at that time
    uint64_t m_worthFrom{0};   //!< events from which on windows are tried again

    // the window that runs
    uint64_t m_begin{0};   //!< time steps
    uint64_t m_base{0};    //!< first place that is taken in it
    uint64_t m_next{0};    //!< place in the final order
    uint64_t m_latest{0};  //!< time of an event that has run; time steps
    uint64_t m_left{NONE}; //!< time of the first event seen that has not; time steps
    std::vector<std::pair<uint32_t, uint32_t>> m_ran; //!< processes, and their first records
    bool m_chained{false}; //!< something happened at once because of something else
    std::vector<Record> m_records;
    std::vector<uint32_t> m_buckets;
    std::vector<uint32_t> m_sorted;                     //!< records
    std::vector<std::pair<uint64_t, uint32_t>> m_equal; //!< place, record, of one time
    std::deque<std::pair<uint64_t, uint64_t>>
        m_bases; //!< end and base of windows whose moves are kept
};

} // namespace ns3

#endif // RDMA_PROCESSES_H
