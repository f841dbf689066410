/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-file.h"

#include "ns3/input-error.h"

#include <filesystem>

namespace wormhole
{

namespace fs = std::filesystem;

namespace
{

constexpr int DEEPEST = 64; // nesting of JSON

} // namespace

std::ifstream
OpenResultFile(const std::string& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
        throw ns3::InputError(path + ": this is no file; give a folder that wormhole run "
                                     "--output wrote");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        throw ns3::InputError(path + " cannot be read; check the permissions, and that it is "
                                     "what wormhole run --output wrote");
    }
    return in;
}

nlohmann::ordered_json
ReadResultJson(const std::string& path)
{
    using Json = nlohmann::ordered_json;
    const auto checkDepth = [&path](int depth, Json::parse_event_t, Json&) {
        if (depth > DEEPEST)
        {
            throw ns3::InputError(path + ": nested more than " + std::to_string(DEEPEST) +
                                  " deep, so wormhole run did not write it; run it again");
        }
        return true;
    };
    std::ifstream in = OpenResultFile(path);
    return Json::parse(in, checkDepth, false);
}

} // namespace wormhole
