/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_LIVE_LIVE_H
#define MPI_LIVE_LIVE_H

#include "workload-mpi-format.h"
#include "wormhole-live-client.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mpi.h>
#include <pthread.h>
#include <time.h>
#include <unordered_map>
#include <vector>

namespace mpilive
{

using Function = ns3::WorkloadMpiCall;

/** Tags of messages, and as many of collectives' data; those of Open MPI have 31 bits. */
constexpr uint64_t TAGS = 1 << 29;

/** A copy of a buffer, so that its owner may go on before it is sent. */
class Copy
{
  public:
    Copy(const void* buffer, int count, MPI_Datatype type);

    /** \return what stands for the buffer's address */
    void* Address();

  private:
    std::vector<char> m_bytes;
    MPI_Aint m_first{0}; //!< of the first byte, from the address
};

/** Moves what a collective's member gets, at its end. \return an error of MPI */
using Finish = std::function<int()>;

/** A communicator of the program. */
struct Communicator
{
    uint32_t number{0}; //!< in what this rank says
    MPI_Comm handle{MPI_COMM_NULL};
    int rank{0};
    std::vector<int> members; //!< ranks of MPI_COMM_WORLD
    int collectives{0};       //!< begun by this rank

    /** \return the tag of the next collective's data */
    int NextTag();

    /** \return the member that a rank of MPI_COMM_WORLD is */
    int MemberOf(int world) const;
};

/** A process of the program, its clock, and its connection to the simulation. */
class Process
{
  public:
    static Process& Get();

    /** Connects, once MPI runs. */
    void Open();

    /** Says that the rank has finished; then what it has sent may still be on its way. */
    void Finish();

    /** \return the simulated time, s */
    double Seconds();

    /** \return whether this thread's time is simulated */
    bool IsMine() const
    {
        return m_client && pthread_equal(pthread_self(), m_thread);
    }

    /** Lets the rank compute, in simulated time. \param ns to add */
    void Compute(double ns);

    /** Begins a message to the simulation. After many that are not answered, the simulation reads
     * them first. */
    void Begin(uint8_t kind, Function function, std::initializer_list<uint64_t> numbers);
    void Put(uint64_t number);

    /** Sends the messages, and waits for the answer; data move meanwhile. */
    void Ask();

    /** \return the next number of the answer */
    uint64_t Read();

    /** Waits until all of a communicator are here. */
    void Together(Function function, const Communicator& comm);

    /** \return whether the simulation lets the sender of so many bytes go on at once */
    bool IsShort(uint64_t bytes) const
    {
        return bytes <= m_eagerBytes;
    }

    /** \return the number of a new request, from 1 */
    uint32_t NextRequest()
    {
        return ++m_lastRequest;
    }

    /** Sends a copy by MPI, without waiting. */
    void SendCopy(const std::shared_ptr<Copy>& copy,
                  int count,
                  MPI_Datatype type,
                  int to,
                  int tag,
                  MPI_Comm comm);

    /** \return the tag of the next message to a rank of MPI_COMM_WORLD */
    int NextTag(int to);

    /** Counts collectives of the MPI library that go on. */
    void CountReal(int change)
    {
        m_real += change;
    }

    timespec startReal{};      //!< time of day when the rank's time began
    timespec startMonotonic{}; //!< the same, by a clock that only goes forward

  private:
    friend class Call;

    void Enter(Function function);
    [[noreturn]] void RefuseThread(Function function);
    void Leave();
    void Progress();
    double ComputedNs() const;

    wormhole_live_client* m_client{nullptr};
    uint64_t m_timePs{0};   //!< of the last answer
    double m_computedNs{0}; //!< since the last message
    double m_saidNs{0};     //!< since the last answer, in messages
    double m_scale{1};      //!< of measured computing
    double m_pollNs{0};   //!< of an MPI_Wtime that follows another one, without measured computing
    bool m_looked{false}; //!< the last call was MPI_Wtime
    double m_leftNs{0};   //!< processor time when MPI was left
    pthread_t m_thread{};
    std::atomic<bool> m_inside{false}; //!< of a function of MPI
    uint64_t m_eagerBytes{0};
    uint32_t m_unanswered{0}; //!< messages since the last answer
    uint32_t m_lastRequest{0};
    int m_real{0};
    std::vector<MPI_Request> m_sending;          //!< messages that MPI has not sent yet
    std::vector<std::shared_ptr<Copy>> m_copies; //!< their data
    std::unordered_map<int, uint64_t> m_numbers; //!< of messages, by destination
};

/** A call of an MPI function, from its entry to its return. */
class Call
{
  public:
    explicit Call(Function function)
    {
        Process::Get().Enter(function);
    }

    ~Call()
    {
        Process::Get().Leave();
    }

    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
};

/** A request of the program. Its handle is its address. */
struct Request
{
    Function function{Function::Wait}; //!< that began it
    uint32_t number{0};
    bool active{false}; //!< begun, and not completed
    bool over{false};   //!< in the simulation
    bool persistent{false};
    bool cancelled{false};
    bool receives{false}; //!< its status has source, tag and bytes
    std::shared_ptr<Communicator> comm;
    std::function<int(Request&)> finish; //!< moves what is left to move; fills in the status
    std::function<void(Request&)> start; //!< of a persistent one
    MPI_Status status{};
    int source{0}; //!< of what a receive got: rank of MPI_COMM_WORLD
    int tag{0};
    uint64_t messageNumber{0};
};

/** \return the request of a handle; null if it is the MPI library's */
Request* OwnRequest(MPI_Request handle);

/** \return the handle of a request, which is the program's from now on */
MPI_Request HandleOf(std::unique_ptr<Request> request);

/** Deletes a request, whose handle stands for nothing any more. */
void Forget(Request* request);

/** Waits for a request, and completes it. \return what MPI returns */
int Complete(Function function, Request& request, MPI_Status* status);

/** \return a communicator of the program. Ends the program if it is none that is simulated. */
std::shared_ptr<Communicator> Find(MPI_Comm comm);

/** \return whether a communicator is none, so that the MPI library refuses it */
bool IsCommRefused(MPI_Comm comm);

/** \return whether the root of a collective is no member of its communicator */
bool IsRootRefused(int root, MPI_Comm comm);

/** Sets the times of now, whatever the program's clocks say. */
void SetStart(timespec& real, timespec& monotonic);

/** Sets what there is to say of nothing. */
void SetEmpty(MPI_Status* status, int source);

/** Ends the program, for what is not simulated. \param kind how the simulation is told */
[[noreturn]] void GiveUp(Function function, wormhole_live_kind kind = WORMHOLE_LIVE_UNSUPPORTED);

} // namespace mpilive

#endif // MPI_LIVE_LIVE_H
