/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_VALUES_H
#define INPUT_VALUES_H

#include "ns3/input-error.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * \ingroup input
 * \brief The reader of values: a text, and what it must be, become a number or an InputError.
 *
 * Whatever holds texts of a user (a file, a specification, an option) derives from it, and says in
 * FailValue where the value stands. So numbers, units and ranges are checked, and described, in one
 * place. No message is made unless something is wrong.
 */
class InputValues
{
  public:
    virtual ~InputValues() = default;

    /** \return \p text as a whole number in [min, max]; \p what names it in messages */
    uint64_t ToInteger(std::string_view what,
                       const std::string& text,
                       uint64_t min,
                       uint64_t max) const;

    /** \return \p text as a finite number in [min, max] */
    double ToNumber(std::string_view what, const std::string& text, double min, double max) const;

    /** \return \p text as a rate in bit/s, more than 0; it has a unit, such as 100Gbps */
    uint64_t ToRate(std::string_view what, const std::string& text) const;

    /** \return \p text as a size of at least \p min bytes, with a unit or without */
    uint64_t ToBytes(std::string_view what, const std::string& text, uint64_t min) const;

    /** Throws InputError: \p what is \p text, but must be \p expected. */
    [[noreturn]] virtual void FailValue(std::string_view what,
                                        const std::string& text,
                                        const std::string& expected) const = 0;
};

/** \ingroup input \return what a number must be, for a message: "a whole number from 1 to 7" */
std::string ExpectedIntegerText(uint64_t min, uint64_t max);

/** \ingroup input \return what a number must be, for a message: "a number from 0 to 0.5" */
std::string ExpectedNumberText(double min, double max);

/**
 * \ingroup input
 * \param min bytes that are accepted
 * \return what a size must be, for a message
 */
std::string ExpectedBytesText(uint64_t min);

/**
 * \ingroup input
 * \param file to read, as the user named it
 * \param message what is wrong if it cannot be opened
 * \throws InputError if it cannot be opened
 */
std::ifstream OpenInput(
    const std::string& file,
    const std::string& message = "cannot be read; check the name and the permissions");

} // namespace ns3

#endif // INPUT_VALUES_H
