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

/**
 * Writes each table as a file.
 * \param folder made if need be
 * \param inputs that must not be overwritten
 * \throws InputError if one would be, OutputError if a file cannot be written
 */
void WriteTables(const std::vector<CsvTable>& tables,
                 const std::string& folder,
                 const std::vector<NamedFile>& inputs);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_CSV_H
