/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PROCESSES_H
#define RDMA_PROCESSES_H

#include "rdma-arrivals.h"
#include "rdma-slice.h"
#include "rdma-thread-trial.h"

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaCut;
class RdmaNetwork;
class RdmaRanks;
class RdmaThreads;

/** How many threads run the nodes of a network. */
struct RdmaThreadUse
{
    uint32_t most{1};            ///< at once, from 1
    uint32_t eventsPerThread{1}; ///< in a window that make a thread worth it, from 1
    bool trial{false};           ///< one runs all where the clock says that several are slower
};
struct RdmaContext;
struct RdmaRankState;

/** \ingroup rdma What windows did, and what more processors would do. */
struct RdmaWindowStatistics
{
    static constexpr uint32_t PROCESSORS[] = {2, 4, 8, 16, 64};

    uint64_t windows{0};       ///< node by node
    uint64_t threaded{0};      ///< of them, those that several threads ran at once
    uint64_t merged{0};        ///< windows, or the ends of some, in one order of time
    uint64_t mergedEvents{0};  ///< in these
    uint32_t threads{1};       ///< that ran at once, at most
    uint64_t events{0};        ///< in windows, node by node
    uint64_t criticalPath{0};  ///< of each window the events of the process with most, added up
    uint64_t busiestThread{0}; ///< of each window the events of the thread with most, added up
    /** As criticalPath, or the mean per processor if that is more: with so many PROCESSORS. */
    uint64_t paths[std::size(PROCESSORS)]{};

    double serialSeconds{0};   ///< wall clock: one thread alone, between windows
    double parallelSeconds{0}; ///< wall clock: until the last thread was done with its processes,
                               ///< and, if several ran, with its part of the ordering

    /** Counts a window of so many \p events, \p most of one process. */
    void Count(uint64_t windowEvents, uint64_t most)
    {
        ++windows;
        events += windowEvents;
        criticalPath += most;
        for (size_t i = 0; i < std::size(PROCESSORS); ++i)
        {
            paths[i] += std::max(most, (windowEvents + PROCESSORS[i] - 1) / PROCESSORS[i]);
        }
    }
};

/**
 * \ingroup rdma
 * \brief Runs a network's events process by process, in windows of the least delay between
 * processes, with the result of one queue in the order of (time, place).
 *
 * A process is a node, or several that links join which are much shorter than the others. What it
 * does reaches another one by a link, so not before the window is over: within a window each
 * process runs alone, with a small queue of its own, and its state stays in the cache (DONS,
 * SIGCOMM 2023; Unison, EuroSys 2024). So several threads can run the processes of a window at
 * once: each some of them, the same until their loads have changed.
 *
 * Invariants:
 * - All that a process schedules within a window for another one is due after the window. So what
 *   arrives from others in a window is known when it begins: it is taken from the links and sorted
 *   at once (RdmaArrivals), and only what the process schedules for itself takes the queue.
 * - Events of the network as a whole (a flow that starts, a link that fails, ns-3's and the user's)
 *   belong to no process. Before the next of them, and before somebody may be told of a flow who
 *   acts on it (RdmaNetwork::GetAheadUntil), all processes have run up to its time and place, and
 *   no further. The rest of the window is merged: its events are in one queue, in order, also those
 *   that are scheduled meanwhile.
 * - Equal times: the order is that of scheduling, as in one queue. Within a window, a process takes
 *   provisional places, after all places taken before the window; that is the right order among
 *   its own events, and no others meet there. When the window is over, what was taken is put into
 *   the order in which one queue would have taken it: by the time, and at equal times by the place,
 *   of the event that took it (Rank). No shorter key gives that order: at equal times it depends on
 *   all events that led there, back to the start.
 * - Within a window a thread touches only nodes of its own processes, its own context (RdmaContext)
 *   and queue, and of flows only what the end of theirs there has. What it sends to a process of
 *   another thread waits in RdmaPort and in \c mail until that thread begins the next window.
 *   Outside of windows there is one queue and one thread, whatever contexts nodes have.
 * - What is counted, and frames that end away from their sender, are told when the window is over;
 *   so are ends of flows, and pauses, in order, with the clock at the time; who is told only looks
 *   on. Where that is not so for long (RdmaNetwork::WhyInOneQueue), all events are in the one queue
 *   again (Join).
 * - Which thread runs a process changes nothing but the provisional places.
 * - If there are ranks (RdmaRanks), each has threads of its own, as many as the others, whose nodes
 * only it runs. No window is merged: it is cut where the network as a whole does something, and
 * where somebody may be told of a flow. After each part all ranks tell each other what was taken,
 * what was sent, and what is to be told, so that each puts all places into the same order
 * (rdma-processes-ranks.cc).
 * - What was taken in a window is ranked by all threads that ran it, each a slice of its time
 *   (Slice). Places of an earlier slice may not be final yet: where they decide about equal times,
 *   the events that took them are compared instead, and so on (IsBefore); records do not change.
 */
