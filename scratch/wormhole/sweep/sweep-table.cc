/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-table.h"

#include "report/csv-writer.h"
#include "result/new-file.h"

#include "ns3/input-line-file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <unistd.h>

namespace wormhole
{

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace
{

struct Finalizer
{
    void operator()(sqlite3_stmt* statement) const
    {
        sqlite3_finalize(statement);
    }
};

void
BindField(sqlite3_stmt* statement, int place, const Json& value)
{
    if (value.is_number_float())
    {
        sqlite3_bind_double(statement, place, value.get<double>());
    }
    else if (value.is_number())
    {
        sqlite3_bind_int64(statement, place, value.get<int64_t>());
    }
    else if (value.is_string())
    {
        const std::string& text = value.get_ref<const std::string&>();
        sqlite3_bind_text(statement, place, text.c_str(), -1, SQLITE_TRANSIENT);
    }
}

} // namespace

std::string
SweepColumnName(const std::string& text)
{
    std::string name = text;
    for (char& letter : name)
    {
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return name;
}

void
WriteSweepCsv(const std::string& path, const SweepTable& table)
{
    std::string header;
    for (const std::string& column : table.Columns())
    {
        header += (header.empty() ? "" : ",") + column;
    }
    CsvWriter csv("results", header);
    for (const std::vector<Json>& row : table.Rows())
    {
        csv.Row(row);
    }
    NewFile file(path);
    file.Stream() << csv.Table().text;
    file.Close();
}

SweepDatabase::SweepDatabase(const std::string& path)
    : m_path(path),
      m_partial(path + ".partial-" + std::to_string(getpid()))
{
    fs::remove(m_partial);
    sqlite3* database = nullptr;
    const int code = sqlite3_open(m_partial.c_str(), &database);
    m_database.reset(database);
    Check(code);
    Execute("PRAGMA journal_mode=OFF; BEGIN");
}

SweepDatabase::~SweepDatabase()
{
    std::error_code error;
    fs::remove(m_partial, error); // unless it has its name
}

void
SweepDatabase::Close()
{
    Execute("COMMIT");
    m_database = nullptr;
    std::error_code error;
    fs::rename(m_partial, m_path, error);
    if (error)
    {
        throw ns3::OutputError(m_path + ": cannot be written: " + error.message());
    }
}

void
SweepDatabase::Check(int code) const
{
    if (code != SQLITE_OK && code != SQLITE_DONE)
    {
        throw ns3::OutputError(m_path + ": cannot be written: " + sqlite3_errmsg(m_database.get()));
    }
}

void
SweepDatabase::Execute(const std::string& sql)
{
    Check(sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void
SweepDatabase::Write(const std::string& name, const SweepTable& table, const std::string& key)
{
    std::string columns;
    std::string places;
    for (const std::string& column : table.Columns())
    {
        columns += (columns.empty() ? "" : ", ") + ("\"" + column + "\"");
        places += places.empty() ? "?" : ", ?";
    }
    const std::string primary = key.empty() ? "" : ", PRIMARY KEY (\"" + key + "\")";
    Execute("CREATE TABLE " + name + " (" + columns + primary + ")");
    const std::string insert = "INSERT INTO " + name + " VALUES (" + places + ")";
    sqlite3_stmt* prepared = nullptr;
    Check(sqlite3_prepare_v2(m_database.get(), insert.c_str(), -1, &prepared, nullptr));
    const std::unique_ptr<sqlite3_stmt, Finalizer> statement(prepared);
    for (const std::vector<Json>& row : table.Rows())
    {
        sqlite3_clear_bindings(statement.get());
        for (size_t i = 0; i < row.size(); ++i)
        {
            BindField(statement.get(), static_cast<int>(i + 1), row[i]);
        }
        Check(sqlite3_step(statement.get()));
        Check(sqlite3_reset(statement.get()));
    }
}

} // namespace wormhole
