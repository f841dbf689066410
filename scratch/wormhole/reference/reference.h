/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REFERENCE_H
#define WORMHOLE_CLI_REFERENCE_H

#include <string>
#include <vector>

namespace wormhole
{

// Parts of the reference in docs/reference/, in Markdown, made from what the program itself works
// with. The same program gives the same text.

/** \return every attribute of the modules' TypeIds, a table for each */
std::string AttributesMarkdown();

/** \return every trace source of the modules' TypeIds, a table for each */
std::string TraceSourcesMarkdown();

/** \return every option of every command */
std::string OptionsMarkdown();

/** \return every key of config.txt */
std::string ConfigKeysMarkdown();

/** \return every kind of topology, traffic and workload, with its keys */
std::string SpecificationsMarkdown();

/** \return a row of a table; what would end a cell is escaped */
std::string MarkdownRow(const std::vector<std::string>& cells);

/** \return the two lines that begin a table */
std::string MarkdownHead(const std::vector<std::string>& columns);

} // namespace wormhole

#endif // WORMHOLE_CLI_REFERENCE_H
