/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nsys-database.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <sqlite3.h>

namespace ns3
{

namespace
{

const char* const REMEDY_EXPORT =
    ": nsys export --type sqlite --include-blobs true writes one from a report";

/** \return a name in SQL */
std::string
QuotedSqlName(const std::string& name)
{
    std::string text = "\"";
    for (const char letter : name)
    {
        text += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return text + "\"";
}

} // namespace

bool
WorkloadNsysRow::IsNull(size_t column) const
{
    return m_places[column] < 0 ||
           sqlite3_column_type(m_statement, m_places[column]) == SQLITE_NULL;
}

void
WorkloadNsysRow::Fail(const std::string& message) const
{
    throw InputError(*m_file,
                     0,
                     "table " + *m_table + ", row " + std::to_string(m_number) + ": " + message);
}

uint64_t
WorkloadNsysRow::Integer(size_t column, uint64_t max) const
{
    return Bounded(column, 0, max);
}

uint64_t
WorkloadNsysRow::Integer(size_t column, uint64_t max, uint64_t missing) const
{
    return IsNull(column) ? missing : Integer(column, max);
}

uint64_t
WorkloadNsysRow::CountOrNone(size_t column, uint64_t max) const
{
    return IsNull(column) ? 0 : Bounded(column, 1, max);
}

uint64_t
WorkloadNsysRow::Bounded(size_t column, uint64_t min, uint64_t max) const
{
    const std::string& name = (*m_columns)[column].name;
    if (IsNull(column))
    {
        Fail(name + " has no value, but must be a whole number: export the report again");
    }
    const int64_t value = sqlite3_column_int64(m_statement, m_places[column]);
    if (sqlite3_column_type(m_statement, m_places[column]) != SQLITE_INTEGER || value < 0 ||
        static_cast<uint64_t>(value) < min || static_cast<uint64_t>(value) > max)
    {
        Fail(name + " " + ShownText(Bytes(column)) + ", but must be a whole number from " +
             std::to_string(min) + " to " + std::to_string(max) + ": export the report again");
    }
    return static_cast<uint64_t>(value);
}

std::string
WorkloadNsysRow::Bytes(size_t column) const
{
    if (IsNull(column))
    {
        return "";
    }
    // a blob's pointer is null if it is empty
    const void* bytes = sqlite3_column_blob(m_statement, m_places[column]);
    const int size = sqlite3_column_bytes(m_statement, m_places[column]);
    return bytes ? std::string(static_cast<const char*>(bytes), static_cast<size_t>(size)) : "";
}

void
WorkloadNsysDatabase::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

WorkloadNsysDatabase::WorkloadNsysDatabase(const std::string& file)
    : m_name(file)
{
    if (sqlite3_open_v2(file.c_str(), &m_database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
    {
        sqlite3_close(m_database);
        throw InputError(file, 0, "cannot be read; check the name and the permissions");
    }
    Prepare();
}

WorkloadNsysDatabase::WorkloadNsysDatabase(const std::string& bytes, const std::string& name)
    : m_name(name)
{
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
    if (sqlite3_open(":memory:", &m_database) != SQLITE_OK || !copy)
    {
        sqlite3_free(copy);
        sqlite3_close(m_database);
        throw InputError(name, 0, "there is no memory for it");
    }
    std::copy(bytes.begin(), bytes.end(), copy);
    sqlite3_deserialize(m_database,
                        "main",
                        copy,
                        static_cast<sqlite3_int64>(bytes.size()),
                        static_cast<sqlite3_int64>(bytes.size()),
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
    Prepare();
}

WorkloadNsysDatabase::~WorkloadNsysDatabase()
{
    sqlite3_close(m_database);
}

void
WorkloadNsysDatabase::Prepare()
{
    // a schema may call functions, which could do more than read
    sqlite3_db_config(m_database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    try
    {
        const Statement tables = Make("SELECT name FROM sqlite_master WHERE type = 'table'");
        int step = SQLITE_ROW;
        while ((step = sqlite3_step(tables.get())) == SQLITE_ROW)
        {
            const unsigned char* name = sqlite3_column_text(tables.get(), 0);
            m_tables.emplace_back(name ? reinterpret_cast<const char*>(name) : "");
        }
        if (step != SQLITE_DONE)
        {
            FailDamaged("list of tables");
        }
    }
    catch (const InputError&)
    {
        sqlite3_close(m_database);
        throw;
    }
}

void
WorkloadNsysDatabase::FailDamaged(const std::string& where) const
{
    const int code = sqlite3_errcode(m_database);
    if (code == SQLITE_NOTADB)
    {
        throw InputError(m_name, 0, std::string("is no SQLite database") + REMEDY_EXPORT);
    }
    throw InputError(m_name,
                     0,
                     where + ": " + sqlite3_errmsg(m_database) +
                         "; the file is cut off, or damaged: export the report again");
}

WorkloadNsysDatabase::Statement
WorkloadNsysDatabase::Make(const std::string& sql) const
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(m_database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    {
        FailDamaged("schema");
    }
    return Statement(statement);
}

bool
WorkloadNsysDatabase::Has(const std::string& table) const
{
    return std::find(m_tables.begin(), m_tables.end(), table) != m_tables.end();
}

std::vector<std::string>
WorkloadNsysDatabase::ColumnsOf(const std::string& table) const
{
    const Statement all = Make("SELECT * FROM " + QuotedSqlName(table) + " LIMIT 0");
    const int count = sqlite3_column_count(all.get());
    std::vector<std::string> names;
    names.reserve(static_cast<size_t>(count));
    for (int column = 0; column < count; ++column)
    {
        names.emplace_back(sqlite3_column_name(all.get(), column));
    }
    return names;
}

void
WorkloadNsysDatabase::Read(const std::string& table,
                           const std::vector<WorkloadNsysColumn>& columns,
                           const std::function<void(const WorkloadNsysRow&)>& read) const
{
    const std::vector<std::string> there = ColumnsOf(table);
    WorkloadNsysRow row;
    std::string list;
    int places = 0;
    for (const WorkloadNsysColumn& column : columns)
    {
        const bool has = std::find(there.begin(), there.end(), column.name) != there.end();
        if (!has && !column.optional)
        {
            throw InputError(m_name,
                             0,
                             "table " + table + " has no column " + column.name +
                                 ": export the report with a newer Nsight Systems");
        }
        row.m_places.push_back(has ? places++ : -1);
        list += has ? (list.empty() ? "" : ", ") + QuotedSqlName(column.name) : "";
    }
    const Statement statement = Make("SELECT " + list + " FROM " + QuotedSqlName(table));
    row.m_file = &m_name;
    row.m_table = &table;
    row.m_columns = &columns;
    row.m_statement = statement.get();
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW)
    {
        ++row.m_number;
        read(row);
    }
    if (step != SQLITE_DONE)
    {
        FailDamaged("table " + table + ", after row " + std::to_string(row.m_number));
    }
}

} // namespace ns3
