/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "twin-process.h"

#include "exit-codes.h"

#include "ns3/output-error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

/** \throws OutputError with errno's text if \p result says that \p what failed */
int
Checked(int result, const char* what)
{
    if (result < 0)
    {
        throw ns3::OutputError(std::string("--twin: ") + what + ": " + ns3::ErrorText(errno));
    }
    return result;
}

std::string
MakeTemporaryFolder()
{
    std::string name = (fs::temp_directory_path() / "wormhole-twin-XXXXXX").string();
    if (!mkdtemp(name.data()))
    {
        throw ns3::OutputError(name + ": cannot be made: " + ns3::ErrorText(errno));
    }
    return name;
}

std::string
PathOfDescriptor(int descriptor)
{
    return "/dev/fd/" + std::to_string(descriptor);
}

} // namespace

TwinProcess::TwinProcess(const RunOptions& options, int (*run)(const RunOptions&))
    : m_folder(MakeTemporaryFolder())
{
    int ends[2];
    Checked(pipe2(ends, O_CLOEXEC), "pipe");
    std::cout.flush();
    m_process = Checked(fork(), "fork");
    if (m_process == 0)
    {
        close(ends[0]);
        RunOther(options, ends[1], run);
    }
    close(ends[1]);
    m_events = ends[0];
}

TwinProcess::~TwinProcess()
{
    if (m_process)
    {
        close(m_events);
        kill(m_process, SIGKILL);
        waitpid(m_process, nullptr, 0);
    }
    std::error_code error; // what is left is in the folder for temporary files
    fs::remove_all(m_folder, error);
}

/** What the other process does. */
void
TwinProcess::RunOther(RunOptions options, int events, int (*run)(const RunOptions&)) const
{
    const std::string said = m_folder + "/said.txt";
    const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    options.twin = false;
    options.threads = 1;
    options.eventLog = PathOfDescriptor(events);
    options.output = m_folder + "/results";
    options.capture = {};
    options.record = {};
    options.rtts = options.links = options.json = options.progress = false;
    options.quiet = options.yes = true;
    options.workload.chromeTrace.clear();
    int code = EXIT_IO;
    try
    {
        code = run(options);
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
    }
    std::cout.flush();
    std::_Exit(code);
}

std::string
TwinProcess::GetPath() const
{
    return PathOfDescriptor(m_events);
}

void
TwinProcess::Finish()
{
    close(std::exchange(m_events, -1));
    int status = 0;
    Checked(waitpid(m_process, &status, 0), "waitpid");
    m_process = 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_IO;
    const bool unread = WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE; // after a difference
    if (!unread && code != EXIT_DONE && code != EXIT_UNFINISHED)
    {
        std::ostringstream said;
        said << std::ifstream(m_folder + "/said.txt").rdbuf();
        throw ns3::OutputError("--twin: the run in one queue failed: " + said.str());
    }
}

} // namespace wormhole
