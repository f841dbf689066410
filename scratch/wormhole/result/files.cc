/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "files.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

constexpr int MOST_SYMBOLIC_LINKS = 40; // one after the other, as in the system

/** \return what is the same for all names of a file; empty for devices, which all may write to */
std::string
IdentityOf(const std::string& path)
{
    struct stat status
    {
    };

    if (stat(path.c_str(), &status) != 0)
    {
        return "to be made: " + TargetOf(path);
    }
    return S_ISREG(status.st_mode)
               ? std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino)
               : "";
}

/** A file, and how a message calls it. */
struct TakenFile
{
    const NamedFile* file;
    const char* verb;
};

} // namespace

bool
FileExists(const std::string& path)
{
    std::error_code error;
    return fs::exists(path, error);
}

std::string
TargetOf(const std::string& path)
{
    std::error_code error;
    fs::path at(path);
    for (int links = 0; links < MOST_SYMBOLIC_LINKS && fs::is_symlink(at, error); ++links)
    {
        at = at.parent_path() / fs::read_symlink(at, error); // an absolute one replaces the folder
    }
    return fs::weakly_canonical(fs::absolute(at, error), error).string();
}

std::string
ResolveInput(const std::string& path, const std::string& config)
{
    if (FileExists(path) || fs::path(path).is_absolute())
    {
        return path;
    }
    const std::string beside = (fs::path(config).parent_path() / path).string();
    return FileExists(beside) ? beside : path;
}

namespace
{

/** \throws InputError if the system has no files with such a name */
void
CheckName(const NamedFile& output)
{
    std::error_code error;
    if (fs::status(output.path, error).type() == fs::file_type::none &&
        error == std::errc::filename_too_long)
    {
        throw ns3::InputError(output.role + " " + ns3::ShownText(output.path) + " of " +
                              std::to_string(output.path.size()) +
                              " characters: " + error.message() + "; give a shorter one");
    }
}

} // namespace

void
CheckOverwrite(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs)
{
    std::map<std::string, TakenFile> taken;
    for (const NamedFile& input : inputs)
    {
        taken.insert({IdentityOf(input.path), {&input, "the input "}});
    }
    for (const NamedFile& output : outputs)
    {
        CheckName(output);
        const std::string identity = IdentityOf(output.path);
        const auto [at, fresh] = taken.insert({identity, {&output, "the output "}});
        if (!fresh && !identity.empty())
        {
            const auto& [other, verb] = at->second;
            throw ns3::InputError(output.path + ": the output " + output.role +
                                  " would overwrite " + verb + other->role + " (" + other->path +
                                  "); give one of them another name, or another folder");
        }
    }
}

std::string
CannotWriteText(const ns3::LineFile& file)
{
    return file.GetPath() + ": cannot be written now (" + file.GetError() +
           "); results are kept in memory meanwhile";
}

void
RejectPipe(const std::string& file)
{
    std::error_code error;
    if (fs::is_fifo(file, error))
    {
        throw ns3::InputError(file + ": a pipe, but the file is read more than once; save what "
                                     "comes out of it to a file, and name that");
    }
}

void
MakeFolder(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
    {
        throw ns3::OutputError(folder + ": cannot be made: " + error.message());
    }
}

void
FileDigest::Add(const char* data, size_t size)
{
    constexpr uint64_t PRIME = 0x100000001b3;
    for (size_t i = 0; i < size; ++i)
    {
        fnv1a = (fnv1a ^ static_cast<unsigned char>(data[i])) * PRIME;
    }
    bytes += size;
}

std::string
FileDigest::HashText() const
{
    char text[17];
    std::snprintf(text, sizeof(text), "%016" PRIx64, fnv1a);
    return text;
}

FileDigest
DigestFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    FileDigest digest;
    std::vector<char> block(1 << 16);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    {
        digest.Add(block.data(), static_cast<size_t>(in.gcount()));
    }
    if (!in.eof())
    {
        throw ns3::InputError(path, 0, "cannot be read; check the name and the permissions");
    }
    return digest;
}

std::string
InFolder(const std::string& folder, const std::string& path)
{
    return (fs::path(folder) / fs::path(path).filename()).string();
}

std::string
SummaryBeside(const std::string& fct)
{
    std::error_code error;
    const std::string name = fct + ".summary.json";
    // not next to a device such as /dev/null, or /dev/stdout though it may lead to a file
    const bool device = fct.rfind("/dev/", 0) == 0 || fct.rfind("/proc/", 0) == 0 ||
                        (fs::exists(fct, error) && !fs::is_regular_file(fct, error));
    return device ? fs::path(name).filename().string() : name;
}

std::string
FileOfTraffic(const std::string& spec)
{
    ns3::InputSpec parsed(spec);
    return parsed.Word("cdf", parsed.Word("file", ""));
}

} // namespace wormhole
