/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef OUTPUT_ERROR_H
#define OUTPUT_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/** \ingroup input An output file could not be written; what() reads `FILE: MESSAGE`. */
class OutputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * \ingroup input
 * \param error errno's value after what failed; 0 if a stream failed without a call of the system
 * \return why it failed, for a message
 */
std::string ErrorText(int error);

} // namespace ns3

#endif // OUTPUT_ERROR_H
