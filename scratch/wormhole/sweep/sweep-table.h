/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_TABLE_H
#define WORMHOLE_CLI_SWEEP_TABLE_H

#include "command/commands.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace wormhole
{

/** Rows of one table; columns are in the order in which they were first seen. */
class SweepTable
{
  public:
    void BeginRow()
    {
        m_rows.emplace_back();
    }

    bool IsEmpty() const
    {
        return m_rows.empty();
    }

    /** Sets a field of the last row. */
    void Set(const std::string& column, const nlohmann::ordered_json& value)
    {
        const auto [place, added] = m_places.emplace(column, m_columns.size());
        if (added)
        {
            m_columns.push_back(column);
        }
        std::vector<nlohmann::ordered_json>& row = m_rows.back();
        row.resize(std::max(row.size(), place->second + 1));
        row[place->second] = value;
    }

    const Words& Columns() const
    {
        return m_columns;
    }

    /** \return rows of as many fields as there are columns */
    std::vector<std::vector<nlohmann::ordered_json>> Rows() const
    {
        std::vector<std::vector<nlohmann::ordered_json>> rows = m_rows;
        for (std::vector<nlohmann::ordered_json>& row : rows)
        {
            row.resize(m_columns.size());
        }
        return rows;
    }

  private:
    Words m_columns;
    std::map<std::string, size_t> m_places; //!< of columns
    std::vector<std::vector<nlohmann::ordered_json>> m_rows;
};

/** \return a name that needs no quotes anywhere: letters, digits and _ */
std::string SweepColumnName(const std::string& text);

/** Writes a table as CSV. \throws OutputError if that is impossible */
void WriteSweepCsv(const std::string& path, const SweepTable& table);

/** An SQLite file that takes its name when it is complete. All throw OutputError. */
class SweepDatabase
{
  public:
    explicit SweepDatabase(const std::string& path);
    ~SweepDatabase();
    SweepDatabase(const SweepDatabase&) = delete;
    SweepDatabase& operator=(const SweepDatabase&) = delete;

    /** \param key column whose values are all different; empty: there is none */
    void Write(const std::string& name, const SweepTable& table, const std::string& key = "");

    void Close();

  private:
    struct Closer
    {
        void operator()(sqlite3* database) const
        {
            sqlite3_close_v2(database);
        }
    };

    void Check(int code) const;
    void Execute(const std::string& sql);

    std::string m_path;
    std::string m_partial;
    std::unique_ptr<sqlite3, Closer> m_database;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_TABLE_H
