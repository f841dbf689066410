/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-line-file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr size_t BLOCK_BYTES = 1 << 16;
constexpr size_t MAX_UNWRITTEN = 64 << 20; // of a file with a limit
constexpr mode_t MODE = 0666;              // less the user's umask

/** \return whether it is a file that no name leads to any more */
bool
IsRemoved(int descriptor)
{
    struct stat status
    {
    };

    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0;
}

/** Copies what a removed file holds back to its path, or beside other temporary files if that is
 * impossible or taken. \return where it is now; empty if nowhere */
std::string
Rescue(int descriptor, const std::string& path)
{
    namespace fs = std::filesystem;
    const fs::path removed = "/proc/self/fd/" + std::to_string(descriptor);
    const std::string name = fs::path(path).filename().string() + "." + std::to_string(getpid());
    std::error_code error;
    for (const fs::path& kept : {fs::path(path), fs::temp_directory_path(error) / name})
    {
        fs::create_directories(kept.parent_path(), error);
        if (fs::copy_file(removed, kept, error))
        {
            return kept.string();
        }
    }
    return "";
}

} // namespace

LineFile::LineFile(const std::string& path)
    : m_path(path),
      m_flushAt(BLOCK_BYTES),
      m_descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, MODE))
{
    if (m_descriptor < 0)
    {
        throw OutputError(path + ": cannot be written: " + ErrorText(errno));
    }
}

LineFile::~LineFile()
{
    if (m_descriptor >= 0)
    {
        Flush();
        close(m_descriptor);
    }
}

bool
LineFile::Flush()
{
    size_t done = 0;
    m_error.clear();
    while (done < m_buffer.size() && m_error.empty())
    {
        const ssize_t written = write(m_descriptor, m_buffer.data() + done, m_buffer.size() - done);
        if (written >= 0)
        {
            done += static_cast<size_t>(written);
        }
        else if (errno != EINTR)
        {
            m_error = ErrorText(errno);
        }
    }
    m_buffer.erase(0, done);
    // after a failure, not at every line
    m_flushAt = m_buffer.size() + BLOCK_BYTES;
    if (m_limit != UINT64_MAX && m_buffer.size() > MAX_UNWRITTEN)
    {
        m_limit = m_size;
    }
    return m_error.empty();
}

void
LineFile::Close()
{
    if (m_descriptor < 0)
    {
        return;
    }
    Flush();
    const size_t lost = m_buffer.size();
    const bool removed = IsRemoved(m_descriptor);
    const std::string kept = removed ? Rescue(m_descriptor, m_path) : "";
    if (close(m_descriptor) && m_error.empty())
    {
        m_error = ErrorText(errno); // a network file system may notice only now
    }
    m_descriptor = -1;
    if (!m_error.empty())
    {
        throw OutputError(m_path + ": cannot be written: " + m_error +
                          (lost ? "; its last " + std::to_string(lost) + " bytes are lost" : ""));
    }
    if (removed)
    {
        throw OutputError(m_path + ": removed while it was written; what it held is " +
                          (kept.empty()     ? "lost"
                           : kept == m_path ? "in " + kept + " now"
                                            : "in " + kept + " now; see there for others"));
    }
}

} // namespace ns3
