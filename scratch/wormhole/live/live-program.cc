/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-program.h"

#include "command/exec-arguments.h"
#include "terminal/signals.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/output-error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormhole
{

namespace
{

using ns3::InputError;

constexpr int ENDING_LOOKS = 500; // that a program has to end after a signal: 5 s
constexpr int ABORT_LOOKS = 1000; // that mpirun has to end what a rank has left: 10 s

[[noreturn]] void
FailOfSystem(const std::string& what)
{
    throw ns3::OutputError(what + ": " + ns3::ErrorText(errno));
}

/** What the program's process does before it becomes the program; it must not return. */
[[noreturn]] void
BecomeLiveProgram(const LiveLaunch& launch, std::vector<char*>& arguments, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0); // Ctrl-C is for us, who end it in order
    if (getppid() != parent)
    {
        _exit(1);
    }
    // a process group in the background would be stopped when it reads from the terminal
    const int nothing = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY) : -1;
    if (nothing >= 0)
    {
        dup2(nothing, STDIN_FILENO);
    }
    if (launch.toErrors)
    {
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    execvp(arguments.front(), arguments.data());
    _exit(127);
}

} // namespace

LiveProgram::LiveProgram(const LiveLaunch& launch)
    : m_name(launch.words.front())
{
    Listen();
    Launch(launch);
}

LiveProgram::~LiveProgram()
{
    Kill();
    for (const Rank& rank : m_ranks)
    {
        if (rank.socket >= 0)
        {
            close(rank.socket);
        }
    }
    close(m_hangUps);
    close(m_listener);
    std::error_code error;
    std::filesystem::remove_all(m_folder, error);
}

void
LiveProgram::Listen()
{
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    m_folder = (place / "wormhole-live-XXXXXX").string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (error || !mkdtemp(m_folder.data()))
    {
        FailOfSystem(m_folder + " cannot be made");
    }
    const std::string path = m_folder + "/socket";
    if (path.size() >= sizeof(address.sun_path))
    {
        throw InputError(path + ": too long for a socket; set TMPDIR to a shorter path");
    }
    path.copy(address.sun_path, path.size());
    m_hangUps = epoll_create1(EPOLL_CLOEXEC);
    m_listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (m_hangUps < 0 || m_listener < 0 ||
        bind(m_listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        listen(m_listener, SOMAXCONN) != 0)
    {
        FailOfSystem(path + " cannot be listened at");
    }
    setenv("WORMHOLE_LIVE_SOCKET", path.c_str(), 1);
}

void
LiveProgram::Launch(const LiveLaunch& launch)
{
    Words words = launch.words;
    std::vector<char*> arguments = ExecArguments(words);
    const char* before = getenv("LD_PRELOAD");
    const std::string kept = before ? before : "";
    setenv("LD_PRELOAD",
           before ? (launch.library + ":" + kept).c_str() : launch.library.c_str(),
           1);
    setenv("WORMHOLE_LIVE_SCALE", ns3::NumberText(launch.scale).c_str(), 1);
    setenv("WORMHOLE_LIVE_POLL", std::to_string(launch.pollNs).c_str(), 1);
    setenv("WORMHOLE_LIVE_EAGER", std::to_string(launch.eagerBytes).c_str(), 1);
    const pid_t parent = getpid();
    m_process = fork();
    if (m_process == 0)
    {
        BecomeLiveProgram(launch, arguments, parent);
    }
    const int error = errno;
    before ? setenv("LD_PRELOAD", kept.c_str(), 1) : unsetenv("LD_PRELOAD");
    if (m_process < 0)
    {
        m_process = 0;
        errno = error;
        FailOfSystem("no process can be made");
    }
    setpgid(m_process, m_process); // whoever of the two comes first
}

void
LiveProgram::Connect()
{
    Signals signals;
    while (m_ranks.empty() || m_connected < m_ranks.size())
    {
        pollfd waited{m_listener, POLLIN, 0};
        if (poll(&waited, 1, LIVE_LOOK_MS) > 0)
        {
            const int made = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            made >= 0 ? Enlist(made) : void();
        }
        else if (Reap(WNOHANG))
        {
            const std::string how = std::to_string(m_exit);
            throw InputError(
                m_exit == 127
                    ? ns3::ShownText(m_name) +
                          ": cannot be run, or ended with exit code 127; give a program's name "
                          "or path after --"
                : m_ranks.empty()
                    ? "the program ended with exit code " + how +
                          ", and none of its ranks called MPI_Init with Open MPI's functions of C"
                    : "the program ended with exit code " + how + " when " +
                          std::to_string(m_connected) + " of " + std::to_string(m_ranks.size()) +
                          " ranks had called MPI_Init");
        }
        if (signals.Take())
        {
            throw Interrupted();
        }
    }
    // nobody else may connect, and nothing is left behind however this process ends
    std::error_code error;
    std::filesystem::remove_all(m_folder, error);
}

void
LiveProgram::Enlist(int socket)
{
    Rank rank;
    rank.socket = socket;
    constexpr int HELLO_MS = 5000;
    while (!HasFrame(rank))
    {
        pollfd waited{socket, POLLIN, 0};
        const size_t before = rank.bytes.size();
        if (poll(&waited, 1, HELLO_MS) > 0)
        {
            Read(rank);
        }
        if (rank.bytes.size() == before)
        {
            close(socket);
            return; // it ended, or is nobody of ours
        }
    }
    const LiveHello hello = ReadLiveHello(rank.bytes.substr(LIVE_FRAME_LENGTH));
    if (m_ranks.empty())
    {
        m_ranks.resize(hello.ranks);
    }
    if (hello.ranks != m_ranks.size() || m_ranks[hello.rank].socket >= 0)
    {
        close(socket);
        throw InputError("two programs connect, or one rank twice: start one program of MPI with "
                         "mpirun behind --");
    }
    rank.process = hello.process;
    rank.bytes.clear();
    epoll_event event{};
    event.events = EPOLLRDHUP | EPOLLET;
    event.data.u32 = hello.rank;
    epoll_ctl(m_hangUps, EPOLL_CTL_ADD, socket, &event);
    m_ranks[hello.rank] = rank;
    ++m_connected;
}

bool
LiveProgram::Reap(int options)
{
    int status = 0;
    while (m_process > 0)
    {
        const pid_t ended = waitpid(m_process, &status, options);
        if (ended == m_process)
        {
            m_exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            m_process = 0;
        }
        else if (ended == 0 || errno != EINTR)
        {
            return false;
        }
    }
    return true;
}

void
LiveProgram::Kill()
{
    // mpirun ends the other ranks by itself once one is gone, and crashes by a signal meanwhile
    const int first = m_gone.empty() ? 0 : ABORT_LOOKS;
    for (int look = 0; !Reap(WNOHANG); ++look)
    {
        if (look == first || look == first + ENDING_LOOKS)
        {
            kill(-m_process, look == first ? SIGTERM : SIGKILL);
        }
        poll(nullptr, 0, LIVE_LOOK_MS / 10);
    }
}

int
LiveProgram::Wait()
{
    Reap(0);
    return m_exit;
}

} // namespace wormhole
