/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What the functions of libwormhole-live.so share: the clock, the connection, data on their way.
 */

#include "live.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <time.h>
#include <unistd.h>

namespace mpilive
{

namespace
{

/** How often to look for an answer at once, while data are on their way; then each millisecond. */
constexpr int EAGER_LOOKS = 50;

/** So many messages that MPI has not sent yet are few: it tries to send each of them in each of its
 * functions. */
constexpr size_t FEW_SENDING = 64;

/** Time of day at which programs begin whose computing is not measured, so that their runs are
 * alike: 2000-01-01, s since 1970. */
constexpr time_t FIRST_DAY = 946'684'800;

/** Most messages that the simulation has not read. */
constexpr uint32_t MOST_UNANSWERED = 1000;

/** \return processor time of this thread, ns */
double
ProcessorNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double
Setting(const char* name)
{
    const char* const text = getenv(name);
    return text ? strtod(text, nullptr) : 0;
}

/** Ends a program without a simulation. */
[[noreturn]] void
End(const char* what)
{
    fprintf(stderr, "wormhole live: %s\n", what);
    PMPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

/** The simulation has ended, and ends us. */
[[noreturn]] void
WaitForEnd()
{
    constexpr unsigned SECONDS = 10;
    sleep(SECONDS);
    _exit(1);
}

} // namespace

Copy::Copy(const void* buffer, int count, MPI_Datatype type)
{
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Aint length = 0;
    PMPI_Type_get_extent(type, &bound, &extent);
    PMPI_Type_get_true_extent(type, &m_first, &length);
    if (count > 0)
    {
        // types whose extent is negative begin with their last element
        const MPI_Aint far = extent * (count - 1);
        m_first += std::min<MPI_Aint>(far, 0);
        const char* const first = static_cast<const char*>(buffer) + m_first;
        m_bytes.assign(first, first + length + std::abs(far));
    }
}

void*
Copy::Address()
{
    return m_bytes.data() - m_first;
}

int
Communicator::NextTag()
{
    return static_cast<int>(TAGS + static_cast<uint64_t>(collectives++) % TAGS);
}

int
Communicator::MemberOf(int world) const
{
    return static_cast<int>(std::find(members.begin(), members.end(), world) - members.begin());
}

Process&
Process::Get()
{
    // it must outlive all that the program destroys at its end
    static auto* process = new Process;
    return *process;
}

void
Process::Open()
{
    const char* const socket = getenv("WORMHOLE_LIVE_SOCKET");
    if (!socket)
    {
        End("libwormhole-live.so is loaded, but the program was not started by wormhole live");
    }
    m_scale = Setting("WORMHOLE_LIVE_SCALE");
    m_pollNs = Setting("WORMHOLE_LIVE_POLL");
    m_eagerBytes = static_cast<uint64_t>(Setting("WORMHOLE_LIVE_EAGER"));
    int rank = 0;
    int ranks = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    m_client =
        wormhole_live_connect(socket, static_cast<uint32_t>(rank), static_cast<uint32_t>(ranks));
    if (!m_client)
    {
        fprintf(stderr, "wormhole live: %s: %s\n", socket, strerror(errno));
        End("all ranks must run on the machine of wormhole live");
    }
    m_thread = pthread_self();
    while (wormhole_live_look(m_client, -1) == 0)
    {
    }
    m_timePs = Read();
    if (m_scale > 0)
    {
        SetStart(startReal, startMonotonic);
    }
    else
    {
        startReal.tv_sec = FIRST_DAY;
    }
    Leave();
}

void
Process::Finish()
{
    Begin(WORMHOLE_LIVE_FINISH, Function::Finalize, {});
    Ask();
    PMPI_Waitall(static_cast<int>(m_sending.size()), m_sending.data(), MPI_STATUSES_IGNORE);
    m_sending.clear();
    m_copies.clear();
}

void
Process::Enter(Function function)
{
    if (!m_client)
    {
        fprintf(stderr, "wormhole live: MPI_%s: ", ns3::WorkloadMpiCallName(function));
        End("MPI_Init was not called before, or not by a program in C or C++");
    }
    if (!pthread_equal(pthread_self(), m_thread))
    {
        RefuseThread(function);
    }
    m_inside = true;
    m_computedNs += ComputedNs();
    m_looked = false;
}

/** Ends the program, whose second thread calls MPI. */
void
Process::RefuseThread(Function function)
{
    if (m_inside)
    {
        // the first one waits for the simulation, which does not listen to us then
        fprintf(stderr,
                "wormhole live: a second thread called MPI_%s, while another one is in MPI; only "
                "the thread that called MPI_Init may call MPI\n",
                ns3::WorkloadMpiCallName(function));
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    GiveUp(function, WORMHOLE_LIVE_THREAD);
}

void
Process::Leave()
{
    m_inside = false;
    m_leftNs = ProcessorNs();
}

double
Process::ComputedNs() const
{
    return m_scale > 0 ? (ProcessorNs() - m_leftNs) * m_scale : 0;
}

double
Process::Seconds()
{
    if (!m_client)
    {
        return 0;
    }
    if (m_looked && m_scale <= 0)
    {
        m_computedNs += m_pollNs;
    }
    m_looked = true;
    return static_cast<double>(m_timePs) * 1e-12 + (m_saidNs + m_computedNs + ComputedNs()) * 1e-9;
}

void
Process::Compute(double ns)
{
    m_computedNs += std::round(ns);
}

void
Process::Begin(uint8_t kind, Function function, std::initializer_list<uint64_t> numbers)
{
    if (++m_unanswered > MOST_UNANSWERED)
    {
        m_unanswered = 0;
        Begin(WORMHOLE_LIVE_WAIT, function, {WORMHOLE_LIVE_ALL, 0});
        Ask();
    }
    const double whole = std::floor(m_computedNs);
    m_computedNs -= whole;
    m_saidNs += whole;
    wormhole_live_begin(m_client,
                        kind,
                        static_cast<uint8_t>(function),
                        static_cast<uint64_t>(whole));
    for (const uint64_t number : numbers)
    {
        Put(number);
    }
}

void
Process::Put(uint64_t number)
{
    wormhole_live_put(m_client, number);
}

uint64_t
Process::Read()
{
    return wormhole_live_get(m_client);
}

void
Process::Ask()
{
    if (wormhole_live_ask(m_client) != 0)
    {
        WaitForEnd();
    }
    int answered = 0;
    for (int look = 0; answered == 0; ++look)
    {
        const bool moving = !m_sending.empty() || m_real > 0;
        answered = wormhole_live_look(m_client, !moving ? -1 : look < EAGER_LOOKS ? 0 : 1);
        if (answered == 0 && moving)
        {
            Progress();
        }
    }
    if (answered < 0)
    {
        WaitForEnd();
    }
    m_timePs = Read();
    m_saidNs = 0;
    m_unanswered = 0;
}

/** Lets the MPI library move data. */
void
Process::Progress()
{
    // a test of each one by itself would try to send all others each time
    const auto count = static_cast<int>(m_sending.size());
    std::vector<int> over(m_sending.size());
    int sent = 0;
    PMPI_Testsome(count, m_sending.data(), &sent, over.data(), MPI_STATUSES_IGNORE);
    size_t left = 0;
    for (size_t i = 0; sent > 0 && i < m_sending.size(); ++i)
    {
        if (m_sending[i] != MPI_REQUEST_NULL)
        {
            m_sending[left] = m_sending[i];
            m_copies[left++] = std::move(m_copies[i]);
        }
    }
    if (sent > 0)
    {
        m_sending.resize(left);
        m_copies.resize(left);
    }
    int found = 0;
    PMPI_Iprobe(0, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

void
Process::Together(Function function, const Communicator& comm)
{
    Begin(WORMHOLE_LIVE_TOGETHER, function, {comm.number});
    Ask();
}

void
Process::SendCopy(const std::shared_ptr<Copy>& copy,
                  int count,
                  MPI_Datatype type,
                  int to,
                  int tag,
                  MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(copy->Address(), count, type, to, tag, comm, &request);
    int over = 0;
    if (m_sending.size() < FEW_SENDING)
    {
        PMPI_Test(&request, &over, MPI_STATUS_IGNORE);
    }
    if (!over)
    {
        m_sending.push_back(request);
        m_copies.push_back(copy);
    }
}

int
Process::NextTag(int to)
{
    return static_cast<int>(m_numbers[to]++ % TAGS);
}

void
SetEmpty(MPI_Status* status, int source)
{
    if (status != MPI_STATUS_IGNORE)
    {
        status->MPI_SOURCE = source;
        status->MPI_TAG = MPI_ANY_TAG;
        PMPI_Status_set_elements(status, MPI_BYTE, 0);
        PMPI_Status_set_cancelled(status, 0);
    }
}

void
GiveUp(Function function, wormhole_live_kind kind)
{
    Process& process = Process::Get();
    process.Begin(kind, function, {});
    process.Ask(); // which is not answered
    WaitForEnd();
}

} // namespace mpilive
