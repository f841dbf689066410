/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ranks.h"

#include "plugin/own-library.h"
#include "terminal/signals.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

using ns3::InputError;

namespace
{

constexpr const char* SIZE_VARIABLE = "OMPI_COMM_WORLD_SIZE";
constexpr const char* RANK_VARIABLE = "OMPI_COMM_WORLD_RANK";

/** \return a number that mpirun gives to what it starts; \p otherwise without it */
uint32_t
NumberOf(const char* variable, uint32_t otherwise)
{
    const char* const text = std::getenv(variable);
    return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

[[noreturn]] void
Refuse(const std::string& what, const std::string& remedy)
{
    throw InputError("mpirun -np " + std::to_string(CountRanks()) + ": " + what +
                     " by several ranks together; " + remedy);
}

/** \return a function of \p library. \throws InputError if it has none of this \p name */
template <typename Function>
Function*
FunctionOf(void* library, const char* name)
{
    void* const function = dlsym(library, name);
    if (!function)
    {
        throw InputError(std::string("libwormhole-mpi.so: ") + dlerror() +
                         "; it is of another version, build again");
    }
    return reinterpret_cast<Function*>(function);
}

} // namespace

uint32_t
CountRanks()
{
    return NumberOf(SIZE_VARIABLE, 1);
}

uint32_t
GetRank()
{
    return NumberOf(RANK_VARIABLE, 0);
}

void
RefuseRanks(const std::string& command, const std::string& remedy)
{
    if (CountRanks() > 1)
    {
        Refuse("wormhole " + command + " is not done", remedy);
    }
}

void
LeaveMpirun()
{
    unsetenv(SIZE_VARIABLE);
    unsetenv(RANK_VARIABLE);
}

void
CheckForRanks(const RunOptions& options)
{
    const std::string alone = "leave it out, or run it without mpirun";
    if (options.mode != RunMode::PACKET)
    {
        Refuse("--mode " + std::string(RunModeName(options.mode)) + " is not done",
               "choose --mode packet, or run it without mpirun");
    }
    const std::pair<const char*, bool> unknown[]{
        {"--simulator default", !options.native},
        {"--twin", options.twin},
        {"--estimate", options.estimate},
        {"--pcap", !options.capture.prefix.empty()},
        {"--rtts", options.rtts},
        {"--record", options.record.on},
        {"--flow-control credits", options.flowControl == "credits"},
        {"--recovery irn", options.recovery == "irn"},
    };
    for (const auto& [option, given] : unknown)
    {
        if (given)
        {
            Refuse(std::string(option) + " is not done", alone);
        }
    }
}

void
CheckForRanks(const RunPlan& plan)
{
    if (!plan.replayOutputs.empty())
    {
        Refuse(plan.replayOutputs.front().path + " of " + plan.replayOutputs.front().role +
                   " is not written",
               "run it without mpirun");
    }
    if (!plan.config)
    {
        return;
    }
    const std::string remedy =
        "switch it off in " + plan.config->file + ", or run it without mpirun";
    if (plan.config->enableTrace)
    {
        Refuse("ENABLE_TRACE is not done", remedy);
    }
    if (!plan.config->qlenMonFile.empty() || plan.config->Flavour() == ns3::RdmaHpccFlavour::SIMAI)
    {
        Refuse("QLEN_MON_FILE and SimAI's monitors are not written", remedy);
    }
}

void
DiscardOutputs(RunPlan& plan)
{
    for (std::string* path : {&plan.outputs.fct,
                              &plan.outputs.pfc,
                              &plan.outputs.summary,
                              &plan.outputs.ranks,
                              &plan.outputs.chromeTrace,
                              &plan.outputs.links})
    {
        if (!path->empty())
        {
            *path = "/dev/null";
        }
    }
}

RanksOfMpi::RanksOfMpi()
{
    const std::string path = FindOwnLibrary("libwormhole-mpi.so");
    m_library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!m_library)
    {
        throw InputError(std::string(dlerror()) + "; install MPI, or build Wormhole again");
    }
    const Signals held; // from threads that MPI makes: they leave signals to whoever runs
    m_ranks = FunctionOf<ns3::RdmaRanks*()>(m_library, "WormholeJoinRanks")();
}

void
RanksOfMpi::CheckThatAllAgree(const RunOptions& options, const RunPlan& plan) const
{
    using Bytes = ns3::RdmaRanks::Bytes;
    using Facts = std::vector<std::pair<std::string, std::string>>;
    Facts ours{{"other options", nlohmann::json(options.words).dump()}};
    for (const InputDigest& input : plan.digests)
    {
        ours.emplace_back("another " + input.file.path, input.digest.HashText());
    }
    const std::string text = nlohmann::json(ours).dump();
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    const std::vector<Bytes> out(m_ranks->GetCount(), Bytes(begin, begin + text.size()));
    std::vector<Bytes> in(out.size());
    if (!m_ranks->Exchange(out, in, [] { return true; }).empty())
    {
        return; // mpirun says why
    }
    in[m_ranks->GetRank()] = out.front();
    for (size_t rank = 0; rank < in.size(); ++rank)
    {
        const auto* const from = reinterpret_cast<const char*>(in[rank].data());
        const auto theirs = nlohmann::json::parse(from, from + in[rank].size()).get<Facts>();
        const auto [our, their] =
            std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
        if (our != ours.end() || their != theirs.end())
        {
            throw InputError("mpirun: rank " + std::to_string(rank) + " has " +
                             (our != ours.end() ? our->first : their->first) + " than rank " +
                             std::to_string(m_ranks->GetRank()) +
                             "; all ranks of a run need the same options and input files");
        }
    }
}

void
RanksOfMpi::Leave()
{
    FunctionOf<void()>(m_library, "WormholeLeaveRanks")();
}

} // namespace wormhole