class RdmaProcesses
{
  public:
    /**
     * \param queue of \p network
     * \param network that has started
     * \param use of threads
     * \param statistics to which windows are added; must outlive the processes
     */
    RdmaProcesses(RdmaEventQueue& queue,
                  RdmaNetwork& network,
                  const RdmaThreadUse& use,
                  RdmaWindowStatistics& statistics);
    /** \param ranks of which this is one; outlives the processes. \param use of threads, by each */
    RdmaProcesses(RdmaEventQueue& queue,
                  RdmaNetwork& network,
                  RdmaRanks& ranks,
                  const RdmaThreadUse& use,
                  RdmaWindowStatistics& statistics);
    ~RdmaProcesses();
    RdmaProcesses(const RdmaProcesses&) = delete;
    RdmaProcesses& operator=(const RdmaProcesses&) = delete;

    /** \return whether the next event is one of the window that is merged, at a node: the queue's
     * first */
    bool IsMerging() const
    {
        return m_queue.m_mergedEnd && !m_queue.IsEmpty() &&
               static_cast<uint64_t>(m_queue.FirstTime()) < m_queue.m_mergedEnd &&
               m_queue.m_heap.Front().event->m_process;
    }

    /** \return whether all events are in the one queue for now, and RunWindow would do nothing */
    bool Rests() const
    {
        return !m_ranks && (m_processes.empty() || (!m_split && m_queue.m_fired < m_worthFrom));
    }

    /**
     * Runs the next window.
     * \param time of the first event that is not the queue's, as ns-3 compares times
     * \param place of that event
     * \return whether anything was done; if not, the first event is one for the caller to run
     */
    bool RunWindow(uint64_t time, uint64_t place);

    /** Puts all events into the one queue. */
    void Join();

    /** Before anything happens outside of windows: makes all provisional places final, and brings
     * to its process what threads have sent to each other. */
    void Settle();

    /** Puts all frames where they are, too (RdmaEventQueue::Gather). */
    void Gather();

    /** Stops all ranks, when they next tell each other. */
    void AskRanksToStop();

    /** \return whether a rank asked for that, or one is lost */
    bool HaveRanksStopped() const;

    /** \return which rank is lost, and why, for people; empty if none is */
    std::string GetLostRank() const;

    /** The run is over: tells the other ranks how the flows and ports of this one stand. \return
     * the peak memory of each, KiB; none if a rank is lost, or there is one only */
    std::vector<uint64_t> ShareState();

    /** \param waits called while this rank waits for others */
    void SetWaits(std::function<void()> waits);

    /** \return whether a process has something to do; O(processes) */
    bool HasPending() const;

    /** \return the queue of the window that the calling thread runs; null if it runs none */
    static const RdmaEventQueue* GetRunning();

  private:
    friend class RdmaEventQueue;

    using Entry = RdmaEventEntry;
    using Key = Entry::Key;
    using Slice = RdmaSlice;
    using Record = Slice::Record;
    using TiedRecord = Slice::TiedRecord;
    using Taken = Slice::Taken;
    using TiedChain = Slice::TiedChain;

    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max();
    static constexpr uint64_t SLOTS = 64;     //!< windows that Lane::due knows
    static constexpr uint64_t LONGEST = 4096; //!< windows that a frame may be on a link
    static constexpr uint32_t PARTS = 64;     //!< of a window, into which slices are cut
    static constexpr uint32_t NO_TIED = Slice::NO_TIED;

    /** A process, on cache lines of its own. */
    struct alignas(64) Process
    {
        RdmaEventHeap heap;
        std::vector<Entry> inbox; //!< what came from outside since it ran
        uint64_t listed{NONE};    //!< the first window that it is listed for
        uint32_t lane{0};
        uint32_t load{0}; //!< events since the last look at loads
    };

    /** Sorted records before some time. */
    struct Before
    {
        uint32_t records{0};
        uint32_t places{0}; //!< that they took
    };

    /** What was sent by a port in a window to a process of another thread. */
    struct Letter
    {
        Entry first; //!< arrival
        RdmaPort* port;
        RdmaFrameFifo frames;
    };

