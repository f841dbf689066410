/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_TEXTS_H
#define HARNESS_TEXTS_H

#include <gtest/gtest.h>
#include <string>

namespace harness
{

/** The test fails, and shows \p text, if \p words are not in it. */
inline void
ExpectIn(const std::string& text, const std::string& words)
{
    EXPECT_NE(text.find(words), std::string::npos) << text;
}

} // namespace harness

#endif // HARNESS_TEXTS_H
