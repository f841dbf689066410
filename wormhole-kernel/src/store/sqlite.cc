/*
 * SPDX-License-Identifier: MIT
 */
#include "store/sqlite.h"

#include <algorithm>
#include <cstring>

namespace wormhole
{
namespace
{

/** \return what SQLite says, which may quote a damaged file: cut where it is long, and with "?" for
 * what a terminal may not show */
std::string
Shown(std::string text)
{
    constexpr std::size_t MOST = 160;
    if (text.size() > MOST)
    {
        text.replace(MOST, std::string::npos, "...");
    }
    std::replace_if(
        text.begin(),
        text.end(),
        [](char c) { return c < ' ' || c > '~'; },
        '?');
    return text;
}

/** \throws SqliteError with what SQLite and the system say of the last call */
[[noreturn]] void
Throw(sqlite3* database, int code)
{
    std::string text = Shown(database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
    if (const int system = database ? sqlite3_system_errno(database) : 0)
    {
        text += std::string(" (") + std::strerror(system) + ")";
    }
    throw SqliteError(code, text);
}

void
Check(sqlite3* database, int code)
{
    if (code != SQLITE_OK)
    {
        Throw(database, code);
    }
}

} // namespace

SqliteConnection::SqliteConnection(const std::string& path, int flags)
{
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    m_database.reset(database);
    Check(database, code);
}

void
SqliteConnection::Execute(const std::string& sql)
{
    Check(Get(), sqlite3_exec(Get(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t
SqliteConnection::Number(const std::string& sql)
{
    SqliteStatement statement(*this, sql);
    SqliteStatement::Run run(statement);
    return run.Step() ? run.Integer(0) : 0;
}

SqliteStatement::SqliteStatement(SqliteConnection& connection, std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(connection.Get(),
                                        sql.data(),
                                        static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT,
                                        &statement,
                                        nullptr);
    m_statement.reset(statement);
    Check(connection.Get(), code);
}

bool
SqliteStatement::Run::Step()
{
    const int code = sqlite3_step(m_statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
    {
        Throw(sqlite3_db_handle(m_statement), code);
    }
    return code == SQLITE_ROW;
}

std::string_view
SqliteStatement::Run::Blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view();
}

void
SqliteStatement::Run::Bind(int index, std::int64_t value)
{
    Check(sqlite3_db_handle(m_statement), sqlite3_bind_int64(m_statement, index, value));
}

void
SqliteStatement::Run::Bind(int index, std::uint64_t value)
{
    Bind(index, static_cast<std::int64_t>(value));
}

void
SqliteStatement::Run::Bind(int index, std::string_view blob)
{
    Check(sqlite3_db_handle(m_statement),
          sqlite3_bind_blob64(m_statement, index, blob.data(), blob.size(), SQLITE_STATIC));
}

SqliteTransaction::~SqliteTransaction()
{
    // SQLite itself undoes a transaction after some errors.
    if (sqlite3_get_autocommit(m_connection.Get()) == 0)
    {
        sqlite3_exec(m_connection.Get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

} // namespace wormhole
