/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FILES_H
#define WORMHOLE_CLI_FILES_H

#include "ns3/input-line-file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** A file that a run reads or writes. */
struct NamedFile
{
    std::string role; ///< "flows", "fct", or the option that names it
    std::string path;
};

/** \return whether there is something of this name */
bool FileExists(const std::string& path);

/** \return the file that writing to \p path makes: where links lead, also one that leads nowhere
 * yet; empty if they lead in a circle */
std::string TargetOf(const std::string& path);

/**
 * \param path as written in \p config
 * \param config path of the file that names it
 * \return the path, relative to the working directory as HPCC does; if nothing is there, relative to
 * the folder of \p config
 */
std::string ResolveInput(const std::string& path, const std::string& config);

/**
 * Checks that no output overwrites an input or another output, by whatever name.
 * \throws InputError naming both
 */
void CheckOverwrite(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/** \return what to tell of a file that cannot be flushed */
std::string CannotWriteText(const ns3::LineFile& file);

/**
 * Rejects what can be read only once: that it is there, its hash and its content are.
 * \throws InputError if it is a pipe
 */
void RejectPipe(const std::string& file);

/** Makes a folder with its parents, if it is not there. \throws OutputError if that is
 * impossible */
void MakeFolder(const std::string& folder);

/** What identifies the content of a file. */
struct FileDigest
{
    uint64_t bytes{0};
    uint64_t fnv1a{0xcbf29ce484222325}; ///< FNV-1a, 64 bits, of all bytes

    /** Adds so many bytes. */
    void Add(const char* data, size_t size);

    /** \return the hash as results have it: 16 hexadecimal digits */
    std::string HashText() const;
};

/** An input as it was when it was read. */
struct InputDigest
{
    NamedFile file;
    FileDigest digest;
};

/** \throws InputError if the file cannot be read */
FileDigest DigestFile(const std::string& path);

/** \return the file's path inside the folder, by its base name */
std::string InFolder(const std::string& folder, const std::string& path);

/** \return where the summary of a run stands, next to its fct file */
std::string SummaryBeside(const std::string& fct);

/** \return the file that a traffic specification names (cdf=FILE, file=FILE); empty if none */
std::string FileOfTraffic(const std::string& spec);

} // namespace wormhole

#endif // WORMHOLE_CLI_FILES_H
