/*
 * SPDX-License-Identifier: MIT
 */
// attach [STORE]: runs a workload without the kernel, with skipping, and with memoization too, and
// compares the three. STORE is an SQLite file of episodes; without it they are kept in memory.

#include "link-simulator.h"
#include "wormhole/memory-episode-store.h"
#include "wormhole/sqlite-episode-store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace
{

using namespace example;

constexpr std::size_t LINKS = 2;
constexpr std::size_t WAVES = 5;

/** Waves of the same flows; the last one is disturbed twice: in its transient, and later on. */
std::vector<Flow>
MakeWorkload()
{
    constexpr Bytes MEGABYTE = 1'000'000;
    const PortId a{0};
    const PortId b{1};
    std::vector<Flow> flows;
    for (std::size_t wave = 0; wave < WAVES; ++wave)
    {
        flows.push_back({{a}, 80 * MEGABYTE, wave});
        flows.push_back({{a}, 80 * MEGABYTE, wave});
        flows.push_back({{a, b}, 60 * MEGABYTE, wave});
        flows.push_back({{b}, 160 * MEGABYTE, wave});
    }
    flows.push_back({{b}, 20 * MEGABYTE, WAVES - 1, 200 * MICROSECOND});
    flows.push_back({{a}, 20 * MEGABYTE, WAVES - 1, 12000 * MICROSECOND});
    return flows;
}

struct Result
{
    std::vector<Duration> times; // from start to completion, by flow
    std::uint64_t events{0};
    std::uint64_t skipsInterrupted{0};
    std::uint64_t replaysInterrupted{0};
};

Result
RunWorkload(EpisodeStore* store, bool kernel)
{
    LinkSimulator simulator(MakeWorkload(), LINKS);
    Controller controller(simulator, store); // store: nullptr, or an EpisodeStore
    if (kernel)
    {
        simulator.Attach(&controller);
    }
    simulator.Run();
    Result result;
    for (const Flow& flow : simulator.Flows())
    {
        result.times.push_back(flow.completed.value() - flow.started);
    }
    result.events = simulator.EventsRun();
    result.skipsInterrupted = controller.Statistics().skipsInterrupted;
    result.replaysInterrupted = controller.Statistics().replaysInterrupted;
    return result;
}

double
LargestError(const Result& result, const Result& truth)
{
    double largest = 0;
    for (std::size_t i = 0; i < truth.times.size(); ++i)
    {
        const auto exact = static_cast<double>(truth.times[i].count());
        const auto time = static_cast<double>(result.times[i].count());
        largest = std::max(largest, std::abs(time - exact) / exact);
    }
    return largest;
}

double
Saving(const Result& result, const Result& truth)
{
    return static_cast<double>(truth.events) / static_cast<double>(result.events);
}

void
Print(const char* name, const Result& result, const Result& truth)
{
    std::printf("%s: %.0f thousand events, %.1f times fewer, largest error %.2f %%\n",
                name,
                static_cast<double>(result.events) / 1000,
                Saving(result, truth),
                100 * LargestError(result, truth));
    std::printf("  interrupted: %llu skips, %llu replays\n",
                static_cast<unsigned long long>(result.skipsInterrupted),
                static_cast<unsigned long long>(result.replaysInterrupted));
    const std::vector<Flow> flows = MakeWorkload();
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const bool first = i == 0 || flows[i - 1].wave != flows[i].wave;
        const bool last = i + 1 == flows.size() || flows[i + 1].wave != flows[i].wave;
        if (first)
        {
            std::printf("  wave %zu, us:", flows[i].wave);
        }
        std::printf(" %8.1f%s",
                    static_cast<double>(result.times[i].count()) / 1e6,
                    last ? "\n" : "");
    }
}

/** All that an episode depends on and a conflict graph does not say. */
Signature
Fingerprint()
{
    const ControllerOptions defaults;
    return SignatureBuilder()
        .Add("wormhole-kernel/examples/attach 1")
        .Add(PACKET)
        .Add(static_cast<std::uint64_t>(HOST_DELAY.count()))
        .Add(static_cast<std::uint64_t>(ACK_DELAY.count()))
        .Add(MAX_IN_FLIGHT)
        .Add(static_cast<std::uint64_t>(defaults.detail))
        .Add(std::to_string(defaults.rateStep) + " " + std::to_string(defaults.queueStep))
        .Add(std::to_string(defaults.steady.theta))
        .Add(defaults.steady.window)
        .Get();
}

std::unique_ptr<EpisodeStore>
MakeStore(const char* path)
{
    if (path == nullptr)
    {
        return std::make_unique<MemoryEpisodeStore>();
    }
    const auto warn = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    return std::make_unique<SqliteEpisodeStore>(path, Fingerprint(), warn);
}

} // namespace

int
main(int argc, char* argv[])
{
    const Result truth = RunWorkload(nullptr, false);
    Print("packets", truth, truth);

    const Result skipped = RunWorkload(nullptr, true);
    Print("skipping", skipped, truth);

    const auto store = MakeStore(argc > 1 ? argv[1] : nullptr);
    const Result memoized = RunWorkload(store.get(), true);
    Print("memoizing", memoized, truth);

    const bool good = Saving(skipped, truth) > 2 && Saving(memoized, truth) > 3 &&
                      LargestError(skipped, truth) < 0.01 && LargestError(memoized, truth) < 0.01;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
