/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live/live-message.h"

#include "ns3/input-error.h"

using namespace wormhole;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    constexpr uint32_t RANKS = 64;
    const std::string frame(reinterpret_cast<const char*>(data), size);
    try
    {
        ReadLiveHello(frame);
    }
    catch (const ns3::InputError&)
    {
        // what a bad input must lead to
    }
    try
    {
        LiveReader reader(frame, RANKS);
        LiveMessage message;
        while (!reader.IsOver())
        {
            reader.Next(message);
        }
        if (size > 0 && !message.IsAnswered())
        {
            __builtin_trap(); // the rank would never be answered
        }
    }
    catch (const ns3::InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
