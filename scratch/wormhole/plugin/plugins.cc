/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plugins.h"

#include "command/exec-arguments.h"
#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/output-error.h"
#include "ns3/type-id.h"

#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <unistd.h>

/** What this program, or a plug-in, was built for: made by cmake/PluginStamp.cmake. */
extern "C" const char wormholePluginOf[];

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

using ns3::InputError;

std::string g_programOfPlugins; //!< SetProgramOfPlugins(); empty if it is this one

/** \return the error of \p file, with what to do */
InputError
PluginError(const std::string& file, const std::string& why)
{
    return InputError("--load " + ns3::ShownText(file) + ": " + why);
}

void
CheckStamp(const std::string& file, void* object)
{
    const std::string build = "build it again with wormhole_add_plugin() of this one's CMake "
                              "package (wormhole new control --help)";
    const auto* const stamp = static_cast<const char*>(dlsym(object, "wormholePluginOf"));
    if (!stamp)
    {
        throw PluginError(file, "does not say for which Wormhole it was built; " + build);
    }
    if (std::string(stamp) != wormholePluginOf)
    {
        throw PluginError(file,
                          "was built for Wormhole " + std::string(stamp) + ", this is " +
                              wormholePluginOf + "; " + build);
    }
}

/** Checks what has been registered since there were \p before classes. */
void
CheckClasses(const std::string& file, uint16_t before)
{
    std::set<std::string> names;
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const std::string name = ns3::TypeId::GetRegistered(i).GetName();
        if (!names.insert(name).second && i >= before)
        {
            throw PluginError(file, "has a class " + name + ", as there is already; rename it");
        }
    }
    if (ns3::TypeId::GetRegisteredN() == before)
    {
        throw PluginError(file,
                          "registers no class; each needs NS_OBJECT_ENSURE_REGISTERED(ItsName)");
    }
}

/** \throws InputError if \p program cannot be run */
[[noreturn]] void
GoOnAs(const std::string& program)
{
    Words words;
    std::ifstream line("/proc/self/cmdline");
    for (std::string word; std::getline(line, word, '\0');)
    {
        words.push_back(word);
    }
    std::cout.flush();
    std::fflush(nullptr);
    execv(program.c_str(), ExecArguments(words).data());
    throw InputError(program + ", which --load goes on as, cannot be run: " +
                     ns3::ErrorText(errno) + "; install or build all of Wormhole again");
}

void
LoadPlugin(const std::string& file)
{
    RejectPipe(file);
    if (!FileExists(file))
    {
        throw PluginError(file, "there is no such file");
    }
    const std::string path = fs::canonical(file).string();
    static std::set<std::string> loaded;
    if (!loaded.insert(path).second)
    {
        return;
    }
    if (!g_programOfPlugins.empty())
    {
        GoOnAs(fs::canonical("/proc/self/exe").parent_path() / g_programOfPlugins);
    }
    const uint16_t before = ns3::TypeId::GetRegisteredN();
    void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!object)
    {
        throw PluginError(file, dlerror());
    }
    CheckStamp(file, object);
    CheckClasses(file, before);
}

} // namespace

void
SetProgramOfPlugins(const std::string& name)
{
    g_programOfPlugins = name;
}

void
LoadPlugins(const Words& files)
{
    for (const std::string& file : files)
    {
        LoadPlugin(file);
    }
}

std::string
CodeOfPlugins(const Words& files)
{
    std::string code;
    for (const std::string& file : files)
    {
        code += DigestFile(file).HashText();
    }
    return code;
}

} // namespace wormhole
