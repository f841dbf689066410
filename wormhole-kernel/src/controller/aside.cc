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

void
CloseFrom(int first)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    closefrom(first); // one call, however many there may be
#else
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    constexpr rlim_t MANY = 65536; // a limit may be none
    const int end = static_cast<int>(files.rlim_cur < MANY ? files.rlim_cur : MANY);
    for (int file = first; file < end; ++file)
    {
        close(file);
    }
#endif
}

/** Closes all files but a copy of \p output, and connects the standard ones to nothing.
 *  \return that copy, whose number none of the open files has had: what is written to these is
 *  lost */
int
LetGoOfFiles(int output)
{
    const int kept = fcntl(output, F_DUPFD, STDERR_FILENO + 1);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    {
        dup2(nothing, standard);
    }
    for (int file = STDERR_FILENO + 1; file < kept; ++file)
    {
        close(file);
    }
    CloseFrom(kept + 1);
    return kept;
}

[[noreturn]] void
DoInChild(int output, const std::function<double()>& work)
{
    int status = 1;
    try
    {
        const int kept = LetGoOfFiles(output);
        const double result = work();
        status = write(kept, &result, sizeof(result)) == sizeof(result) ? 0 : 1;
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
