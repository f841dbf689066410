# Run by the build: turns the parts of the page of `wormhole report` into a C++ file.
#
#   cmake -D FOLDER=scratch/wormhole/report/page -D UPLOT=FOLDER-OF-UPLOT -D OUTPUT=FILE.cc -P EmbedReport.cmake
#
# UPLOT is empty where the library is not there; then what would be its text is, too.

set(code "// Made by cmake/EmbedReport.cmake.\n#include \"report-assets.h\"\n\nnamespace wormhole\n{\n\n")

file(READ "${FOLDER}/report.html" page)
file(READ "${FOLDER}/report.css" style)
file(GLOB scripts "${FOLDER}/*.js")
list(SORT scripts)
set(script "")
foreach(path IN LISTS scripts)
  file(READ "${path}" part)
  string(APPEND script "${part}")
endforeach()
set(plot_script "")
set(plot_style "")
set(plot_licence "")
if(UPLOT)
  file(READ "${UPLOT}/package/dist/uPlot.iife.min.js" plot_script)
  file(READ "${UPLOT}/package/dist/uPlot.min.css" plot_style)
  file(READ "${UPLOT}/package/LICENSE" plot_licence)
endif()

string(APPEND code "const char* const REPORT_PAGE = R\"embedded(${page})embedded\";\n\n")
string(APPEND code "const char* const REPORT_STYLE = R\"embedded(${style})embedded\";\n\n")
string(APPEND code "const char* const REPORT_SCRIPT = R\"embedded(${script})embedded\";\n\n")
string(APPEND code "const char* const PLOT_SCRIPT = R\"embedded(${plot_script})embedded\";\n\n")
string(APPEND code "const char* const PLOT_STYLE = R\"embedded(${plot_style})embedded\";\n\n")
string(APPEND code "const char* const PLOT_LICENCE = R\"embedded(${plot_licence})embedded\";\n\n")
string(APPEND code "} // namespace wormhole\n")
file(WRITE "${OUTPUT}" "${code}")
