/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SQLITE_H
#define WORMHOLE_SQLITE_H

#include <cstdint>
#include <memory>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wormhole
{

/** What SQLite answered. Stays within the library. */
class SqliteError : public std::runtime_error
{
  public:
    SqliteError(int code, const std::string& what)
        : std::runtime_error(what),
          m_code(code)
    {
    }

    /** \return the primary result code, e.g. SQLITE_BUSY */
    int Code() const
    {
        return m_code & 0xff;
    }

  private:
    int m_code;
};

/** An open database. One thread. All members throw SqliteError. */
class SqliteConnection
{
  public:
    /** \param flags of sqlite3_open_v2 */
    SqliteConnection(const std::string& path, int flags);

    sqlite3* Get() const
    {
        return m_database.get();
    }

    void Execute(const std::string& sql);

    /** \return the first column of the first row; 0 if there is none */
    std::int64_t Number(const std::string& sql);

  private:
    struct Close
    {
        void operator()(sqlite3* database) const
        {
            sqlite3_close_v2(database);
        }
    };

    std::unique_ptr<sqlite3, Close> m_database;
};

/** A prepared statement. */
class SqliteStatement
{
  public:
    SqliteStatement(SqliteConnection& connection, std::string_view sql);

    /** One execution: binds the parameters 1, 2, ... on construction, which must live as long, and
     * resets the statement on destruction. One at a time. */
    class Run
    {
      public:
        template <class... Values>
        explicit Run(SqliteStatement& statement, const Values&... values)
            : m_statement(statement.m_statement.get())
        {
            int index = 0;
            (Bind(++index, values), ...);
        }

        ~Run()
        {
            sqlite3_reset(m_statement);
            sqlite3_clear_bindings(m_statement);
        }

        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;

        /** \return whether there is a row */
        bool Step();

        /** Steps to the end. */
        void Finish()
        {
            while (Step())
            {
            }
        }

        std::int64_t Integer(int column) const
        {
            return sqlite3_column_int64(m_statement, column);
        }

        std::uint64_t Unsigned(int column) const
        {
            return static_cast<std::uint64_t>(Integer(column));
        }

        /** Valid until the next step. */
        std::string_view Blob(int column) const;

      private:
        void Bind(int index, std::int64_t value);
        void Bind(int index, std::uint64_t value);
        void Bind(int index, std::string_view blob);

        sqlite3_stmt* m_statement;
    };

  private:
    struct Finalise
    {
        void operator()(sqlite3_stmt* statement) const
        {
            sqlite3_finalize(statement);
        }
    };

    std::unique_ptr<sqlite3_stmt, Finalise> m_statement;
};

/** Reads the database at one moment, and writes all or nothing: what is not committed is undone. */
class SqliteTransaction
{
  public:
    enum class Kind
    {
        Read,
        Write,
    };

    SqliteTransaction(SqliteConnection& connection, Kind kind)
        : m_connection(connection)
    {
        m_connection.Execute(kind == Kind::Write ? "BEGIN IMMEDIATE" : "BEGIN");
    }

    ~SqliteTransaction();
    SqliteTransaction(const SqliteTransaction&) = delete;
    SqliteTransaction& operator=(const SqliteTransaction&) = delete;

    void Commit()
    {
        m_connection.Execute("COMMIT");
    }

  private:
    SqliteConnection& m_connection;
};

} // namespace wormhole

#endif // WORMHOLE_SQLITE_H
