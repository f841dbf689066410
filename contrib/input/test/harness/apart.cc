/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "apart.h"

#include "program.h"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace harness
{

namespace
{

/** The child's part: writes {"result": ...} or {"error": ...} and ends. */
[[noreturn]] void
WorkAndExit(const std::function<nlohmann::json()>& work, int out)
{
    nlohmann::json reply;
    try
    {
        reply["result"] = work();
    }
    catch (const std::exception& e)
    {
        reply["error"] = e.what();
    }
    const std::string text = reply.dump();
    for (size_t done = 0; done < text.size();)
    {
        const ssize_t n = write(out, text.data() + done, text.size() - done);
        if (n <= 0)
        {
            _exit(1);
        }
        done += static_cast<size_t>(n);
    }
    std::fflush(nullptr);
    _exit(0);
}

} // namespace

nlohmann::json
RunApart(const std::function<nlohmann::json()>& work)
{
    int ends[2];
    std::fflush(nullptr);
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("no pipe");
    }
    const pid_t child = fork();
    if (child < 0)
    {
        throw std::runtime_error("no process");
    }
    if (child == 0)
    {
        close(ends[0]);
        WorkAndExit(work, ends[1]);
    }
    close(ends[1]);
    const std::string text = ReadAll(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
    {
        throw std::runtime_error("the simulation's process ended with status " +
                                 std::to_string(status));
    }
    const nlohmann::json reply = nlohmann::json::parse(text);
    if (reply.contains("error"))
    {
        throw std::runtime_error(reply["error"].get<std::string>());
    }
    return reply["result"];
}

} // namespace harness
