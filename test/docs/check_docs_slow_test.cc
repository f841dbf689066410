/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// scripts/check-docs.sh, which runs what documents show: that it passes what is right, and that it
// finds each thing that it is there to find.

#include "harness/sandbox.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace
{

/** Documents of a test are checked together, when it ends. */
class CheckDocs : public testing::Test
{
  protected:
    void ExpectRight(const std::string& document)
    {
        m_right.push_back({document, ""});
    }

    /** \param complaint what the script must say of the document, after its name and a colon */
    void ExpectWrong(const std::string& document, const std::string& complaint)
    {
        m_wrong.push_back({document, complaint});
    }

    void TearDown() override
    {
        Check("right", m_right, 0);
        Check("wrong", m_wrong, 1);
    }

    harness::Sandbox box;
    std::string options;
    std::string ending = ".md";

  private:
    struct Case
    {
        std::string document;
        std::string complaint;
    };

    void Check(const std::string& folder, const std::vector<Case>& cases, int exit)
    {
        std::string names;
        for (size_t i = 0; i < cases.size(); ++i)
        {
            const std::string name = folder + "/" + std::to_string(i) + ending;
            box.Write(name, cases[i].document);
            names += " " + name;
        }
        const auto build = std::filesystem::path(WORMHOLE_BINARY).parent_path().parent_path();
        const std::string command = "cd '" + box.PathOf("") +
                                    "' && '" WORMHOLE_SOURCE_DIR
                                    "/scripts/check-docs.sh' --build '" +
                                    build.string() + "' " + options + names + " > said 2>&1";
        const int status = std::system(command.c_str());
        const std::string said = box.Read("said");
        EXPECT_EQ(WEXITSTATUS(status), exit) << said;
        for (size_t i = 0; i < cases.size() && exit == 1; ++i)
        {
            const std::string complaint =
                folder + "/" + std::to_string(i) + ending + ":" + cases[i].complaint;
            EXPECT_NE(said.find(complaint), std::string::npos)
                << cases[i].document << "\nexpected: " << complaint << "\n"
                << said;
        }
    }

    std::vector<Case> m_right;
    std::vector<Case> m_wrong;
};

std::string
Console(const std::string& lines)
{
    return "```console\n" + lines + "\n```\n";
}

} // namespace

TEST_F(CheckDocs, ComparesWhatCommandsPrint)
{
    ExpectRight(Console("$ echo one; echo two\none\ntwo"));
    ExpectRight(Console("$ echo one \\\n    two\none two\n$ echo three\nthree"));
    ExpectWrong(Console("$ echo one; echo two\none"), "2: prints something else: echo one");
    ExpectWrong(Console("$ echo one\none\n$ echo two\ntwo\nthree"), "4: prints something else");
    ExpectWrong(Console("$ echo a.c\nabc"), "2: prints something else");
    ExpectWrong(Console("no command"), "1: a console block without a command");
}

TEST_F(CheckDocs, KnowsWhatVaries)
{
    ExpectRight(Console("$ echo took  412.5 us of 3\ntook ~12.3 ms of 3"));
    ExpectWrong(Console("$ echo took 412.5 us of 4\ntook ~12.3 ms of 3"), "2: prints something");
    ExpectWrong(Console("$ echo took long\ntook ~12.3 ms"), "2: prints something else");
    ExpectRight(Console("$ seq 1 9\n1\n...\n8\n9"));
    ExpectRight(Console("$ seq 1 9\n1\n..."));
    ExpectWrong(Console("$ seq 1 9\n2\n..."), "2: prints something else");
    ExpectRight(Console("$ echo /tmp/x/file.txt\n.../file.txt"));
    ExpectWrong(Console("$ echo a; echo file.txt\n...file.txt"), "2: prints something else");
}

TEST_F(CheckDocs, WantsCommandsToSucceedUnlessTheyShouldNot)
{
    ExpectRight("```sh\ntrue\n```\n");
    ExpectWrong("\n```sh\nfalse\necho\n```\n", "2: exit code 1, not 0");
    ExpectRight("<!-- exits with 2 -->\n" + Console("$ echo no; exit 2\nno"));
    ExpectWrong("<!-- exits with 2 -->\n" + Console("$ echo no\nno"), "3: exit code 0, not 2");
    ExpectRight("<!-- not run: takes hours -->\n```sh\nfalse\n```\n");
    ExpectWrong("<!-- not run: takes hours -->\n\n```sh\nfalse\n```\n", "3: exit code 1");
}

