/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "output-error.h"

#include <system_error>

namespace ns3
{

std::string
ErrorText(int error)
{
    return error == 0 ? "is the disk full?" : std::generic_category().message(error);
}

} // namespace ns3
