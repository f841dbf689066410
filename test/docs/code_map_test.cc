/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// docs/code-map.md and docs/glossary.md: each file that they name is there, and has the names
// that are said to be in it; options that they show are options.

#include "harness/documented.h"

#include <cctype>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace
{

using harness::CodeWords;
using harness::SourceText;
using harness::TableCells;

/** \return whether a text has a name, not as a part of another one */
bool
HasName(const std::string& text, const std::string& name)
{
    const auto isPart = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    {
        const size_t end = at + name.size();
        if ((at == 0 || !isPart(text[at - 1])) && (end == text.size() || !isPart(text[end])))
        {
            return true;
        }
    }
    return false;
}

/** Checks a cell of "[text](file): `name`, `name`; [text](file)...". \return the names in it */
size_t
CheckNames(const std::string& document, const std::string& cell)
{
    static const std::regex link(R"(\[[^\]]*\]\(([^)]*)\))");
    size_t names = 0;
    for (std::sregex_iterator at(cell.begin(), cell.end(), link), end; at != end;)
    {
        const std::string file =
            (std::filesystem::path("docs") / at->str(1)).lexically_normal().string();
        const std::string all = SourceText(file);
        EXPECT_FALSE(all.empty()) << document << ": there is no " << file;
        const size_t begin = static_cast<size_t>(at->position() + at->length());
        ++at;
        const size_t next = at == end ? cell.size() : static_cast<size_t>(at->position());
        for (const std::string& name : CodeWords(cell.substr(begin, next - begin)))
        {
            ++names;
            EXPECT_TRUE(all.empty() || HasName(all, name))
                << document << ": " << file << " has no " << name << "; say where it is now";
        }
    }
    return names;
}

/** Checks a document's tables. \return how many names they have */
size_t
CheckDocument(const std::string& document)
{
    std::istringstream lines(SourceText(document));
    size_t names = 0;
    for (std::string line; std::getline(lines, line);)
    {
        for (const std::string& cell : TableCells(line))
        {
            names += CheckNames(document, cell);
        }
    }
    return names;
}

} // namespace

TEST(WhereIsWhat, NamesWhatIsThere)
{
    EXPECT_GT(CheckDocument("docs/code-map.md"), 60U);
}

TEST(WhereIsWhat, GlossaryNamesWhatIsThere)
{
    EXPECT_GT(CheckDocument("docs/glossary.md"), 50U);
}

TEST(WhereIsWhat, NoticesANameThatIsGone)
{
    EXPECT_TRUE(HasName("void Judge() const", "Judge"));
    EXPECT_FALSE(HasName("void JudgeFlat() const; m_Judge", "Judge"));
}

TEST(WhereIsWhat, ShowsOptionsThatThereAre)
{
    const std::string options = SourceText("docs/reference/options.md");
    std::istringstream lines(SourceText("docs/code-map.md"));
    size_t shown = 0;
    for (std::string line; std::getline(lines, line);)
    {
        const std::vector<std::string> cells = TableCells(line);
        for (const std::string& code : CodeWords(cells.size() == 3 ? cells[2] : ""))
        {
            std::istringstream words(code);
            for (std::string word; words >> word;)
            {
                if (word.rfind("--", 0) == 0 && word != "--help")
                {
                    ++shown;
                    EXPECT_TRUE(HasName(options, word.substr(0, word.find('=')))) << word;
                }
            }
        }
    }
    EXPECT_GT(shown, 10U);
}