    /** What one thread runs. */
    struct alignas(128) Lane
    {
        std::unique_ptr<RdmaEventQueue> ownQueue; //!< but of the first
        std::unique_ptr<RdmaContext> ownContext;  //!< but of the first
        RdmaEventQueue* queue{nullptr};
        RdmaContext* context{nullptr};
        std::vector<std::vector<uint32_t>> due;    //!< processes by window, of the next SLOTS
        using Far = std::pair<uint64_t, uint32_t>; //!< window, process
        std::priority_queue<Far, std::vector<Far>, std::greater<>> far; //!< beyond
        uint64_t current{0};                   //!< no process is listed for a window before
        std::vector<std::vector<Letter>> mail; //!< to each lane
        uint64_t mailTime{NONE};               //!< of the earliest of it; time steps
        std::vector<std::vector<Letter>> came; //!< from each lane

        // the window that runs, or the last one
        uint64_t visits{0};
        uint64_t events{0};
        uint64_t most{0};          //!< events of one process
        uint64_t latest{0};        //!< time of an event that has run; time steps
        uint64_t left{NONE};       //!< time of the first event seen that has not; time steps
        bool any{false};           //!< an event has run
        bool settled{true};        //!< no place is provisional
        RdmaArrivals arrivals;     //!< of the process that runs
        std::vector<uint32_t> ran; //!< processes
        std::vector<Record> records;
        std::vector<uint32_t>
            takers; //!< of each place that was taken, the index of its record; if there are slices
        std::vector<uint32_t> buckets;
        std::vector<Record> sorted;           //!< records, in the order of time
        std::array<Before, PARTS + 1> before; //!< the parts of the window; if there are more lanes
        Slice slice;                          //!< that the thread of this lane ranks
    };

    void Cut();
    void AssignToRanks(const RdmaCut& cut);
    void CheckRanks() const;
    uint64_t FindOwnDue();
    Key FindOwnFirst();
    Key FindFirstOf(Lane& own);
    Key FindFirst();
    bool RunRankWindow(Key others);
    void RunRankPart();
    void RunOwnLanes();
    bool TellRanks();
    void WriteMail(uint32_t rank, std::vector<std::byte>& bytes);
    void TakePart(uint32_t rank, const std::vector<std::byte>& bytes);
    bool Exchange(std::vector<std::vector<std::byte>>& out,
                  std::vector<std::vector<std::byte>>& in);

    /** Lanes beside each other. */
    struct LaneRange
    {
        Lane* first;
        Lane* last; //!< behind them

        Lane* begin() const
        {
            return first;
        }

        Lane* end() const
        {
            return last;
        }
    };

    /** \return the lanes of this rank; all, if there is one only */
    LaneRange GetOwn()
    {
        Lane* const first = m_lanes.data() + m_own;
        return {first, first + CountOwn()};
    }

    uint32_t CountOwn() const;
    bool IsOwn(uint32_t lane) const;
    void Split();
    size_t JoinQueues();
    void SplitContexts();
    bool AreApart(uint32_t a, uint32_t b) const;
    void MakeLanes(uint32_t count);
    void Review();
    void ExpectFirst();
    void Balance(const std::vector<uint64_t>& loads, uint64_t events);
    void Post(uint32_t process, const Entry& entry);
    void Send(uint32_t lane, const Entry& entry);
    void Land(const RdmaEventQueue& queue, const Entry& entry);
    void LandOutside();
    void Schedule(RdmaEvent& event, const RdmaDue& due);
    static void SendMail(Lane& lane);
    void List(uint32_t process, uint64_t time);
    bool FindWindow(Lane& lane);
    bool FindWindow();
    bool IsWorthIt();
    void Rest(uint64_t entries);
    bool IsMergedOver(uint64_t time);
    double ExpectPerVisit(uint64_t span) const;
    bool IsWorthPart(uint64_t from, uint64_t until) const;
    void Merge(uint64_t until);
    void MergeProcess(uint32_t process);
    void EndMerged();
    bool RunTo(uint64_t from, Key others);
    template <typename Use>
    static void ForFirst(const Process& process, Use use);
    void Fetch(const std::vector<uint32_t>& list, size_t i) const;
    bool RunLanes(bool threaded);
    void RunLane(uint32_t lane);
    void Abandon();
    uint64_t TakeInbox(Lane& lane, Process& p) const;
    bool RunProcess(Lane& lane, uint32_t process);
    void KeepRecord(Lane& lane, const RdmaDue& due, uint64_t first, bool chained) const;
    void SettleLane(Lane& lane);
    void ExchangeMail();
    void TakeMail(Lane& lane);
    void Close(bool threaded);
    bool HaveThreads();
    void RunThreads();
    uint32_t ShiftTo(uint64_t most) const;
    void SortRecords(Lane& lane) const;
    void CountParts(Lane& lane) const;
    void Rank(bool threaded);
    void CutSlices(uint32_t count);
    void RankSlice(Slice& slice);
    template <typename Iterator>
    void RankSorted(Slice& slice, Iterator at, Iterator end);
    template <typename Iterator>
    Iterator RankFew(Slice& slice, Iterator at, Iterator end) const;
    template <typename Iterator>
    Iterator RankAt(Slice& slice, Iterator at, Iterator end);
    void SortTied(Slice& slice) const;
    void SortRun(Slice& slice, TiedRecord* begin, TiedRecord* end) const;
    void SortByTakers(Slice& slice, TiedRecord* begin, TiedRecord* end) const;
    void SplitByTakers(Taken* begin, Taken* end) const;
    void RankChained(Slice& slice);
    void FindDue(Slice& slice) const;
    const Record& FindTaker(uint32_t lane, const Record& record) const;
    uint64_t RankKey(const Slice& slice, const Record& record) const;
    bool IsBefore(const Record& a, const Record& b) const;
    uint64_t Take(const RdmaPlaces::Moves& moves, uint64_t next, const Record& record) const;
    void KeepMoves(uint64_t places);

