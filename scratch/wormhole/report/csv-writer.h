/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_CSV_WRITER_H
#define WORMHOLE_CLI_REPORT_CSV_WRITER_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** A table to be written as CSV. */
struct CsvTable
{
    std::string name; ///< of the file, without ".csv"
    std::string text; ///< with its header
};

/** A table in the making. */
class CsvWriter
{
  public:
    /** \param header names of the columns, with commas between them */
    CsvWriter(const std::string& name, const std::string& header)
        : m_table{name, header + "\n"},
          m_header(m_table.text.size())
    {
    }

    /** Adds a line. Null is an empty field; a text is quoted where RFC 4180 wants it. */
    void Row(const std::vector<nlohmann::ordered_json>& fields);

    /** \return whether there is no line but the header */
    bool IsEmpty() const
    {
        return m_table.text.size() == m_header;
    }

    const CsvTable& Table() const
    {
        return m_table;
    }

  private:
    CsvTable m_table;
    size_t m_header; //!< its length
};

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_CSV_WRITER_H
