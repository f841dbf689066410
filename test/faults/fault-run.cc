/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-run.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace faults
{

namespace
{

constexpr std::chrono::microseconds LOOK{500};

std::atomic<int> g_started{0};

[[noreturn]] void
Become(const Sandbox& box,
       const Circumstances& circumstances,
       const std::string& errors,
       std::vector<char*> arguments)
{
    constexpr mode_t MODE = 0600;
    const int out = chdir(box.PathOf("").c_str()) == 0
                        ? open(circumstances.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, MODE)
                        : -1;
    const int err = creat(errors.c_str(), MODE);
    if (out >= 0 && err >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
    {
        Limit(RLIMIT_CORE, 0);
        if (circumstances.prepare)
        {
            circumstances.prepare();
        }
        execv(arguments[0], arguments.data());
    }
    _exit(127);
}

} // namespace

FaultRun::FaultRun(const Sandbox& box, const Words& words, const Circumstances& circumstances)
    : m_box(box),
      m_circumstances(circumstances),
      m_err(".err" + std::to_string(g_started++)),
      m_begin(std::chrono::steady_clock::now())
{
    Words command = harness::With({Sandbox::GetWormhole()}, words);
    std::vector<char*> arguments;
    for (std::string& word : command)
    {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    m_child = fork();
    if (m_child == 0)
    {
        Become(m_box, m_circumstances, m_err, arguments);
    }
}

ProgramResult
FaultRun::Wait()
{
    bool signalled = m_circumstances.signal == 0;
    bool hung = false;
    int status = 0;
    while (waitpid(m_child, &status, WNOHANG) == 0)
    {
        const auto since = std::chrono::steady_clock::now() - m_begin;
        if (!signalled && since >= m_circumstances.signalAfter)
        {
            kill(m_child, m_circumstances.signal);
            signalled = true;
        }
        if (!hung && since >= m_circumstances.longest)
        {
            kill(m_child, SIGKILL);
            hung = true;
        }
        std::this_thread::sleep_for(LOOK);
    }
    const int exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    const bool kept = m_circumstances.out == ".out";
    return {hung ? HUNG : exit, kept ? m_box.Read(".out") : "", m_box.Read(m_err)};
}

ProgramResult
RunUnder(const Sandbox& box, const Words& words, const Circumstances& circumstances)
{
    return FaultRun(box, words, circumstances).Wait();
}

void
Limit(int resource, uint64_t most)
{
    const rlimit limit{most, most};
    if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0)
    {
        _exit(127);
    }
}

void
BecomeNobody()
{
    constexpr uid_t NOBODY = 65534;
    if (geteuid() == 0 &&
        (setgroups(0, nullptr) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
    {
        _exit(127);
    }
}

std::vector<std::string>
WholeLines(const Sandbox& box, const std::string& name)
{
    std::vector<std::string> lines;
    const std::string text = box.Read(name);
    size_t begin = 0;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin))
    {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

} // namespace faults
