/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_ASSETS_H
#define WORMHOLE_CLI_REPORT_ASSETS_H

namespace wormhole
{

// The parts of the page that the build put into the program (cmake/EmbedReport.cmake).

extern const char* const REPORT_PAGE;   ///< report.html: with {{NAME}} where the others go
extern const char* const REPORT_STYLE;  ///< report.css
extern const char* const REPORT_SCRIPT; ///< all .js files

// Of uPlot, which draws the charts; empty if it could not be had when this program was built.

extern const char* const PLOT_SCRIPT;
extern const char* const PLOT_STYLE;
extern const char* const PLOT_LICENCE;

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_ASSETS_H
