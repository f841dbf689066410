/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_LINES_H
#define WORKLOAD_GOAL_LINES_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Lines of a text, without copying them: what is held is one block of it.
 *
 * A line is at most 64 MiB long.
 */
class WorkloadGoalLines
{
  public:
    /**
     * \param in the text; must outlive this
     * \param name stands for the file in messages
     */
    WorkloadGoalLines(std::istream& in, const std::string& name);

    /**
     * \param begin set to the first character of the next line
     * \param end set to its end, without LF or CR LF; there stands a character of no word (CR, LF)
     * \return false at the end of the text
     * \throws InputError if it cannot be read
     */
    bool Next(const char*& begin, const char*& end);

    /** \return the line last read, from 1 */
    uint64_t GetLine() const
    {
        return m_line;
    }

  private:
    /** Reads more text behind what is left. \return false if there is none */
    bool Refill();

    std::istream& m_in;
    const std::string m_name;
    std::vector<char> m_buffer;
    size_t m_begin{0}; //!< of what was not handed out
    size_t m_end{0};   //!< of what was read
    uint64_t m_line{0};
};

} // namespace ns3

#endif // WORKLOAD_GOAL_LINES_H
