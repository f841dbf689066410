/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "new-file.h"

#include "files.h"

#include "ns3/output-error.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace wormhole
{

NewFile::NewFile(const std::string& path)
    : m_path(path),
      m_written(path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status) || fs::is_regular_file(status))
    {
        const std::string target = TargetOf(path); // a link stays one
        m_path = target.empty() ? path : target;
        m_written = target.empty() ? path : m_path + ".partial-" + std::to_string(getpid());
    }
    errno = 0;
    // what is protected is replaced no more than it is written to
    const bool closed = fs::is_regular_file(status) && access(path.c_str(), W_OK) != 0;
    if (!closed)
    {
        m_out.open(m_written, std::ios::binary | std::ios::trunc);
    }
    if (!m_out.is_open())
    {
        throw ns3::OutputError(path + ": cannot be written: " + ns3::ErrorText(errno));
    }
}

NewFile::~NewFile()
{
    if (!m_done && m_written != m_path)
    {
        m_out.close();
        unlink(m_written.c_str());
    }
}

void
NewFile::Close()
{
    std::error_code error;
    m_out.flush();
    const bool good = m_out.good();
    if (good)
    {
        m_out.close();
        if (m_out && m_written != m_path)
        {
            fs::rename(m_written, m_path, error);
        }
    }
    if (!good || !m_out || error)
    {
        throw ns3::OutputError(m_path + ": could not be written completely: " +
                               (error ? error.message() : ns3::ErrorText(errno)));
    }
    m_done = true;
}

} // namespace wormhole
