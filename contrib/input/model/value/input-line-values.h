/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_LINE_VALUES_H
#define INPUT_LINE_VALUES_H

#include "ns3/input-values.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3
{

/** \ingroup input Values of a file that is read line by line; faults are at the line read last. */
class LineValues : public InputValues
{
  public:
    /** \return the line of what was read last, from 1 */
    uint64_t Line() const
    {
        return m_line;
    }

    /** \return what stands for the file in messages */
    const std::string& Name() const
    {
        return m_name;
    }

    /** Throws InputError at that line. */
    [[noreturn]] void Fail(const std::string& message) const;

    /** Throws InputError there: \p what is \p text, but must be \p expected. */
    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const final;

  protected:
    /** \param name stands for the file in messages */
    explicit LineValues(const std::string& name);

    uint64_t m_line{1};

  private:
    const std::string m_name;
};

} // namespace ns3

#endif // INPUT_LINE_VALUES_H
