/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simai-environment.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace wormhole
{

namespace
{

using ns3::InputError;

/** \return value of a variable; empty if it is not set */
std::string
ValueOf(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/** \param must what its value must be */
[[noreturn]] void
Reject(const std::string& name, const std::string& value, const std::string& must)
{
    throw InputError(name + "=" + ns3::ShownText(value) + ": must be " + must);
}

/** \return SimAI's latency before each message, ns: its number counts us */
int64_t
ReadSendLatencyNs(int64_t unsetNs)
{
    constexpr uint64_t MOST_US = 1000000000;
    constexpr int64_t NS_PER_US = 1000;
    const std::string text = ValueOf("AS_SEND_LAT");
    if (text.empty())
    {
        return unsetNs;
    }
    uint64_t us = 0;
    if (!ns3::ParseInteger(text, us) || us > MOST_US)
    {
        Reject("AS_SEND_LAT", text, "a whole number of us, 0 to " + std::to_string(MOST_US));
    }
    return static_cast<int64_t>(us) * NS_PER_US;
}

/** \return whether it is on: SimAI takes all but 1 for off */
bool
ReadSwitch(const char* name)
{
    const std::string value = ValueOf(name);
    if (value != "1" && value != "0" && !value.empty())
    {
        Reject(name, value, "1 (on) or 0 (off)");
    }
    return value == "1";
}

/** Turns a name into its number: SimAI takes all that is no number for 0, the most. */
void
NumberLogLevel()
{
    const char* const NAMES[] = {"DEBUG", "INFO", "WARNING", "ERROR", "UNKNOWN"};
    const std::string value = ValueOf("AS_LOG_LEVEL");
    const auto* const name = std::find(std::begin(NAMES), std::end(NAMES), value);
    const auto count = static_cast<uint64_t>(std::size(NAMES));
    uint64_t number = 0;
    if (name != std::end(NAMES))
    {
        const std::string level = std::to_string(std::distance(std::begin(NAMES), name));
        setenv("AS_LOG_LEVEL", level.c_str(), 1);
    }
    else if (!value.empty() && (!ns3::ParseInteger(value, number) || number >= count))
    {
        Reject("AS_LOG_LEVEL",
               value,
               "DEBUG, INFO, WARNING, ERROR or UNKNOWN, or their number from 0 to " +
                   std::to_string(count - 1));
    }
}

} // namespace

SimAiEnvironment
ReadSimAiEnvironment()
{
    NumberLogLevel();
    SimAiEnvironment environment;
    environment.sendLatencyNs = ReadSendLatencyNs(environment.sendLatencyNs);
    environment.nvls = ReadSwitch("AS_NVLS_ENABLE");
    environment.pxn = ReadSwitch("AS_PXN_ENABLE");
    return environment;
}

} // namespace wormhole
