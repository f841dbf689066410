/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_DATABASE_H
#define WORKLOAD_NSYS_DATABASE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace ns3
{

/** \ingroup workload A column of a table that is asked for. */
struct WorkloadNsysColumn
{
    std::string name;
    bool optional{false}; ///< whether a table without it is good, too
};

/**
 * \ingroup workload
 * \brief A row of a table, while it is being read.
 *
 * Getters throw InputError with file, table, row and column if what is there is of another type.
 */
class WorkloadNsysRow
{
  public:
    /** \return whether a column has no value */
    bool IsNull(size_t column) const;

    /** \return a whole number in [0, \p max] */
    uint64_t Integer(size_t column, uint64_t max = INT64_MAX) const;

    /** \return a whole number in [0, \p max]; \p missing if there is none */
    uint64_t Integer(size_t column, uint64_t max, uint64_t missing) const;

    /** \return a whole number in [1, \p max]; 0 if there is none */
    uint64_t CountOrNone(size_t column, uint64_t max) const;

    /** \return a text, or the bytes of a blob; empty if there is neither */
    std::string Bytes(size_t column) const;

    /** Throws InputError about the row. \param message what is wrong, and the remedy */
    [[noreturn]] void Fail(const std::string& message) const;

  private:
    friend class WorkloadNsysDatabase;

    uint64_t Bounded(size_t column, uint64_t min, uint64_t max) const;

    const std::string* m_file{nullptr};
    const std::string* m_table{nullptr};
    const std::vector<WorkloadNsysColumn>* m_columns{nullptr};
    std::vector<int> m_places; //!< by column: in the statement, or negative
    sqlite3_stmt* m_statement{nullptr};
    uint64_t m_number{0}; //!< of the row
};

/**
 * \ingroup workload
 * \brief An export of Nsight Systems, of which tables are read row by row.
 *
 * Only tables are read, and no statement of the file's own (views, triggers) runs.
 */
class WorkloadNsysDatabase
{
  public:
    /** \param file to read. \throws InputError if it is no SQLite database */
    explicit WorkloadNsysDatabase(const std::string& file);

    /** \param bytes of a database. \param name stands for the file in messages */
    WorkloadNsysDatabase(const std::string& bytes, const std::string& name);

    ~WorkloadNsysDatabase();
    WorkloadNsysDatabase(const WorkloadNsysDatabase&) = delete;
    WorkloadNsysDatabase& operator=(const WorkloadNsysDatabase&) = delete;

    const std::string& GetName() const
    {
        return m_name;
    }

    /** \return whether there is a table */
    bool Has(const std::string& table) const;

    /**
     * Reads a table in the order of the file, holding one row at a time.
     * \param table that there is
     * \param columns that are asked for
     * \param read called for each row
     * \throws InputError if a column that is not optional is missing, or the file is damaged
     */
    void Read(const std::string& table,
              const std::vector<WorkloadNsysColumn>& columns,
              const std::function<void(const WorkloadNsysRow&)>& read) const;

  private:
    void Prepare();
    std::vector<std::string> ColumnsOf(const std::string& table) const;
    [[noreturn]] void FailDamaged(const std::string& where) const;

    /** Ends a statement. */
    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };

    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;
    Statement Make(const std::string& sql) const;

    std::string m_name;
    sqlite3* m_database{nullptr};
    std::vector<std::string> m_tables;
};

} // namespace ns3

#endif // WORKLOAD_NSYS_DATABASE_H
