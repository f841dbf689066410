/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_BYTE_ORDER_MARK_H
#define INPUT_BYTE_ORDER_MARK_H

#include <cstddef>
#include <string_view>

namespace ns3
{

/** \ingroup input What some editors and spreadsheets put at the start of UTF-8. */
inline constexpr std::string_view BYTE_ORDER_MARK = "\xEF\xBB\xBF";

/** \return bytes that \p text, the start of a file, has before what was written: those of a byte
 * order mark, or 0 */
constexpr size_t
ByteOrderMarkIn(std::string_view text)
{
    return text.substr(0, BYTE_ORDER_MARK.size()) == BYTE_ORDER_MARK ? BYTE_ORDER_MARK.size() : 0;
}

} // namespace ns3

#endif // INPUT_BYTE_ORDER_MARK_H
