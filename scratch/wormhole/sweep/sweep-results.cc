/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-results.h"

#include "report/csv-writer.h"
#include "result/files.h"
#include "result/new-file.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <unistd.h>

namespace wormhole
{

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace
{

/** Parts of a summary that say what was run, not what came of it. */
const std::set<std::string> NO_RESULTS{"program", "command", "configuration", "inputs", "outputs"};

/** Rows of one table; columns are in the order in which they were first seen. */
class Table
{
  public:
    void BeginRow()
    {
        m_rows.emplace_back();
    }

    /** Sets a field of the last row. */
    void Set(const std::string& column, const Json& value)
    {
        const auto [place, added] = m_places.emplace(column, m_columns.size());
        if (added)
        {
            m_columns.push_back(column);
        }
        std::vector<Json>& row = m_rows.back();
        row.resize(std::max(row.size(), place->second + 1));
        row[place->second] = value;
    }

    const Words& Columns() const
    {
        return m_columns;
    }

    /** \return rows of as many fields as there are columns */
    std::vector<std::vector<Json>> Rows() const
    {
        std::vector<std::vector<Json>> rows = m_rows;
        for (std::vector<Json>& row : rows)
        {
            row.resize(m_columns.size());
        }
        return rows;
    }

  private:
    Words m_columns;
    std::map<std::string, size_t> m_places; //!< of columns
    std::vector<std::vector<Json>> m_rows;
};

/** \return a name that needs no quotes anywhere: letters, digits and _ */
std::string
ColumnName(const std::string& text)
{
    std::string name = text;
    for (char& letter : name)
    {
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return name;
}

/** \return a number, if the text is one */
Json
ValueOf(const std::string& text)
{
    uint64_t whole = 0;
    double number = 0;
    return ns3::ParseInteger(text, whole)   ? Json(whole)
           : ns3::ParseNumber(text, number) ? Json(number)
                                            : Json(text);
}

/** Sets a field for each number of \p part, named by where it stands. */
void
SetNumbers(const Json& part, const std::string& name, Table& table)
{
    if (part.is_number() || part.is_boolean())
    {
        table.Set(name, part.is_boolean() ? Json(int{part.get<bool>()}) : part);
    }
    else if (part.is_object())
    {
        for (const auto& [key, value] : part.items())
        {
            if (!name.empty() || !NO_RESULTS.count(key))
            {
                SetNumbers(value,
                           name.empty() ? ColumnName(key) : name + "_" + ColumnName(key),
                           table);
            }
        }
    }
}

Table
RunsTable(const Words& parameters, const std::vector<SweepResult>& results)
{
    Table table;
    for (const SweepResult& result : results)
    {
        table.BeginRow();
        table.Set("hash", result.run->hash);
        const auto setParameters = [&]() {
            for (size_t i = 0; i < parameters.size(); ++i)
            {
                table.Set(ColumnName(parameters[i]), ValueOf(result.run->values[i]));
            }
        };
        setParameters();
        table.Set("commit_id", result.summary.at("program").value("commit", ""));
        SetNumbers(result.summary, "", table);
        setParameters(); // also if one has the name of a result
    }
    return table;
}

Table
ConfigurationsTable(const std::vector<SweepResult>& results)
{
    Table table;
    for (const SweepResult& result : results)
    {
        table.BeginRow();
        table.Set("hash", result.run->hash);
        table.Set("folder", result.folder);
        table.Set("options", Json(result.run->words).dump());
        table.Set("configuration", result.summary.at("configuration").dump());
        table.Set("inputs", result.summary.at("inputs").dump());
    }
    return table;
}

void
WriteCsv(const std::string& path, const Table& table)
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

/** A database that takes its name when it is complete. */
class Database
{
  public:
    explicit Database(const std::string& path)
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

    ~Database()
    {
        std::error_code error;
        fs::remove(m_partial, error); // unless it has its name
    }

    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void Write(const std::string& name, const Table& table);

    void Close()
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

  private:
    struct Closer
    {
        void operator()(sqlite3* database) const
        {
            sqlite3_close_v2(database);
        }
    };

    struct Finalizer
    {
        void operator()(sqlite3_stmt* statement) const
        {
            sqlite3_finalize(statement);
        }
    };

    void Check(int code) const
    {
        if (code != SQLITE_OK && code != SQLITE_DONE)
        {
            throw ns3::OutputError(m_path +
                                   ": cannot be written: " + sqlite3_errmsg(m_database.get()));
        }
    }

    void Execute(const std::string& sql)
    {
        Check(sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr));
    }

    static void Bind(sqlite3_stmt* statement, int place, const Json& value);

    std::string m_path;
    std::string m_partial;
    std::unique_ptr<sqlite3, Closer> m_database;
};

void
Database::Bind(sqlite3_stmt* statement, int place, const Json& value)
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

void
Database::Write(const std::string& name, const Table& table)
{
    std::string columns;
    std::string places;
    for (const std::string& column : table.Columns())
    {
        columns += (columns.empty() ? "" : ", ") + ("\"" + column + "\"");
        places += places.empty() ? "?" : ", ?";
    }
    Execute("CREATE TABLE " + name + " (" + columns + ", PRIMARY KEY (\"hash\"))");
    const std::string insert = "INSERT INTO " + name + " VALUES (" + places + ")";
    sqlite3_stmt* prepared = nullptr;
    Check(sqlite3_prepare_v2(m_database.get(), insert.c_str(), -1, &prepared, nullptr));
    const std::unique_ptr<sqlite3_stmt, Finalizer> statement(prepared);
    for (const std::vector<Json>& row : table.Rows())
    {
        sqlite3_clear_bindings(statement.get());
        for (size_t i = 0; i < row.size(); ++i)
        {
            Bind(statement.get(), static_cast<int>(i + 1), row[i]);
        }
        Check(sqlite3_step(statement.get()));
        Check(sqlite3_reset(statement.get()));
    }
}

} // namespace

std::optional<Json>
ReadSweepSummary(const std::string& folder)
{
    std::ifstream in(fs::path(folder) / "summary.json");
    Json summary = in ? Json::parse(in, nullptr, false) : Json();
    if (!summary.is_object() || summary.value("interrupted", true))
    {
        return std::nullopt;
    }
    try
    {
        for (const Json& input : summary.at("inputs"))
        {
            if (DigestFile(input.at("path")).HashText() != input.at("fnv1a_64"))
            {
                return std::nullopt;
            }
        }
    }
    catch (const ns3::InputError&)
    {
        return std::nullopt; // the run will say what it misses
    }
    catch (const Json::exception&)
    {
        return std::nullopt; // another program's, or damaged
    }
    return summary;
}

void
WriteSweepResults(const std::string& folder,
                  const Words& parameters,
                  const std::vector<SweepResult>& results)
{
    const Table runs = RunsTable(parameters, results);
    WriteCsv(InFolder(folder, "results.csv"), runs);
    if (results.empty())
    {
        return; // a table has columns
    }
    Database database(InFolder(folder, "results.db"));
    database.Write("runs", runs);
    database.Write("configurations", ConfigurationsTable(results));
    database.Close();
}

} // namespace wormhole
