/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "new-file.h"

#include "ns3/rdma-line-file.h"

#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace wormhole
{

NewFile::NewFile(const std::string& path)
    : m_path(path),
      m_written(path)
{
    std::error_code error;
    if (!fs::exists(path, error) || fs::is_regular_file(path, error))
    {
        m_path = fs::weakly_canonical(path, error).string(); // a link stays one
        m_path = error ? path : m_path;
        m_written = m_path + ".partial-" + std::to_string(getpid());
    }
    m_out.open(m_written, std::ios::binary | std::ios::trunc);
    if (!m_out)
    {
        throw ns3::RdmaOutputError(path + ": cannot be written; check the folder and the "
                                          "permissions");
    }
}

NewFile::~NewFile()
{
    if (m_out.is_open() && m_written != m_path)
    {
        m_out.close();
        std::error_code error;
        fs::remove(m_written, error);
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
        throw ns3::RdmaOutputError(m_path + ": could not be written completely; is the disk "
                                            "full?");
    }
}

} // namespace wormhole
