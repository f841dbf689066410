/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Folders of results, as wormhole report and wormhole compare read them back. An input is all the
// files of a folder, one after the other: a line "@NAME", then what is in it.

#include "../../scratch/wormhole/compare/compare-packet-from.h"
#include "../../scratch/wormhole/report/report-csv.h"
#include "../../scratch/wormhole/report/report-data.h"
#include "../../scratch/wormhole/report/report-html.h"
#include "../harness/report_files.h"

#include "ns3/input-error.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace wormhole;

namespace
{

/** What belongs to a comparison, and what a report does not read. */
constexpr std::array<const char*, 5> FURTHER_FILES{"compare.json",
                                                   "packet/summary.json",
                                                   "packet/fct.txt",
                                                   "packet/links.csv",
                                                   "record/decisions.csv"};

/** A folder that is removed in the end. */
class Folder
{
  public:
    Folder()
        : m_path(fs::temp_directory_path() / ("fuzz_report-" + std::to_string(getpid())))
    {
        fs::create_directories(m_path / "packet");
        fs::create_directories(m_path / "record");
    }

    ~Folder()
    {
        std::error_code error;
        fs::remove_all(m_path, error);
    }

    std::string Path() const
    {
        return m_path.string();
    }

    void Fill(const std::string& text) const
    {
        for (const char* name : harness::REPORT_FILES)
        {
            FillOne(name, text);
        }
        for (const char* name : FURTHER_FILES)
        {
            FillOne(name, text);
        }
    }

  private:
    /** Writes the file that \p text has by this name; removes it if there is none. */
    void FillOne(const char* name, const std::string& text) const
    {
        const std::string head = std::string("@") + name + "\n";
        const size_t begin = text.find(head);
        if (begin == std::string::npos)
        {
            fs::remove(m_path / name);
            return;
        }
        const size_t from = begin + head.size();
        const size_t next = text.find("\n@", from - 1);
        const size_t to = next == std::string::npos ? text.size() : next + 1;
        std::ofstream(m_path / name, std::ios::binary) << text.substr(from, to - from);
    }

    fs::path m_path;
};

/** All that a report does with runs, but write it. */
void
Report(const std::vector<std::string>& folders)
{
    try
    {
        ReportRuns runs = ReadReportRuns(folders);
        FilesOf(runs);
        const nlohmann::ordered_json data = ReportData(runs, "");
        ReportTables(data);
        if (!nlohmann::json::accept(ReportJsonText(data, -1)))
        {
            std::abort();
        }
    }
    catch (const ns3::InputError&)
    {
        // what a bad folder must lead to
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const Folder folder;
    folder.Fill(std::string(reinterpret_cast<const char*>(data), size));
    Report({folder.Path(), folder.Path() + "/."});
    try
    {
        ReadEarlierPacketLevel(folder.Path());
    }
    catch (const ns3::InputError&)
    {
        // likewise
    }
    return 0;
}
