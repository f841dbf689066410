/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_OPTION_CHECK_H
#define WORMHOLE_OPTION_CHECK_H

#include "wormhole/error.h"

#include <sstream>
#include <string>

namespace wormhole
{

/** Checks the members of a struct of options. */
class OptionCheck
{
  public:
    /** \param type name of the struct */
    explicit OptionCheck(const char* type)
        : m_type(type)
    {
    }

    /** \throws UsageError unless \p valid: it says that the member \p name is \p value, but must be
     * \p range */
    template <class T>
    void Require(bool valid, const char* name, T value, const std::string& range) const
    {
        if (!valid)
        {
            std::ostringstream text;
            text << m_type << "::" << name << " is " << value << ", but must be " << range;
            throw UsageError(text.str());
        }
    }

  private:
    const char* m_type;
};

} // namespace wormhole

#endif // WORMHOLE_OPTION_CHECK_H
