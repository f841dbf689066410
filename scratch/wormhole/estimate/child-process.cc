/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "child-process.h"

#include "command/exec-arguments.h"
#include "terminal/signals.h"
#include "terminal/wall-clock.h"

#include "ns3/output-error.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pthread.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace wormhole
{

namespace
{

double
Seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::string
PathOfThisProgram()
{
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
    {
        throw ns3::OutputError("/proc/self/exe: " + error.message() +
                               "; compare runs this program again, and needs its path");
    }
    return path.string();
}

/** \return the process. \param mask of signals that it begins with */
pid_t
Spawn(const Words& words, const std::string& outputs, const sigset_t& mask)
{
    std::string program = PathOfThisProgram();
    Words copies{program};
    copies.insert(copies.end(), words.begin(), words.end());
    const std::vector<char*> arguments = ExecArguments(copies);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files,
                                     STDOUT_FILENO,
                                     outputs.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &mask);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, program.c_str(), &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error)
    {
        throw ns3::OutputError(program + " cannot be run with output to " + outputs + ": " +
                               ns3::ErrorText(error));
    }
    return child;
}

} // namespace

ChildProcesses::ChildProcesses()
    : m_signals(EndingSignals())
{
    sigaddset(&m_signals, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_maskBefore);
}

ChildProcesses::~ChildProcesses()
{
    pthread_sigmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

pid_t
ChildProcesses::Start(const Words& words, const std::string& outputs)
{
    const WallClock::time_point begin = WallClock::now();
    const pid_t child = Spawn(words, outputs, m_maskBefore);
    m_running.emplace(child, begin);
    return child;
}

/** \return whether a process has ended, with \p ended set */
bool
ChildProcesses::Reap(std::pair<pid_t, ChildResult>& ended)
{
    for (const auto& [child, begin] : m_running)
    {
        int status = 0;
        rusage usage{};
        if (wait4(child, &status, WNOHANG, &usage) == 0)
        {
            continue;
        }
        ChildResult& result = ended.second;
        ended.first = child;
        result.wallSeconds = SecondsSince(begin);
        result.cpuSeconds = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
        result.peakMemoryKib = static_cast<uint64_t>(usage.ru_maxrss);
        result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        m_running.erase(child);
        return true;
    }
    return false;
}

std::pair<pid_t, ChildResult>
ChildProcesses::Wait()
{
    std::pair<pid_t, ChildResult> ended;
    while (!Reap(ended))
    {
        siginfo_t info{};
        const int signal = sigwaitinfo(&m_signals, &info);
        if (signal == SIGCHLD || signal <= 0)
        {
            continue;
        }
        ended.second.interrupted = true;
        for (const auto& [child, begin] : m_running)
        {
            if (info.si_code != SI_KERNEL) // else the terminal has told them, too
            {
                kill(child, signal);
            }
        }
    }
    return ended;
}

ChildResult
ChildProcesses::Run(const Words& words, const std::string& outputs)
{
    Start(words, outputs);
    return Wait().second;
}

void
ChildProcesses::TellStoreWarnings(const std::string& outputs)
{
    std::ifstream in(outputs);
    for (std::string line; std::getline(in, line);)
    {
        if (line.rfind("wormhole: warning: episode store ", 0) == 0 && m_told.insert(line).second)
        {
            std::cerr << line << std::endl;
        }
    }
}

} // namespace wormhole
