/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "files.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-line-file.h"
#include "ns3/rdma-spec-parser.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

/** \return whether writing one file changes the other */
bool
AreSame(const std::string& a, const std::string& b)
{
    std::error_code error;
    if (fs::equivalent(a, b, error) && !error)
    {
        return fs::is_regular_file(a, error); // two outputs to /dev/null do not collide
    }
    return !fs::exists(a, error) && fs::weakly_canonical(fs::absolute(a, error), error) ==
                                        fs::weakly_canonical(fs::absolute(b, error), error);
}

void
CheckPair(const NamedFile& output, const NamedFile& other, const std::string& verb)
{
    if (AreSame(output.path, other.path))
    {
        throw ns3::RdmaInputError(output.path + ": the output " + output.role +
                                  " would overwrite " + verb + other.role + " (" + other.path +
                                  "); give one of them another name, or another folder");
    }
}

} // namespace

bool
FileExists(const std::string& path)
{
    std::error_code error;
    return fs::exists(path, error);
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

void
CheckOverwrite(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs)
{
    for (size_t i = 0; i < outputs.size(); ++i)
    {
        for (const NamedFile& input : inputs)
        {
            CheckPair(outputs[i], input, "the input ");
        }
        for (size_t j = 0; j < i; ++j)
        {
            CheckPair(outputs[i], outputs[j], "the output ");
        }
    }
}

std::string
CannotWriteText(const ns3::RdmaLineFile& file)
{
    return file.GetPath() + ": cannot be written now (" + file.GetError() +
           "); results are kept in memory meanwhile";
}

void
MakeFolder(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
    {
        throw ns3::RdmaOutputError(folder + ": cannot be made: " + error.message());
    }
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
    constexpr uint64_t OFFSET_BASIS = 0xcbf29ce484222325;
    constexpr uint64_t PRIME = 0x100000001b3;
    std::ifstream in(path, std::ios::binary);
    FileDigest digest{0, OFFSET_BASIS};
    std::vector<char> block(1 << 16);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    {
        for (std::streamsize i = 0; i < in.gcount(); ++i)
        {
            digest.fnv1a = (digest.fnv1a ^ static_cast<unsigned char>(block[i])) * PRIME;
        }
        digest.bytes += static_cast<uint64_t>(in.gcount());
    }
    if (!in.eof())
    {
        throw ns3::RdmaInputError(path, 0, "cannot be read; check the name and the permissions");
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
    // not next to a device such as /dev/null
    return fs::exists(fct, error) && !fs::is_regular_file(fct, error)
               ? fs::path(name).filename().string()
               : name;
}

std::string
FileOfTraffic(const std::string& spec)
{
    ns3::RdmaSpec parsed(spec);
    return parsed.Word("cdf", "");
}

} // namespace wormhole
