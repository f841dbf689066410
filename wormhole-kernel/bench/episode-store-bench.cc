/*
 * SPDX-License-Identifier: MIT
 */
// Lookups in a warm cache, insertions, misses, and the size of the file of a training job.

#include "bench.h"
#include "wormhole/memory-episode-store.h"
#include "wormhole/sqlite-episode-store.h"

#include <ctime>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace wormhole::bench
{
namespace
{

class Dice
{
  public:
    std::uint64_t operator()(std::uint64_t sides)
    {
        return m_generator() % sides;
    }

  private:
    std::mt19937_64 m_generator{1};
};

constexpr std::uint64_t LINE_RATE = 400'000'000'000;

/** A partition of \p flows flows. Each crosses its own port and then one of \p shared. */
ConflictGraph
Partition(std::uint64_t kind,
          std::uint32_t flows,
          std::uint32_t shared,
          bool hasBytesLeft = false,
          bool isRing = false)
{
    ConflictGraph::Builder builder(GraphDetail::Ports);
    for (std::uint32_t flow = 0; flow < flows; ++flow)
    {
        FlowAttributes attributes;
        attributes.control = 0x123456789abcdef;
        attributes.lineRate = LINE_RATE;
        attributes.baseRttClass = 230;
        attributes.startRateClass = static_cast<std::int32_t>(kind + (isRing ? 0 : flow % 3));
        if (hasBytesLeft)
        {
            attributes.bytesLeft = 1'000'000 + kind * 4096;
        }
        builder.AddFlow(attributes, {PortId(shared + flow), PortId(flow % shared)});
    }
    for (std::uint32_t port = 0; port < shared + flows; ++port)
    {
        PortAttributes attributes;
        attributes.rate = LINE_RATE;
        attributes.delayClass = 280;
        attributes.queueClass = static_cast<std::int32_t>(kind / 64);
        builder.AddPort(PortId(port), attributes);
    }
    return builder.Build();
}

/** Control states of \p stateBytes, of which most is the same for all flows (parameters) and
 * 40 bytes are not (rates, counters and times in mid-flight). */
Episode
Outcome(Dice& dice, std::uint32_t flows, std::uint32_t ports, std::size_t stateBytes)
{
    Episode episode;
    episode.duration = Duration{static_cast<std::int64_t>(50'000'000 + dice(500'000'000))};
    episode.events = dice(1'000'000);
    const StateBlob common(stateBytes, 'p');
    for (std::uint32_t flow = 0; flow < flows; ++flow)
    {
        FlowOutcome outcome;
        outcome.bytes = 500'000 + dice(5'000'000);
        outcome.endRate = Rate::BytesPerSecond(static_cast<double>(dice(50'000'000'000)) / 7);
        outcome.control = common;
        for (std::size_t i = 0; i < 40; ++i)
        {
            // In five fields of eight bytes.
            outcome.control[i / 8 * 12 + i % 8] = static_cast<char>(dice(256));
        }
        episode.flows.push_back(std::move(outcome));
    }
    for (std::uint32_t port = 0; port < ports; ++port)
    {
        episode.ports.push_back({port % flows, port < flows ? 0U : 1U, dice(200'000), {}});
    }
    return episode;
}

/** \return seconds of processor time that \p work takes: other programs on the machine do not count
 */
template <class Work>
double
CpuSeconds(Work&& work)
{
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Figures
{
    std::vector<double> withGraph;
    std::vector<double> withoutGraph;
};

/** Lookups per second of processor time, of known episodes of 8 flows and 4 shared ports, in random
 * order. */
void
MeasureLookups(EpisodeStore& store, std::uint64_t episodes, std::size_t count, Figures& figures)
{
    Dice dice;
    std::vector<ConflictGraph> graphs;
    std::vector<std::uint64_t> order;
    graphs.reserve(count);
    order.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        order.push_back(dice(episodes));
        graphs.push_back(Partition(order.back(), 8, 4));
    }
    std::size_t hits = 0;
    figures.withoutGraph.push_back(static_cast<double>(count) / CpuSeconds([&] {
                                       for (const ConflictGraph& graph : graphs)
                                       {
                                           hits += store.Find(graph, EpisodeEnd::Converged) ? 1 : 0;
                                       }
                                   }));
    figures.withGraph.push_back(
        static_cast<double>(count) / CpuSeconds([&] {
            for (const std::uint64_t kind : order)
            {
                hits += store.Find(Partition(kind, 8, 4), EpisodeEnd::Converged) ? 1 : 0;
            }
        }));
    if (hits != 2 * count)
    {
        throw std::logic_error("a known episode was not found");
    }
}

nlohmann::ordered_json
ToFigures(const Figures& figures)
{
    return {{"graphBuiltBefore", Median(figures.withoutGraph)},
            {"graphBuiltAndSigned", Median(figures.withGraph)}};
}

/**
 * What a GPT job on 1,024 GPUs (tensor parallel 8 within a host, data parallel 16, pipeline
 * parallel 8) is assumed to make: \p episodes different ones. Most are steps of ring all-reduces
 * among 16 whose flows share no link (one flow), or meet others in a group of 2 to 16 flows on the
 * uplinks; pipeline sends of one flow, alone or with an all-reduce.
 */
nlohmann::ordered_json
MeasureJob(const std::string& path, std::uint64_t episodes, std::size_t stateBytes)
{
    Dice dice;
    std::uint64_t flowCount = 0;
    std::uint64_t encoded = 0;
    {
        SqliteEpisodeStore store(path, {1, 2});
        for (std::uint64_t kind = 0; kind < episodes; ++kind)
        {
            static constexpr std::uint32_t GROUPS[] = {1, 1, 1, 2, 2, 4, 8, 16};
            const std::uint32_t flows = GROUPS[kind % 8];
            const std::uint32_t shared = (flows + 3) / 4;
            const bool isCompleted = dice(2) == 1;
            Episode episode = Outcome(dice, flows, flows + shared, stateBytes);
            if (isCompleted)
            {
                episode.end = EpisodeEnd::Completed;
                episode.flows[0].completed = true;
                episode.flows[0].control.clear();
            }
            store.Insert(Partition(kind, flows, shared, isCompleted), episode);
            flowCount += flows;
        }
        encoded = store.Statistics().bytes;
    }
    const std::uint64_t bytes = std::filesystem::file_size(path);
    std::filesystem::remove(path);
    return {{"episodes", episodes},
            {"flows", flowCount},
            {"stateBytesPerFlow", stateBytes},
            {"encodedBytes", encoded},
            {"fileBytes", bytes}};
}

nlohmann::ordered_json
Run(bool quick)
{
    const std::uint64_t episodes = 10'000;
    const std::size_t lookups = quick ? 10'000 : 100'000;
    const int rounds = quick ? 1 : 5;
    const std::string path =
        (std::filesystem::temp_directory_path() / "wormhole-episode-store-bench.sqlite").string();
    std::filesystem::remove(path);

    nlohmann::ordered_json report;
    {
        Dice dice;
        MemoryEpisodeStore memory;
        SqliteEpisodeStore file(path, {1, 2});
        const double insertion = CpuSeconds([&] {
            for (std::uint64_t kind = 0; kind < episodes; ++kind)
            {
                file.Insert(Partition(kind, 8, 4), Outcome(dice, 8, 12, 120));
            }
        });
        for (std::uint64_t kind = 0; kind < episodes; ++kind)
        {
            memory.Insert(Partition(kind, 8, 4), Outcome(dice, 8, 12, 120));
        }
        Figures memoryFigures;
        Figures fileFigures;
        for (int round = 0; round < rounds; ++round)
        {
            MeasureLookups(memory, episodes, lookups, memoryFigures);
            MeasureLookups(file, episodes, lookups, fileFigures);
        }
        const ConflictGraph unknown = Partition(episodes, 8, 4);
        std::vector<double> misses;
        misses.reserve(static_cast<std::size_t>(rounds));
        for (int round = 0; round < rounds; ++round)
        {
            misses.push_back(static_cast<double>(lookups) / CpuSeconds([&] {
                                 for (std::size_t i = 0; i < lookups; ++i)
                                 {
                                     file.Find(unknown, EpisodeEnd::Converged);
                                 }
                             }));
        }
        report["episodes"] = episodes;
        report["memoryLookupsPerCpuSecond"] = ToFigures(memoryFigures);
        report["sqliteLookupsPerCpuSecond"] = ToFigures(fileFigures);
        report["sqliteKnownMissesPerCpuSecond"] = Median(misses);
        report["sqliteInsertionsPerCpuSecond"] = static_cast<double>(episodes) / insertion;
        report["encodedBytes"] = file.Statistics().bytes;
    }
    report["fileBytes"] = std::filesystem::file_size(path);
    report["coldReadsPerCpuSecond"] = [&] {
        SqliteEpisodeStore file(path, {1, 2});
        const std::uint64_t count = quick ? 1000 : episodes;
        return static_cast<double>(count) / CpuSeconds([&] {
                   for (std::uint64_t kind = 0; kind < count; ++kind)
                   {
                       file.Find(Partition(kind, 8, 4), EpisodeEnd::Converged);
                   }
               });
    }();
    std::filesystem::remove(path);
    report["trainingJob"] = nlohmann::ordered_json::array(
        {MeasureJob(path, 1000, 64), MeasureJob(path, 1000, 200), MeasureJob(path, 2000, 120)});
    return report;
}

const Section SECTION{"episodeStore", Run};

} // namespace
} // namespace wormhole::bench
