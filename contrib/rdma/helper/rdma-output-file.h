/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_OUTPUT_FILE_H
#define RDMA_OUTPUT_FILE_H

#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief A file of results, of which every failure to write is reported.
 */
class RdmaOutputFile
{
  public:
    /**
     * Creates the file, or empties it.
     * \param name path
     * \throws RdmaInputError if that is impossible, with the reason
     */
    explicit RdmaOutputFile(const std::string& name);

    /** \return where to write; buffered */
    std::ostream& Stream()
    {
        return m_stream;
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * Writes what is buffered and closes the file; does nothing the second time.
     * \throws RdmaInputError if anything could not be written since the file was opened
     */
    void Close();

  private:
    std::string m_name;
    std::vector<char> m_buffer;
    std::ofstream m_stream;
};

} // namespace ns3

#endif // RDMA_OUTPUT_FILE_H
