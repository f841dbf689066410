/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_TRACE_FILE_H
#define MPI_TRACE_TRACE_FILE_H

#include <cstdint>
#include <memory>
#include <string>

namespace mpitrace
{

/**
 * The file of a trace, written by a window of it in memory. What is in the window is the kernel's:
 * it survives the process, however that ends. The head says how many bytes at the file's end hold
 * nothing yet.
 */
class TraceFile
{
  public:
    TraceFile() = default;
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /** Creates the file. If that fails, or anything later, the reason is said, and the rest is for
     * nothing. */
    void Open(const std::string& path);

    bool IsOpen() const
    {
        return m_file >= 0;
    }

    /** Writes a varint of 7 bits per byte. */
    void Put(uint64_t number)
    {
        if (m_used + MOST_BYTES_OF_A_NUMBER > WINDOW)
        {
            Advance();
        }
        for (; number > 0x7f; number >>= 7)
        {
            m_window[m_used++] = static_cast<unsigned char>(number | 0x80);
        }
        m_window[m_used++] = static_cast<unsigned char>(number);
    }

    void PutByte(uint8_t byte)
    {
        Put(0);
        m_window[m_used - 1] = byte;
    }

    /** What was written counts from now on: it is whole. */
    void Keep()
    {
        m_kept = m_first + m_used;
        *m_unused = WINDOW - m_used;
    }

    /** Ends the file behind what counts. */
    void Close();

  private:
    static constexpr uint32_t WINDOW = 1 << 20;
    static constexpr uint32_t MOST_BYTES_OF_A_NUMBER = 10;

    void Advance();
    void Map(uint64_t first, uint32_t used);
    void Unmap();
    void End();
    void Give(const char* what);

    int m_file{-1};
    uint64_t m_first{0};              //!< of the window, bytes
    unsigned char* m_window{nullptr}; //!< WINDOW bytes
    uint32_t m_used{0};               //!< of the window
    uint64_t m_kept{0};               //!< what counts, bytes
    uint32_t* m_unused{&m_none};      //!< in the head; little endian, as machines with MPI are
    uint32_t m_none{0};
    unsigned char* m_head{nullptr};             //!< the first page of the file
    std::unique_ptr<unsigned char[]> m_nowhere; //!< the window, once there is no file
};

} // namespace mpitrace

#endif // MPI_TRACE_TRACE_FILE_H
