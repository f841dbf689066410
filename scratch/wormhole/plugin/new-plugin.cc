/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "new-control.h"

#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-number.h"
#include "ns3/type-id.h"

#include <cctype>
#include <filesystem>

namespace wormhole
{

namespace
{

namespace fs = std::filesystem;
using ns3::InputError;

const char* const HEADER =
    R"(// The congestion control ns3::NAME: halves a flow's rate once per round trip with an ECN mark, and
// adds a constant once per round trip without. Change what it does in OnAck, and what it remembers
// in SaveState and LoadState. docs/how-to/own-control.md of Wormhole explains each function.

#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/rdma-module.h"

#include <algorithm>
#include <vector>

)";

const char* const BUILD = R"(cmake_minimum_required(VERSION 3.25)
project(NAME LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(wormhole REQUIRED COMPONENTS modules)
wormhole_add_plugin(NAME NAME.cc)
)";

std::string
Replaced(std::string text, const std::string& from, const std::string& to)
{
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    {
        text.replace(at, from.size(), to);
    }
    return text;
}

void
CheckName(const std::string& name)
{
    bool right = !name.empty() && std::isupper(static_cast<unsigned char>(name.front()));
    for (const char letter : name)
    {
        right = right && std::isalnum(static_cast<unsigned char>(letter));
    }
    if (!right)
    {
        throw InputError("new control " + ns3::ShownText(name) +
                         ": a class's name has letters and digits, and begins with a capital: "
                         "MyControl");
    }
    ns3::TypeId type;
    if (ns3::TypeId::LookupByNameFailSafe("ns3::" + name, &type))
    {
        throw InputError("new control " + name + ": there is an ns3::" + name +
                         " already; choose another name");
    }
}

void
CheckFolder(const std::string& folder)
{
    std::error_code ignored;
    if (FileExists(folder) && !(fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)))
    {
        throw InputError(ns3::ShownText(folder) +
                         ": is there, and not an empty folder; remove it, or choose another one by "
                         "--output DIR");
    }
}

void
WriteFile(const std::string& path, const std::string& text)
{
    ns3::LineFile file(path);
    file.Write(text);
    file.Close();
}

/** \return the prefix that this program is installed under; empty if it is not */
std::string
InstalledPrefix()
{
    std::error_code none;
    const fs::path prefix = fs::read_symlink("/proc/self/exe", none).parent_path().parent_path();
    const bool installed = fs::exists(prefix / "share" / "wormhole", none);
    return installed && prefix != "/usr" ? prefix.string() : "";
}

} // namespace

std::string
WriteNewControl(const std::string& name, const std::string& folder)
{
    CheckName(name);
    CheckFolder(folder);
    MakeFolder(folder);
    WriteFile(folder + "/" + name + ".cc",
              Replaced(HEADER, "NAME", name) + Replaced(EXAMPLE_CONTROL, "EcnHalving", name));
    WriteFile(folder + "/CMakeLists.txt", Replaced(BUILD, "NAME", name));
    const std::string prefix = InstalledPrefix();
    return "cmake -S " + folder + " -B " + folder + "/build" +
           (prefix.empty() ? "" : " -D CMAKE_PREFIX_PATH=" + prefix) + "\ncmake --build " + folder +
           "/build\nwormhole run --load " + folder + "/build/" + name + ".so --cc ns3::" + name +
           " --topology star:hosts=17 --traffic incast:fan-in=16,bytes=2MB\n";
}

} // namespace wormhole
