/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_CSV_H
#define WORMHOLE_CLI_REPORT_CSV_H

#include "csv-writer.h"
#include "result/files.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** \return the data of the report's charts as tables, whose first column is the run; those without
 * a row are left out */
std::vector<CsvTable> ReportTables(const nlohmann::ordered_json& data);

/** \return the file of each table in \p folder, of --csv */
std::vector<NamedFile> TableFiles(const std::vector<CsvTable>& tables, const std::string& folder);

/**
 * Writes each table as a file.
 * \param folder made if need be
 * \throws InputError if a file is no table, OutputError if one cannot be written
 */
void WriteTables(const std::vector<CsvTable>& tables, const std::string& folder);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_CSV_H
