/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program.h"

#include <chrono>
#include <filesystem>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace harness
{

namespace
{

/** Starts a program whose standard output is \p out. \return its process */
pid_t
Spawn(const std::vector<std::string>& command, int out)
{
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
    {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
    {
        throw std::runtime_error(command[0] + ": cannot be started; build it first");
    }
    return child;
}

} // namespace

std::string
ReadAll(int in)
{
    std::string text;
    char buffer[1 << 12];
    for (ssize_t n; (n = read(in, buffer, sizeof(buffer))) > 0;)
    {
        text.append(buffer, static_cast<size_t>(n));
    }
    return text;
}

nlohmann::json
RunProgram(const std::vector<std::string>& command)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("no pipe");
    }
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = Spawn(command, ends[1]);
    close(ends[1]);
    const std::string text = ReadAll(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    if (status != 0)
    {
        throw std::runtime_error(command[0] + " failed");
    }
    nlohmann::json result = nlohmann::json::parse(text);
    result["process_seconds"] = wall.count();
    return result;
}

std::string
FolderOf(const std::string& argv0)
{
    const std::filesystem::path folder = std::filesystem::path(argv0).parent_path();
    return folder.empty() ? "." : folder.string();
}

} // namespace harness
