/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_ERROR_H
#define INPUT_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 * \brief The user's mistake in an input: where it is, what is wrong, and what to do.
 *
 * what() reads `FILE:LINE: MESSAGE`, `FILE: MESSAGE` where no line applies (line 0), or `MESSAGE`
 * where no file applies either (an option on the command line). Our own bugs are assertions
 * instead.
 */
class InputError : public std::runtime_error
{
  public:
    /**
     * \param file the file as the user named it; empty for an option or a generator's specification
     * \param line the line, from 1; 0 if no line applies
     * \param message what is wrong, with the value, and the remedy
     */
    InputError(const std::string& file, uint64_t line, const std::string& message);

    /** \param message what is wrong, with the value, and the remedy */
    explicit InputError(const std::string& message);
};

} // namespace ns3

#endif // INPUT_ERROR_H