    RdmaEventQueue& m_queue;
    RdmaNetwork& m_network;
    const RdmaThreadUse m_use;
    std::unique_ptr<RdmaRankState> m_ranks; //!< null if there is one only
    uint32_t m_ofRank{0};                   //!< lanes of each, if there are several
    uint32_t m_own{0};                      //!< the first lane of this one
    bool m_split{false};
    bool m_gathered{false}; //!< all frames are in the ports that they left by
    uint64_t m_length{0};   //!< of a window, time steps
    uint64_t m_longest{0};  //!< that a place taken for a frame may be asked for, time steps
    std::vector<Process> m_processes;  //!< process p at p - 1; 0 stands for the network as a whole
    std::vector<uint64_t> m_farOf;     //!< of each process, its newest window in Lane::far, or NONE
    std::vector<uint32_t> m_processOf; //!< of each node
    std::vector<uint32_t> m_near;      //!< processes, neighbours mostly beside each other
    std::vector<Lane> m_lanes;
    std::vector<Entry> m_outside; //!< arrivals from one thread at another, scheduled by neither
    std::unique_ptr<RdmaThreads> m_threads; //!< null until they are worth it
    bool m_noThreads{false};                //!< there are none to be had
    std::vector<Entry> m_merged; //!< those that one process has in the window that is merged
    uint64_t m_mergedFrom{0};    //!< events fired when that began
    uint64_t m_mergedUntil{0};   //!< when what was merged last ended; time steps
    uint64_t m_visits{0};        //!< to processes, since the last look at what they are worth
    uint64_t m_firedBefore{0};   //!< events, at that time
    uint64_t m_windowsBefore{0}; //!< windows, merged ones included, at that time
    uint64_t m_worthFrom{0};     //!< events from which on windows are tried again
    uint64_t m_splitAt{0};       //!< events fired when the network was last split
    uint64_t m_rest{0};          //!< events in the one queue after windows that were too few
    uint64_t m_reviewAfter{0};   //!< windows until the next look at loads
    uint64_t m_reviewed{0};      //!< windows run at the last one
    uint64_t m_reviewEvents{0};  //!< events in windows at the last one
    double m_reviewSeconds{0};   //!< that windows had taken at the last one
    RdmaThreadTrial m_trial;
    uint64_t m_recent{0}; //!< events of the last window
    double m_density{0};  //!< events per time step of late
    bool m_begun{false};  //!< ExpectFirst has been called
    RdmaWindowStatistics& m_statistics;

    // the window that runs
    uint64_t m_current{0};    //!< window
    uint64_t m_begin{0};      //!< time steps
    uint64_t m_base{0};       //!< first place that is taken in it
    Key m_end{0};             //!< nothing runs from here on
    uint64_t m_partLength{0}; //!< that is run; time steps
    bool m_ranking{false};    //!< threads rank slices, else they run lanes
    std::vector<std::pair<uint64_t, uint64_t>>
        m_bases; //!< end and base of windows whose moves are kept
};

} // namespace ns3

#endif // RDMA_PROCESSES_H
