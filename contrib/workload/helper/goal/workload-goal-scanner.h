/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_SCANNER_H
#define WORKLOAD_GOAL_SCANNER_H

#include "workload-goal-lines.h"

#include "ns3/input-number.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Takes GOAL text apart: words, numbers and signs, past blanks and comments.
 *
 * It stands somewhere in a line, and what it takes it goes past.
 */
class WorkloadGoalScanner
{
  public:
    /** A run of characters of the line. */
    struct Word
    {
        const char* text;
        size_t length;

        bool Is(const char* other) const
        {
            return length == std::strlen(other) && std::memcmp(text, other, length) == 0;
        }

        std::string Text() const
        {
            return std::string(text, length);
        }
    };

    /**
     * Stands before the first line.
     * \param in the text; must outlive this
     * \param name stands for the file in messages
     */
    WorkloadGoalScanner(std::istream& in, const std::string& name);

    /** Goes to the next statement, past blanks and comments. \return false at the end of the text
     */
    bool SeekStatement();

    void SkipBlanks()
    {
        while (*m_at == ' ' || *m_at == '\t')
        {
            ++m_at;
        }
    }

    /** \return the word here, letters, digits and underscores; empty if it does not begin with a
     * letter */
    Word TakeWord();

    /** Goes back to a word of this line. */
    void Return(const Word& word)
    {
        m_at = word.text;
    }

    /** Goes past \p text and the blanks after it, if it stands here. */
    bool Take(const char* text)
    {
        const char* at = m_at;
        for (; *text; ++text, ++at)
        {
            if (*at != *text)
            {
                return false;
            }
        }
        m_at = at;
        SkipBlanks();
        return true;
    }

    /** \return the number here, at most \p max. */
    uint64_t TakeNumber(const char* what, uint64_t max)
    {
        const char* const begin = m_at;
        bool exact = true;
        uint64_t value = TakeDigits(m_at, exact);
        if (m_at == begin || !exact || value > max)
        {
            value = ReadUnusualNumber(begin, what, max);
        }
        SkipBlanks();
        return value;
    }

    /** A number modulo 2^32. */
    struct Wrapped
    {
        uint32_t value;
        bool tooLarge; ///< it is not the number itself
        Word digits;
    };

    /** \return the number here, however large */
    Wrapped TakeWrapped(const char* what);

    /** \return whether a minus stands here */
    bool AtMinus() const
    {
        return *m_at == '-';
    }

    /** Goes past -1 and the blanks after it, if it stands here. */
    bool TakeMinusOne()
    {
        return *m_at == '-' && m_at[1] == '1' && !IsDigit(m_at[2]) && Take("-1");
    }

    /** Checks that nothing but a comment follows on the line. */
    void EndStatement();

    /** \return what stands here, for messages */
    std::string Here() const;

    /** \return the line, from 1 */
    uint64_t GetLine() const
    {
        return m_lines.GetLine();
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    /** \throws InputError of this line */
    [[noreturn]] void Fail(const std::string& message) const;

    /** \throws InputError: what is here, but must be \p expected */
    [[noreturn]] void FailHere(const std::string& expected) const;

    static constexpr bool IsDigit(char c)
    {
        return c >= '0' && c <= '9';
    }

  private:
    /** Goes past the comment that begins here. */
    void SkipComment();

    /** \return the number from \p begin to here, with leading zeros maybe
     * \throws InputError if there is none, or it is above \p max */
    uint64_t ReadUnusualNumber(const char* begin, const char* what, uint64_t max) const;

    WorkloadGoalLines m_lines;
    const std::string m_name;
    const char* m_at;  //!< in the current line
    const char* m_end; //!< of the current line
};

} // namespace ns3

#endif // WORKLOAD_GOAL_SCANNER_H