TEST_F(CheckDocs, RunsInACopyOfTheProject)
{
    ExpectRight("<!-- file new.txt -->\n```text\none\n```\n" + Console("$ cat new.txt\none") +
                Console("$ command -v wormhole\n.../build/release/bin/wormhole"));
    ExpectRight("```sh\nrm README.md && ! test -e README.md\n```\n");
    EXPECT_TRUE(std::filesystem::exists(WORMHOLE_SOURCE_DIR "/README.md"));
    ExpectWrong("    wormhole run --help\n", "1: an indented command is not run");
    ExpectWrong("```\ntext\n```\n", "1: a block without a language");
}

TEST_F(CheckDocs, FindsCodeInItsFile)
{
    const std::string from = "<!-- from scratch/quickstart.cc -->\n";
    const std::string code = "```cpp\n    flows.Start();\n    Simulator::Run();\n```\n";
    ExpectRight(from + code);
    ExpectRight(from + "```cpp\nflows.Start();\nSimulator::Run();\n```\n"); // indented less
    ExpectWrong(from + "```cpp\n    flows.Start();\nSimulator::Run();\n```\n", "2: this is not in");
    ExpectWrong(code, "1: say where the code is from");
    ExpectWrong(from + "```cpp\n    flows.Start();\n\n    Simulator::Run();\n```\n",
                "2: this is not in scratch/quickstart.cc");
    ExpectWrong("<!-- from nowhere.cc -->\n" + code, "2: there is no nowhere.cc");
    ExpectWrong("<!-- shows all of scratch/quickstart.cc -->\n" + from + code,
                "1: does not show all of scratch/quickstart.cc");
}

TEST_F(CheckDocs, KnowsReStructuredText)
{
    ending = ".rst";
    const std::string echo = ".. code-block:: console\n\n  $ echo one; echo; echo two\n  one\n";
    ExpectRight("Text:\n\n" + echo + "\n  two\n\nText.\n");
    ExpectWrong("Text:\n\n" + echo + "\n\nTwo.\n", "5: prints something else: echo one");
    ExpectRight(".. exits with 1\n.. sourcecode:: sh\n\n   false\n");
    ExpectWrong("* Item\n\n  .. code-block:: sh\n\n     false\n", "4: exit code 1, not 0");
    ExpectRight(".. not run: takes hours\n.. code-block:: sh\n\n  false\n");
    ExpectWrong(".. not run: takes hours\n\nText.\n\n.. code-block:: sh\n\n  false\n",
                "6: exit code 1, not 0");
    const std::string code = ".. code-block:: cpp\n\n  flows.Start();\n  Simulator::Run();\n";
    ExpectRight(".. from scratch/quickstart.cc\n" + code);
    ExpectWrong(code, "2: say where the code is from");
    ExpectWrong("Text::\n\n  flows.Start();\n", "2: a block without a language");
}

TEST_F(CheckDocs, FollowsLinks)
{
    options = "--links";
    for (const std::string folder : {"right", "wrong"})
    {
        box.Write(folder + "/other.md", "# One `two`: three's (four)\n\n# Again\n\n# Again\n");
    }
    ExpectRight("# Here\n[a](other.md) [b](#here) [c](https://example.org/none)\n");
    ExpectRight("[a](other.md#one-two-threes-four) [b](other.md#again-1)\n");
    ExpectRight("```text\n[a](none.md)\n```\n`[a](none.md)`\n");
    ExpectWrong("\n[a](other.md), [b](none.md)\n", "2: the link to none.md leads to no file");
    ExpectWrong("[a](other.md#again-2)\n", "1: the link to other.md#again-2 leads to no heading");
    ExpectWrong("# Here\n[a](#there)\n", "2: the link to #there leads to no heading");
}

TEST_F(CheckDocs, KnowsFilesAndTestsThatAreNamed)
{
    options = "--links";
    ExpectRight(
        "In `scripts/check-docs.sh`, contrib/*/doc/*.{md,rst}, `test/fuzz/fuzz_NAME.cc`.\n");
    ExpectWrong("\nIn `scripts/none.sh`\n", "2: there is no scripts/none.sh");
    ExpectWrong("contrib/rdma/{doc,none}\n", "1: there is no contrib/rdma/{doc,none}");
    ExpectRight("<!-- file scratch/mine.cc -->\n```text\n```\n`scratch/mine.cc`\n");
    ExpectRight("```sh\nctest --preset release -R CheckDocs.Follows\n```\n");
    ExpectRight("`ctest -R 'check_docs.*(Follows|Knows)'`\n");
    ExpectWrong("`ctest -R NoSuchTest`\n", "1: no test has a name with NoSuchTest");
    ExpectRight("As CHANGELOG.md, `how-to/own-control.md` and rdma.rst say.\n");
    ExpectWrong("\nAs design-notes.md (4) says\n",
                "2: the project has no document design-notes.md");
    ExpectWrong("Without `../../elsewhere`\n", "1: ../../elsewhere is outside the project");
    ExpectRight("<!-- file notes.md -->\n```text\n```\nLook into notes.md.\n");
}
