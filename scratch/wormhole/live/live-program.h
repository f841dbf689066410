/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_PROGRAM_H
#define WORMHOLE_CLI_LIVE_PROGRAM_H

#include "command/commands.h"
#include "live-message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wormhole
{

constexpr int LIVE_LOOK_MS = 100;       ///< between looks at what makes no noise
constexpr size_t LIVE_FRAME_LENGTH = 4; ///< bytes of a frame's length

/** How a program of MPI is started. */
struct LiveLaunch
{
    Words words;            ///< the command: mpirun -np 16 ./app
    std::string library;    ///< to be loaded into it
    double scale{1};        ///< of the time that it computes
    int64_t pollNs{1000};   ///< that a look takes which finds nothing
    uint64_t eagerBytes{0}; ///< most of a message whose send does not wait for its receive
    bool toErrors{false};   ///< its standard output goes to standard error
};

/**
 * A program of MPI that runs, and the connections to its ranks. It gets no signals of ours, and
 * ends with this, or with this process.
 */
class LiveProgram
{
  public:
    /** What Await() found. */
    enum class State
    {
        READY,      ///< frames of all
        LATE,       ///< not all of them, after LIVE_LOOK_MS at most
        GONE,       ///< a rank's process has ended; see GetGone()
        INTERRUPTED ///< a signal came to us
    };

    /** Starts the program. \throws InputError if that is impossible */
    explicit LiveProgram(const LiveLaunch& launch);
    ~LiveProgram();
    LiveProgram(const LiveProgram&) = delete;
    LiveProgram& operator=(const LiveProgram&) = delete;

    /** Waits until all ranks have called MPI_Init. \throws InputError if the program ends before
     * \throws Interrupted for a signal */
    void Connect();

    uint32_t GetRankCount() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /** Waits a little for a frame of each of these ranks. \param any of one of them is enough */
    State Await(const std::vector<uint32_t>& ranks, bool any = false);

    /** Looks for frames of these ranks. \param ms to wait for one \return the ranks that have one
     */
    std::vector<uint32_t> Look(const std::vector<uint32_t>& ranks, int ms);

    /** \return whether a rank has said something that is not taken yet */
    bool HasSaid(uint32_t rank) const
    {
        return !m_ranks[rank].bytes.empty();
    }

    /** \return the frame that Await() or Look() found */
    std::string TakeFrame(uint32_t rank);

    /** Sends a frame. That a rank is gone, Await() says. */
    void Send(uint32_t rank, const std::string& frame);

    /** The rank says nothing any more, and may end. */
    void Release(uint32_t rank);

    /** \return the rank that ended first, and how many others have ended since, for people */
    std::string GetGone() const
    {
        return m_gone;
    }

    /** Ends the program, unless it has ended. */
    void Kill();

    /** Waits for the program's end. \return its exit code; 128 + the signal if one killed it */
    int Wait();

  private:
    /** A connection. */
    struct Rank
    {
        int socket{-1};
        uint32_t process{0};
        std::string bytes; //!< that have come
    };

    void Listen();
    void Launch(const LiveLaunch& launch);
    void Enlist(int socket);
    bool HasFrame(const Rank& rank) const;
    void Read(Rank& rank) const;
    std::vector<uint32_t> ReadSome(const std::vector<uint32_t>& ranks, int ms, bool& gone);
    void NameGone();
    bool Reap(int options);

    std::string m_name;   //!< of what was started
    std::string m_folder; //!< of the socket; empty once it is gone
    int m_listener{-1};
    int m_hangUps{-1};  //!< tells which connection ended first
    pid_t m_process{0}; //!< 0 once it has ended
    int m_exit{0};
    uint32_t m_connected{0};
    std::vector<Rank> m_ranks;
    std::string m_gone;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_PROGRAM_H
