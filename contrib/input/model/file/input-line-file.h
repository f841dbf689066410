/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_LINE_FILE_H
#define INPUT_LINE_FILE_H

#include "ns3/output-error.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 * \brief A text file that results are appended to while the simulation runs.
 *
 * Nothing is thrown while it runs: what could not be written, for example since the disk is full,
 * is kept in memory and tried again at every flush, and Close() reports it if it never could be.
 * A file that is removed meanwhile, with its folder or without, is made again by Close().
 */
class LineFile
{
  public:
    /**
     * Creates the file, or empties it.
     * \param path of the file
     * \throws OutputError if that is impossible
     */
    explicit LineFile(const std::string& path);

    /** Writes what there is; failures are ignored, so Close() comes first. */
    ~LineFile();

    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    /** Lets the file hold at most \p bytes. From the first text on that does not fit, all is left
     * out and counted. At most 64 MiB are kept in memory then while the disk is full. */
    void SetLimit(uint64_t bytes)
    {
        m_limit = bytes;
    }

    /** \return bytes that were left out since the file has a limit */
    uint64_t GetLeftOut() const
    {
        return m_leftOut;
    }

    /** Appends \p text; it reaches the file in blocks of 64 KiB, or when flushed. */
    void Write(const std::string& text)
    {
        if (m_leftOut || m_size + text.size() > m_limit)
        {
            m_leftOut += text.size();
            return;
        }
        m_size += text.size();
        m_buffer += text;
        if (m_buffer.size() >= m_flushAt)
        {
            Flush();
        }
    }

    /** Hands all text to the operating system. \return false if it does not take it; GetError()
     * says why */
    bool Flush();

    /** Flushes and closes. \throws OutputError if not all could be written, or if the file had
     * been removed: the message says where what it held is now */
    void Close();

    /** \return why the last flush failed; empty if it did not */
    const std::string& GetError() const
    {
        return m_error;
    }

    /** \return the path, as given */
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
    std::string m_buffer; //!< not written so far
    std::string m_error;
    size_t m_flushAt;             //!< bytes in the buffer
    uint64_t m_size{0};           //!< bytes written or in the buffer
    uint64_t m_limit{UINT64_MAX}; //!< of that
    uint64_t m_leftOut{0};        //!< bytes
    int m_descriptor;
};

} // namespace ns3

#endif // INPUT_LINE_FILE_H
