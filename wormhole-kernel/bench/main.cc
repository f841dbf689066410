/*
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <cstring>
#include <fstream>
#include <iostream>
#include <sqlite3.h>
#include <string>
#include <thread>

namespace wormhole::bench
{
namespace
{

/** All sections, by name. A function, for they register before main begins. */
std::vector<Section>&
Sections()
{
    static std::vector<Section> sections;
    return sections;
}

/** \return what the figures depend on and the sections cannot know */
nlohmann::ordered_json
Machine()
{
    std::string processor = "unknown";
    std::string load = "unknown";
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);)
    {
        if (line.rfind("model name", 0) == 0)
        {
            processor = line.substr(line.find(':') + 2);
            break;
        }
    }
    std::ifstream("/proc/loadavg") >> load;
    return {{"processor", processor},
            {"threads", std::thread::hardware_concurrency()},
            {"loadBefore", load},
            {"compiler", __VERSION__},
            {"sqlite", sqlite3_libversion()}};
}

int
Main(int argc, char** argv)
{
    bool quick = false;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const auto sameName = [&](const Section& section) { return argument == section.name; };
        if (argument == "--quick")
        {
            quick = true;
        }
        else if (std::any_of(Sections().begin(), Sections().end(), sameName))
        {
            wanted.push_back(argument);
        }
        else
        {
            std::cerr << "usage: bench-kernel [--quick] [SECTION...]\nsections:";
            for (const Section& section : Sections())
            {
                std::cerr << ' ' << section.name;
            }
            std::cerr << "; all unless given\n";
            return argument == "--help" || argument == "-h" ? 0 : 2;
        }
    }

    nlohmann::ordered_json report;
    report["machine"] = Machine();
    report["quick"] = quick;
    for (const Section& section : Sections())
    {
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), section.name) != wanted.end())
        {
            std::cerr << "bench-kernel: " << section.name << " ..." << std::endl;
            report[section.name] = section.run(quick);
        }
    }
    std::cout << report.dump(2) << std::endl;
    return 0;
}

} // namespace

Section::Section(const char* sectionName, Run sectionRun)
    : name(sectionName),
      run(sectionRun)
{
    auto& sections = Sections();
    const auto later = std::find_if(sections.begin(), sections.end(), [&](const Section& other) {
        return std::strcmp(sectionName, other.name) < 0;
    });
    sections.insert(later, *this);
}

} // namespace wormhole::bench

int
main(int argc, char** argv)
{
    return wormhole::bench::Main(argc, argv);
}
