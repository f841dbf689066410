/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/aside.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormhole
{
namespace
{

/** Closes all files but \p kept, and connects the standard ones to nothing. */
void
LetGoOfFiles(int kept)
{
    const int nothing = open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    {
        dup2(nothing, standard);
    }
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    constexpr rlim_t MANY = 65536; // a limit may be none
    const int end = static_cast<int>(files.rlim_cur < MANY ? files.rlim_cur : MANY);
    for (int file = STDERR_FILENO + 1; file < end; ++file)
    {
        if (file != kept)
        {
            close(file);
        }
    }
}

[[noreturn]] void
DoInChild(int output, const std::function<double()>& work)
{
    int status = 1;
    try
    {
        LetGoOfFiles(output);
        const double result = work();
        status = write(output, &result, sizeof(result)) == sizeof(result) ? 0 : 1;
    }
    catch (...) // the parent learns that nothing came
    {
    }
    _exit(status);
}

} // namespace

std::optional<double>
DoAside(const std::function<double()>& work)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        DoInChild(ends[1], work);
    }
    close(ends[1]);
    double result = 0;
    ssize_t count = -1;
    if (child > 0)
    {
        do
        {
            count = read(ends[0], &result, sizeof(result));
        } while (count < 0 && errno == EINTR);
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
        {
        }
    }
    close(ends[0]);
    return count == static_cast<ssize_t>(sizeof(result)) ? std::optional<double>(result)
                                                         : std::nullopt;
}

} // namespace wormhole
