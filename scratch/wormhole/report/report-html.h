/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_HTML_H
#define WORMHOLE_CLI_REPORT_HTML_H

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/** \throws InputError if this program was built without the library that draws the charts */
void NeedReportPage();

/**
 * \param data as ReportData() gives it
 * \return a page that shows it, complete in itself: it asks for no other file, here or elsewhere
 */
std::string ReportHtml(const nlohmann::ordered_json& data);

/** \return the data as text, whatever bytes its strings hold. \param indent -1 for one line */
std::string ReportJsonText(const nlohmann::ordered_json& data, int indent);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_HTML_H
