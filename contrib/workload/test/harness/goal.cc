/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/goal.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

using namespace ns3;

namespace harness
{

namespace
{

/** Reads "A requires B" or a send, recv or calc. */
void
ReadLine(std::istringstream& words,
         std::string label,
         WorkloadScheduleBuilder& builder,
         uint32_t rank,
         std::map<std::string, uint32_t>& labels)
{
    std::string verb;
    words >> verb;
    if (label.back() != ':') // a dependency, as every operation in our files has a label
    {
        std::string other;
        words >> other;
        verb == "requires" ? builder.Require(rank, labels.at(label), labels.at(other))
                           : builder.RequireStart(rank, labels.at(label), labels.at(other));
        return;
    }
    label.pop_back();
    uint64_t size = 0;
    words >> size;
    uint32_t peer = 0;
    std::string word;
    if (verb != "calc")
    {
        words >> word >> word >> peer; // "b", and "to" or "from"
    }
    std::map<std::string, uint32_t> options;
    while (words >> word)
    {
        words >> options[word];
    }
    const auto cpu = static_cast<uint8_t>(options["cpu"]);
    const auto nic = static_cast<uint8_t>(options["nic"]);
    labels[label] = verb == "calc"   ? builder.Calc(rank, size, cpu)
                    : verb == "send" ? builder.Send(rank, peer, size, options["tag"], cpu, nic)
                                     : builder.Recv(rank, peer, size, options["tag"], cpu, nic);
}

} // namespace

WorkloadSchedule
ReadPlainGoal(const std::string& file)
{
    std::ifstream in(file);
    std::string word;
    uint32_t ranks = 0;
    if (!(in >> word >> ranks))
    {
        throw std::runtime_error("cannot read " + file);
    }
    WorkloadScheduleBuilder builder(ranks);
    uint32_t rank = 0;
    std::map<std::string, uint32_t> labels;
    for (std::string line; std::getline(in, line);)
    {
        std::istringstream words(line);
        if (!(words >> word) || word == "}" || word.substr(0, 2) == "//")
        {
            continue;
        }
        if (word == "rank")
        {
            words >> rank;
            labels.clear();
            continue;
        }
        ReadLine(words, word, builder, rank, labels);
    }
    return builder.Build();
}

} // namespace harness
