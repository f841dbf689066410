/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_CSV_H
#define INPUT_CSV_H

#include "ns3/input-line-values.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup input
 * \brief A small table of a user: lines of cells between commas, without quotes. Empty lines do not
 * count, and CR LF is accepted. Every failure throws InputError with file and line.
 */
class InputCsvReader : public LineValues
{
  public:
    /**
     * Reads the first line.
     * \param in the table; must outlive the reader
     * \param file for messages
     * \param columns that the first line must be, such as "kernel,channels,factor"
     */
    InputCsvReader(std::istream& in, const std::string& file, const std::string& columns);

    /** \param cells set to those of the next row, as many as there are columns
     * \return false at the end; then there was a row */
    bool Next(std::vector<std::string>& cells);

  private:
    bool NextLine(std::string& line);

    std::istream& m_in;
    const std::string m_columns;
    bool m_hasLines{false};
    bool m_hasRows{false};
};

} // namespace ns3

#endif // INPUT_CSV_H
