/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SHA256_H
#define HARNESS_SHA256_H

#include <string>

namespace harness
{

/** \return the SHA-256 of some bytes (FIPS 180-4), in lower-case hexadecimal digits */
std::string Sha256(const std::string& bytes);

} // namespace harness

#endif // HARNESS_SHA256_H
