/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-lines.h"

#include "ns3/input-byte-order-mark.h"
#include "ns3/input-error.h"

#include <cstring>

namespace ns3
{

namespace
{

constexpr size_t READ_BLOCK = 1 << 18;
constexpr size_t LONGEST_LINE = 1 << 26;

} // namespace

WorkloadGoalLines::WorkloadGoalLines(std::istream& in, const std::string& name)
    : m_in(in),
      m_name(name),
      m_buffer(READ_BLOCK)
{
}

bool
WorkloadGoalLines::Refill()
{
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    if (m_end > LONGEST_LINE)
    {
        throw InputError(m_name, m_line + 1, "a line of more than 64 MiB; break it");
    }
    if (m_buffer.size() < m_end + READ_BLOCK + 1) // one more for the LF that the last line may lack
    {
        m_buffer.resize(2 * m_end + READ_BLOCK + 1);
    }
    m_in.read(m_buffer.data() + m_end, static_cast<std::streamsize>(m_buffer.size() - 1 - m_end));
    if (m_in.bad())
    {
        throw InputError(m_name, m_line + 1, "cannot be read further; is it a file?");
    }
    m_end += static_cast<size_t>(m_in.gcount());
    return m_in.gcount() > 0;
}

bool
WorkloadGoalLines::Next(const char*& begin, const char*& end)
{
    size_t searched = m_begin;
    const void* found = nullptr;
    while (!(found = std::memchr(m_buffer.data() + searched, '\n', m_end - searched)))
    {
        const size_t left = m_end - m_begin;
        if (!Refill())
        {
            if (left == 0)
            {
                return false;
            }
            m_buffer[m_end++] = '\n';
        }
        searched = m_begin + left;
    }
    begin = m_buffer.data() + m_begin;
    end = static_cast<const char*>(found);
    m_begin = static_cast<size_t>(end - m_buffer.data()) + 1;
    if (end != begin && end[-1] == '\r')
    {
        --end;
    }
    if (m_line == 0)
    {
        begin += ByteOrderMarkIn(std::string_view(begin, static_cast<size_t>(end - begin)));
    }
    ++m_line;
    return true;
}

} // namespace ns3
