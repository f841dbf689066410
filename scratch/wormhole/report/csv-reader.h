/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_CSV_READER_H
#define WORMHOLE_CLI_REPORT_CSV_READER_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace wormhole
{

/**
 * A CSV file of a run, line by line. Its first line names the columns; nothing in it is quoted.
 * All mistakes are InputErrors that name file and line.
 */
class CsvReader
{
  public:
    /**
     * \param path of the file
     * \param columns that it begins with; further ones are ignored
     * \throws InputError if it is no file, cannot be read, or has other columns
     */
    CsvReader(const std::string& path, std::vector<std::string> columns);

    /** Goes to the next line. \return false at the end. \throws InputError if the line has too
     * few columns, or is cut off */
    bool Next();

    /** \return what is in a column of the line, from 0 */
    const std::string& Text(size_t column) const
    {
        return m_fields[column];
    }

    /** \return whether there is something in the column */
    bool Has(size_t column) const
    {
        return !m_fields[column].empty();
    }

    /** \return the column as a number from 0 to 2^64; 0 for what is below 10^-6. \throws
     * InputError otherwise */
    double Number(size_t column) const;

    /** \return the column as a whole number. \throws InputError otherwise */
    uint64_t Integer(size_t column) const;

    /** \throws InputError with file and line */
    [[noreturn]] void Fail(const std::string& message) const;

  private:
    bool ReadFields();

    std::string m_path;
    std::vector<std::string> m_columns;
    std::vector<std::string> m_fields;
    std::ifstream m_in;
    uint64_t m_line{0};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_CSV_READER_H
