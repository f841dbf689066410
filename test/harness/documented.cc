/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/documented.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace harness
{

namespace
{

/** \return the name with each {a,b} written out, in all combinations */
std::vector<std::string>
WrittenOut(const std::string& name)
{
    const size_t open = name.find('{');
    const size_t close = name.find('}', open);
    if (open == std::string::npos || close == std::string::npos)
    {
        return {name};
    }
    std::vector<std::string> names;
    std::istringstream choices(name.substr(open + 1, close - open - 1));
    for (std::string choice; std::getline(choices, choice, ',');)
    {
        for (const std::string& written :
             WrittenOut(name.substr(0, open) + choice + name.substr(close + 1)))
        {
            names.push_back(written);
        }
    }
    return names;
}

std::string
Trimmed(const std::string& text)
{
    const size_t begin = text.find_first_not_of(' ');
    const size_t end = text.find_last_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

} // namespace

std::string
SourceText(const std::string& path)
{
    std::ifstream in(std::string(WORMHOLE_SOURCE_DIR) + "/" + path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string>
CodeWords(const std::string& text)
{
    std::vector<std::string> words;
    for (size_t open = text.find('`'); open != std::string::npos;)
    {
        const size_t close = text.find('`', open + 1);
        if (close == std::string::npos)
        {
            break;
        }
        words.push_back(text.substr(open + 1, close - open - 1));
        open = text.find('`', close + 1);
    }
    return words;
}

std::vector<std::string>
TableCells(const std::string& line)
{
    std::vector<std::string> cells;
    if (line.empty() || line[0] != '|')
    {
        return cells;
    }
    std::string cell;
    for (size_t i = 1; i < line.size(); ++i)
    {
        if (line[i] == '|' && line[i - 1] != '\\')
        {
            cells.push_back(Trimmed(cell));
            cell.clear();
        }
        else
        {
            cell += line[i];
        }
    }
    return cells;
}

std::vector<DocumentedName>
DocumentedNames(const std::string& file)
{
    std::vector<DocumentedName> names;
    std::istringstream lines(SourceText("docs/reference/outputs.md"));
    bool inside = false;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind("## ", 0) == 0)
        {
            inside = line == "## " + file;
        }
        const std::vector<std::string> cells = TableCells(line);
        if (inside && cells.size() == 3)
        {
            for (const std::string& word : CodeWords(cells[0]))
            {
                for (const std::string& name : WrittenOut(word))
                {
                    names.push_back({name, cells[1]});
                }
            }
        }
    }
    return names;
}

void
AddPaths(const nlohmann::json& json, const std::string& path, std::set<std::string>& paths)
{
    if (json.is_null() || (json.is_structured() && json.empty()))
    {
        paths.insert(path + (json.is_array() ? "[]!" : "!"));
    }
    else if (json.is_array())
    {
        for (const nlohmann::json& element : json)
        {
            AddPaths(element, path + "[]", paths);
        }
    }
    else if (json.is_object())
    {
        for (const auto& [name, value] : json.items())
        {
            std::string inner = path;
            inner += path.empty() ? "" : ".";
            AddPaths(value, inner + name, paths);
        }
    }
    else
    {
        paths.insert(path);
    }
}

namespace
{

/** \return where the match of \p path by the beginning of \p documented ends; npos if there is none
 */
size_t
MatchedLength(const std::string& documented, const std::string& path)
{
    size_t at = 0;
    for (size_t i = 0; i < documented.size(); ++i)
    {
        if (documented.compare(i, std::string::npos, "**") == 0)
        {
            return documented.size();
        }
        if (at == path.size())
        {
            return i;
        }
        if (documented[i] == '*')
        {
            at = std::min(path.find('.', at), path.size());
        }
        else if (documented[i] != path[at++])
        {
            return std::string::npos;
        }
    }
    return at == path.size() ? documented.size() : std::string::npos;
}

} // namespace

bool
IsPath(const std::string& documented, const std::string& path)
{
    return MatchedLength(documented, path) == documented.size();
}

bool
LiesIn(const std::string& documented, const std::string& path)
{
    const size_t length = MatchedLength(documented, path);
    return length != std::string::npos &&
           (length == documented.size() || documented[length] == '.' || documented[length] == '[');
}

} // namespace harness
