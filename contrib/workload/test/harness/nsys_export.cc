/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/nsys_export.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace nsys
{

namespace
{

/** \return bytes as SQL writes a blob */
std::string
BlobOf(const std::string& bytes)
{
    static const char* const DIGITS = "0123456789abcdef";
    std::string text = "x'";
    for (const char byte : bytes)
    {
        const auto value = static_cast<unsigned char>(byte);
        text += DIGITS[value / 16];
        text += DIGITS[value % 16];
    }
    return text + "'";
}

std::string
Little(uint64_t value, size_t width)
{
    std::string bytes;
    for (size_t byte = 0; byte < width; ++byte)
    {
        bytes += static_cast<char>(value >> (8 * byte));
    }
    return bytes;
}

std::string
Joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string
Packed(uint64_t process)
{
    return std::to_string(process << 24);
}

} // namespace

Fields
Call(uint64_t communicator, uint64_t bytes)
{
    return {{"NCCL communicator ID", communicator}, {"Message size [bytes]", bytes}};
}

Fields
Init(uint64_t communicator, uint64_t ranks, uint64_t rank, uint64_t device)
{
    return {{"NCCL communicator ID", communicator},
            {"No. of ranks", ranks},
            {"Rank", rank},
            {"CUDA device", device}};
}

void
Change(const std::string& file, const std::string& statement)
{
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << statement;
    sqlite3_close(database);
}

Export::Export(const std::string& file)
{
    EXPECT_EQ(sqlite3_open(file.c_str(), &m_database), SQLITE_OK);
    Sql("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA page_size = 512;"
        "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, schemaId INTEGER NOT "
        "NULL, idx INTEGER NOT NULL, type INTEGER, name TEXT, offset INTEGER);"
        "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT "
        "NULL, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, binaryData TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, "
        "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, "
        "deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid "
        "INTEGER, demangledName INTEGER NOT NULL, gridX INTEGER NOT NULL, blockX INTEGER NOT "
        "NULL);");
}

Export::~Export()
{
    sqlite3_close(m_database);
}

void
Export::Sql(const std::string& statement)
{
    char* error = nullptr;
    sqlite3_exec(m_database, statement.c_str(), nullptr, nullptr, &error);
    EXPECT_EQ(error, nullptr) << statement << ": " << error;
    sqlite3_free(error);
}

uint64_t
Export::StringOf(const std::string& text)
{
    const auto place = m_strings.emplace(text, m_strings.size() + 1);
    if (place.second)
    {
        Sql("INSERT INTO StringIds VALUES (" + std::to_string(m_strings.size()) + ", '" + text +
            "')");
    }
    return place.first->second;
}

void
Export::Range(uint64_t process, uint64_t startNs, uint64_t endNs, const std::string& name)
{
    Sql("INSERT INTO NVTX_EVENTS VALUES (" + Joined({std::to_string(startNs),
                                                     std::to_string(endNs),
                                                     "59, NULL",
                                                     Packed(process) + " + 1",
                                                     std::to_string(StringOf(name)),
                                                     "1, NULL)"}));
}

void
Export::Range(uint64_t process,
              uint64_t startNs,
              uint64_t endNs,
              const std::string& name,
              const Fields& fields)
{
    std::vector<std::string> names;
    std::string data;
    for (const auto& [field, value] : fields)
    {
        names.push_back(field);
        data += Little(value, 8); // all as size_t, one behind the other
    }
    const auto place = m_schemas.emplace(names, 1000 + m_schemas.size());
    for (size_t index = 0; place.second && index < names.size(); ++index)
    {
        Sql("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (" +
            Joined({"1",
                    std::to_string(place.first->second),
                    std::to_string(index),
                    "22",
                    "'" + names[index] + "'",
                    index == 0 ? "NULL" : std::to_string(8 * index)}) +
            ")");
    }
    const std::string header = Little(1, 8) + Little(place.first->second, 8) +
                               Little(data.size(), 8) + Little(32 + data.size(), 8);
    Range(process, startNs, endNs, name);
    Sql("UPDATE NVTX_EVENTS SET binaryData = " + BlobOf(header + data) +
        " WHERE rowid = last_insert_rowid()");
}

void
Export::Kernel(uint64_t process,
               uint64_t device,
               uint64_t stream,
               uint64_t launchNs,
               uint64_t startNs,
               uint64_t endNs,
               const std::string& name,
               uint64_t blocks,
               uint64_t threads)
{
    const std::string correlation = std::to_string(++m_correlation);
    Sql("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" +
        Joined({std::to_string(launchNs),
                std::to_string(launchNs + 5),
                Packed(process) + " + 1",
                correlation,
                std::to_string(StringOf("cuLaunchKernelEx"))}) +
        ")");
    Sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" +
        Joined({std::to_string(startNs),
                std::to_string(endNs),
                std::to_string(device),
                std::to_string(stream),
                correlation,
                Packed(process),
                std::to_string(StringOf(name)),
                std::to_string(blocks),
                std::to_string(threads)}) +
        ")");
}

void
Export::Collective(uint64_t process,
                   uint64_t stream,
                   uint64_t startNs,
                   uint64_t endNs,
                   const std::string& function,
                   const Fields& fields)
{
    Range(process, startNs - 110, startNs - 80, "nccl" + function, fields);
    Kernel(process,
           0,
           stream,
           startNs - 100,
           startNs,
           endNs,
           "ncclDevKernel_" + function + "_RING_LL(x)");
}

} // namespace nsys
