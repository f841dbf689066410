/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_NEAREST_NAME_H
#define INPUT_NEAREST_NAME_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup input
 * \param name what a user wrote; neither case nor - and _ count
 * \param names what is known
 * \param prefix what a user writes before any of them, such as --
 * \return "; did you mean NAME?" with the known name that begins so, or is most like it; empty if in
 * each more than half of the letters would have to change
 */
std::string DidYouMean(const std::string& name,
                       const std::vector<std::string>& names,
                       const std::string& prefix = "");

/**
 * \ingroup input
 * \param which what the list of names begins with
 * \return the same, and then which names there are
 */
std::string KnownNamesText(const std::string& name,
                           const std::vector<std::string>& names,
                           const std::string& which = "there are");

} // namespace ns3

#endif // INPUT_NEAREST_NAME_H
