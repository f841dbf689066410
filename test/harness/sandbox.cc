/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sandbox.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

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

Words
With(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Sandbox::Sandbox()
{
    std::string pattern = (fs::temp_directory_path() / "wormhole-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
    {
        throw std::runtime_error("no temporary folder");
    }
    m_folder = pattern;
}

Sandbox::~Sandbox()
{
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

std::string
Sandbox::PathOf(const std::string& name) const
{
    return (fs::path(m_folder) / name).string();
}

void
Sandbox::Write(const std::string& name, const std::string& text) const
{
    fs::create_directories(fs::path(PathOf(name)).parent_path());
    std::ofstream(PathOf(name)) << text;
}

std::string
Sandbox::Read(const std::string& name) const
{
    std::ostringstream text;
    text << std::ifstream(PathOf(name)).rdbuf();
    return text.str();
}

std::vector<std::string>
Sandbox::Lines(const std::string& name) const
{
    std::vector<std::string> lines;
    std::ifstream in(PathOf(name));
    for (std::string line; std::getline(in, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

nlohmann::json
Sandbox::ReadJson(const std::string& name) const
{
    return nlohmann::json::parse(Read(name));
}

int
Sandbox::Start(const std::vector<std::string>& words) const
{
    std::vector<std::string> command{WORMHOLE_BINARY};
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
        Become(m_folder, arguments);
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
    const int child = Start(words);
    constexpr int MOST_LOOKS = 6000; // a minute
    for (int i = 0; i < MOST_LOOKS && !ready(); ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(child, signal);
    return Wait(child);
}

} // namespace harness
