/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Registers nothing.

namespace
{

[[maybe_unused]] const int NOTHING = 0;

} // namespace
