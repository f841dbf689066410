/*
 * SPDX-License-Identifier: MIT
 */
// The Controller on 10,000 random scenarios of the toy simulator, whose exact answer is known.

#include "controller-kernel.h"
#include "fluid-simulator.h"
#include "scenario.h"

#include "wormhole/memory-episode-store.h"

#include <algorithm>
#include <iostream>
#include <gtest/gtest.h>
#include <string>

namespace wormhole
{
namespace
{

struct Tally { double fsum=0, fworst=0; std::uint64_t fseed=0, bad=0; std::size_t fflow=0; double worst=0; double sum=0; std::uint64_t n=0; std::uint64_t events=0, truth=0; std::uint64_t seed=0; std::size_t flow=0; };
Tally g[6];

void
Compare(const Scenario& scenario, const FluidResult& truth, const FluidResult& result, const char* what, Tally& t)
{
    ASSERT_TRUE(result.violations.empty()) << what << " seed " << scenario.seed << ": " << result.violations.front() << "\n" << Describe(scenario);
    t.events += result.events; t.truth += truth.events;
    for (std::size_t i = 0; i < truth.flows.size(); ++i)
    {
        const auto& a = truth.flows[i];
        const auto& b = result.flows[i];
        ASSERT_EQ(a.completed.has_value(), b.completed.has_value()) << what << " seed " << scenario.seed << " flow " << i << "\n" << Describe(scenario);
        if (a.completed)
        {
            ASSERT_EQ(b.delivered, scenario.flows[i].size);
            double ca = (double)(a.completed->time_since_epoch()).count();
            double cb = (double)(b.completed->time_since_epoch()).count();
            double fa = (double)(*a.completed - *a.started).count(), fb = (double)(*b.completed - *b.started).count();
            if (fa > 1e6) { double f = std::abs(fb-fa)/fa; t.fsum += f; if (f > t.fworst) { t.fworst = f; t.fseed = scenario.seed; t.fflow = i; } if (f > 0.1) t.bad++; }
            double e = ca > 0 ? std::abs(cb - ca) / ca : std::abs(cb-ca);
            t.sum += e; ++t.n;
            if (e > t.worst) { t.worst = e; t.seed = scenario.seed; t.flow = i; }
        }
    }
}

TEST(Try, One)
{
    std::uint64_t seed = atoi(getenv("S"));
    const Scenario scenario = RandomScenario(seed);
    std::cout << Describe(scenario);
    ControllerOptions options; if (getenv("NOSKIP")) options.skip = false;
    MemoryEpisodeStore store;
    const FluidResult truth = RunScenario(scenario);
    for (int round = 0; round < 2; ++round)
    {
        std::cout << "--- round " << round << std::endl;
        Controller* c = nullptr;
        const FluidResult r = RunScenario(scenario, [&](Simulator& simulator) {
            auto k = std::make_unique<ControllerKernel>(simulator, &store, options);
            c = &k->Get();
            c->SetDecisionHandler([c, &simulator](const Decision& d) {
                std::cout << d.time.time_since_epoch().count() / 1000 << " ns P" << d.partition.Value() << " " << ToString(d.from) << " -> " << ToString(d.to) << " " << ToString(d.reason) << " flows";
                for (auto f : c->Partitions().FlowsOf(d.partition)) std::cout << " " << f.Value() << "(" << c->DeliveredBy(f, d.time) << ")";
                if (getenv("F")) { FlowId f{(unsigned)atoi(getenv("F"))}; if (c->Partitions().Contains(f)) { auto o = simulator.Observe(f); std::cout << " rate " << o.rate.InBytesPerSecond()/1e6 << " left " << o.left; for (auto q : c->Partitions().PortsOf(f)) std::cout << " q" << q.Value() << "=" << simulator.QueueOf(q); } }
                std::cout << " span " << d.span.count() / 1000 << std::endl;
            });
            return k;
        });
        for (std::size_t i = 0; i < r.flows.size(); ++i)
            if (truth.flows[i].completed)
            std::cout << "flow " << i << " truth " << truth.flows[i].started->time_since_epoch().count()/1000 << ".." << truth.flows[i].completed->time_since_epoch().count()/1000 << " got " << r.flows[i].started->time_since_epoch().count()/1000 << ".." << r.flows[i].completed->time_since_epoch().count()/1000 << std::endl;
    }
}

TEST(Try, All)
{
    const char* N = getenv("N"); const char* S = getenv("S");
    std::uint64_t first = S ? atoi(S) : 0;
    for (std::uint64_t seed = first; seed < first + (N ? atoi(N) : 100); ++seed)
    {
        const Scenario scenario = RandomScenario(seed);
        const FluidResult truth = RunScenario(scenario);
        ControllerOptions skip;
        if (getenv("RS")) skip.rateStep = atof(getenv("RS"));
        if (getenv("QS")) skip.queueStep = atof(getenv("QS"));
        if (getenv("TH")) skip.steady.theta = atof(getenv("TH"));
        Compare(scenario, truth, RunScenario(scenario, skip, nullptr), "skip", g[0]);
        if (HasFatalFailure()) return;
        ControllerOptions memo = skip; memo.skip = false;
        MemoryEpisodeStore store;
        Compare(scenario, truth, RunScenario(scenario, memo, &store), "memo", g[1]);
        if (HasFatalFailure()) return;
        MemoryEpisodeStore both;
        Compare(scenario, truth, RunScenario(scenario, skip, &both), "both", g[2]);
        if (HasFatalFailure()) return;
        Compare(scenario, truth, RunScenario(scenario, skip, &both), "again", g[3]);
        if (HasFatalFailure()) return;
    }
    for (auto& t : g) if (t.n) printf("mean %.5f worst %.4f (seed %lu flow %zu) events %.3f; fct mean %.5f worst %.4f (seed %lu flow %zu) over 10 %%: %lu\n", t.sum/t.n, t.worst, t.seed, t.flow, (double)t.events/t.truth, t.fsum/t.n, t.fworst, t.fseed, t.fflow, t.bad);
}

} // namespace
} // namespace wormhole
