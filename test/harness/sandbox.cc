/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sandbox.h"

#include "harness/sanitized.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace harness
{

namespace
{

const char* const OUT = ".out";
const char* const ERR = ".err";

/** In the child: what is left to do becomes the program. */
[[noreturn]] void
Become(const std::string& folder, std::vector<char*> arguments)
{
    const int out = chdir(folder.c_str()) == 0 ? creat(OUT, 0600) : -1;
    const int err = creat(ERR, 0600);
    if (out >= 0 && err >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
    {
        execv(arguments[0], arguments.data());
    }
    _exit(127);
}

} // namespace

bool
HoldsBack(int process, int signal)
{
    // as proc(5) has it, of the main thread: SigBlk, a tab, and a bit for each signal
    const std::string NAME = "SigBlk:";
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
    {
        if (line.compare(0, NAME.size(), NAME) == 0)
        {
            return (std::stoull(line.substr(NAME.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
        }
    }
    return false;
}

Words
With(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Sandbox::Sandbox(std::string program)
    : m_program(std::move(program))
{
}

const char*
Sandbox::GetWormhole()
{
    const char* const other = std::getenv("WORMHOLE_PROGRAM");
    return other ? other : WORMHOLE_BINARY;
}

bool
Sandbox::IsSlow()
{
    return IsSanitized() || GetWormhole() != std::string(WORMHOLE_BINARY);
}

int
Sandbox::Start(const std::vector<std::string>& words) const
{
    std::vector<std::string> command{m_program};
    command.insert(command.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& word : command)
    {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0)
    {
        Become(PathOf(""), arguments);
    }
    return child;
}

ProgramResult
Sandbox::Wait(int child) const
{
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
            Read(OUT),
            Read(ERR)};
}

ProgramResult
Sandbox::Run(const std::vector<std::string>& words) const
{
    return Wait(Start(words));
}

ProgramResult
Sandbox::RunAndSignal(const std::vector<std::string>& words,
                      int signal,
                      const std::function<bool()>& ready) const
{
    return RunAndSignal(words, signal, [&ready](int) { return ready(); });
}

ProgramResult
Sandbox::RunAndSignal(const std::vector<std::string>& words,
                      int signal,
                      const std::function<bool(int)>& ready) const
{
    const int child = Start(words);
    constexpr int MOST_LOOKS = 6000; // a minute
    for (int i = 0; i < MOST_LOOKS && !ready(child); ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(child, signal);
    return Wait(child);
}

} // namespace harness
