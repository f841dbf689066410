/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_DOCUMENTED_H
#define HARNESS_DOCUMENTED_H

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace harness
{

/** \return the content of a file of the sources, such as "docs/glossary.md"; empty if there is none
 */
std::string SourceText(const std::string& path);

/** \return what stands in backquotes, in order */
std::vector<std::string> CodeWords(const std::string& text);

/** \return the cells of a row of a Markdown table, without the blanks around them; empty if the
 * line is none */
std::vector<std::string> TableCells(const std::string& line);

/** One name that a section of docs/reference/outputs.md documents. */
struct DocumentedName
{
    std::string name; ///< of a column, or a path of JSON with * and ** left in it
    std::string unit; ///< "-" for none
};

/** \return the names in the tables of a section, whose heading is \p file; {a,b} is two names */
std::vector<DocumentedName> DocumentedNames(const std::string& file);

/** Adds the paths of all values in \p json: "flows.count", "inputs[].path". Of what is null or
 * empty, the path and a "!" after it. */
void AddPaths(const nlohmann::json& json, const std::string& path, std::set<std::string>& paths);

/** \return whether a documented path, in which * is any name and ** all that follows, is this path
 */
bool IsPath(const std::string& documented, const std::string& path);

/** \return whether a documented path is, or lies in, this path: what is null or empty may stand for
 * all that it might have held */
bool LiesIn(const std::string& documented, const std::string& path);

} // namespace harness

#endif // HARNESS_DOCUMENTED_H
