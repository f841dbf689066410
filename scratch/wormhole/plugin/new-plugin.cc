/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "new-plugin.h"

#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

namespace wormhole
{

namespace
{

namespace fs = std::filesystem;
using ns3::InputError;

/** A kind of class that `wormhole new` writes. */
struct Kind
{
    const char* name;
    const char* about;     //!< says what the class does, as a comment of C++; NAME stands for it
    const char* includes;  //!< of the file
    const char* example;   //!< its classes
    const char* className; //!< in the example
    const char* run;       //!< options that run it; NAME stands for the class
};

const std::vector<Kind>&
Kinds()
{
    static const std::vector<Kind> kinds{
        {"control",
         R"(// The congestion control ns3::NAME: halves a flow's rate once per round trip with an ECN mark, and
// adds a constant once per round trip without. Change what it does in OnAck, and what it remembers
// in SaveState and LoadState. docs/how-to/own-control.md of Wormhole explains each function.

)",
         R"(#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/rdma-module.h"

#include <algorithm>
#include <vector>

)",
         EXAMPLE_CONTROL,
         "EcnHalving",
         "--cc ns3::NAME --topology star:hosts=17 --traffic incast:fan-in=16,bytes=2MB"},
        {"scheduler",
         R"(// The egress scheduler ns3::NAME: of the classes that may send at a port, it serves the one that has
// sent the fewest bytes. Change what it does in DoChoose. rdma-egress-scheduler.h of Wormhole
// explains each function.

)",
         R"(#include "ns3/core-module.h"
#include "ns3/rdma-module.h"

#include <algorithm>
#include <array>

)",
         EXAMPLE_SCHEDULER,
         "LeastServed",
         "--scheduler ns3::NAME --topology star:hosts=5 --traffic "
         "incast:fan-in=2,receiver=4,priority=3 --traffic incast:fan-in=4,receiver=4,priority=5"},
        {"router",
         R"(// The router ns3::NAME: looks at two of the equally short ways of a packet, and takes the one with
// fewer bytes queued. Change what it does in DoChoose. rdma-router.h of Wormhole explains each
// function.

)",
         R"(#include "ns3/core-module.h"
#include "ns3/rdma-module.h"

#include <cstdint>

)",
         EXAMPLE_ROUTER,
         "TwoChoices",
         "--routing ns3::NAME --recovery irn --cc dcqcn --topology leaf-spine --traffic "
         "permutation"},
    };
    return kinds;
}

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
CheckName(const std::string& kind, const std::string& name)
{
    bool right = !name.empty() && std::isupper(static_cast<unsigned char>(name.front()));
    for (const char letter : name)
    {
        right = right && std::isalnum(static_cast<unsigned char>(letter));
    }
    if (!right)
    {
        throw InputError("new " + kind + " " + ns3::ShownText(name) +
                         ": a class's name has letters and digits, and begins with a capital: "
                         "MyControl");
    }
    ns3::TypeId type;
    if (ns3::TypeId::LookupByNameFailSafe("ns3::" + name, &type))
    {
        throw InputError("new " + kind + " " + name + ": there is an ns3::" + name +
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
WritePluginFile(const std::string& path, const std::string& text)
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

Words
NewPluginKinds()
{
    Words names;
    names.reserve(Kinds().size());
    for (const Kind& kind : Kinds())
    {
        names.emplace_back(kind.name);
    }
    return names;
}

std::string
WriteNewPlugin(const std::string& kind, const std::string& name, const std::string& folder)
{
    const auto known = std::find_if(Kinds().begin(), Kinds().end(), [&kind](const Kind& k) {
        return k.name == kind;
    });
    if (known == Kinds().end())
    {
        throw InputError("new " + ns3::ShownText(kind) + ": no such kind of class" +
                         ns3::KnownNamesText(kind, NewPluginKinds()));
    }
    CheckName(kind, name);
    CheckFolder(folder);
    MakeFolder(folder);
    WritePluginFile(folder + "/" + name + ".cc",
                    Replaced(known->about, "NAME", name) + known->includes +
                        Replaced(known->example, known->className, name));
    WritePluginFile(folder + "/CMakeLists.txt", Replaced(BUILD, "NAME", name));
    const std::string prefix = InstalledPrefix();
    return "cmake -S " + folder + " -B " + folder + "/build" +
           (prefix.empty() ? "" : " -D CMAKE_PREFIX_PATH=" + prefix) + "\ncmake --build " + folder +
           "/build\nwormhole run --load " + folder + "/build/" + name + ".so " +
           Replaced(known->run, "NAME", name) + "\n";
}

} // namespace wormhole
