/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_BYTES_H
#define INPUT_BYTES_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 *
 * Units: B, KB or kB, MB, GB, TB are powers of 1000, KiB, MiB, GiB, TiB of 1024; no unit means
 * bytes.
 * \param text a number, with a point or without, and a unit: "20000000", "1MB", "1.5GB", "64KiB"
 * \param bytes set to the size
 * \return false, with \p bytes as it was, if the text is not a whole number of bytes below 2^63
 */
bool ParseBytes(const std::string& text, uint64_t& bytes);

} // namespace ns3

#endif // INPUT_BYTES_H
