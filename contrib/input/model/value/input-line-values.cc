/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-line-values.h"

#include "input-number.h"

namespace ns3
{

LineValues::LineValues(const std::string& name)
    : m_name(name)
{
}

void
LineValues::Fail(const std::string& message) const
{
    throw InputError(m_name, m_line, message);
}

void
LineValues::FailValue(std::string_view what,
                      const std::string& text,
                      const std::string& expected) const
{
    Fail(std::string(what) + " " + ShownText(text) + ", but must be " + expected);
}

} // namespace ns3
