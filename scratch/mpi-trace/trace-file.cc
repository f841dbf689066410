/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-file.h"

#include "workload-mpi-format.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mpitrace
{

namespace
{

uint64_t
PageBytes()
{
    static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

} // namespace

void
TraceFile::Open(const std::string& path)
{
    m_file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (m_file < 0)
    {
        Give(("created: " + path).c_str());
        return;
    }
    Map(0, 0);
    void* const head =
        !IsOpen() ? MAP_FAILED
                  : mmap(nullptr, PageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (head == MAP_FAILED)
    {
        IsOpen() ? Give("written") : void();
        return;
    }
    m_head = static_cast<unsigned char*>(head);
    m_unused = reinterpret_cast<uint32_t*>(m_head + ns3::WORKLOAD_MPI_UNUSED_AT);
    Keep();
}

/** Moves the window to what was not written yet. */
void
TraceFile::Advance()
{
    if (!IsOpen())
    {
        m_used = 0;
        return;
    }
    const uint64_t at = m_first + m_used;
    const uint64_t first = at - at % PageBytes();
    *m_unused += static_cast<uint32_t>(first - m_first); // before the file grows by that
    Unmap();
    Map(first, static_cast<uint32_t>(at - first));
}

/** Puts the window at a place of the file, and makes room for it on the disk. */
void
TraceFile::Map(uint64_t first, uint32_t used)
{
    // a window without room on the disk would end the program once it writes there
    const auto at = static_cast<off_t>(first);
    do
    {
        errno = posix_fallocate(m_file, at, WINDOW);
    } while (errno == EINTR);
    void* const window =
        errno != 0 ? MAP_FAILED
                   : mmap(nullptr, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, at);
    if (window == MAP_FAILED)
    {
        Give("written");
        return;
    }
    m_window = static_cast<unsigned char*>(window);
    m_first = first;
    m_used = used;
}

void
TraceFile::Unmap()
{
    if (m_window && !m_nowhere)
    {
        munmap(m_window, WINDOW);
    }
    m_window = nullptr;
}

/** Cuts off what does not count, and lets the file go. */
void
TraceFile::End()
{
    if (ftruncate(m_file, static_cast<off_t>(m_kept)) == 0)
    {
        *m_unused = 0;
    }
    if (m_head)
    {
        munmap(m_head, PageBytes());
    }
    m_head = nullptr;
    m_unused = &m_none;
    close(m_file);
    m_file = -1;
}

/** Says what failed; what is written then goes nowhere. */
void
TraceFile::Give(const char* what)
{
    fprintf(stderr,
            "wormhole trace: a trace cannot be %s: %s; the program goes on without it\n",
            what,
            strerror(errno));
    if (IsOpen())
    {
        End();
    }
    Unmap();
    m_nowhere.reset(new unsigned char[WINDOW]);
    m_window = m_nowhere.get();
    m_used = 0;
}

void
TraceFile::Close()
{
    if (IsOpen())
    {
        Keep();
        Unmap();
        End();
    }
}

} // namespace mpitrace
