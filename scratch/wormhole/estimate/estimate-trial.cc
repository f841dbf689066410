/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "estimate-trial.h"

#include "run/run.h"
#include "terminal/processor-time.h"
#include "terminal/signals.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormhole
{

namespace
{

constexpr const char* NOWHERE = "/dev/null";

RunOptions
TrialOptions(RunOptions options, double seconds)
{
    options.progress = false;
    options.stallSeconds = 0;
    options.limitSeconds = seconds;
    return options;
}

/** Nothing is to be written. */
void
Silence(RunPlan& plan)
{
    plan.outputs = OutputPaths();
    plan.outputs.fct = plan.outputs.pfc = NOWHERE;
    plan.captureNodes.clear();
    plan.record = RecordPlan();
    if (plan.config)
    {
        plan.config->enableTrace = false;
        plan.config->qlenMonFile.clear();
        plan.config->qlenMonInterval.reset();
        plan.config->bwMonInterval.reset();
        plan.config->rateMonFile.clear();
        plan.config->cnpMonFile.clear();
    }
}

Trial
Measure(const RunResult& result, double begin, double setUp)
{
    Trial trial;
    trial.crossings = static_cast<double>(result.counters.packetHops);
    trial.setupSeconds = setUp - begin;
    trial.runSeconds = ProcessorSeconds() - setUp;
    trial.simulatedSeconds = result.simulatedSeconds;
    trial.finished = !result.interrupted;
    return trial;
}

/**
 * Waits until a process has written, or has ended.
 * \throws Interrupted if a signal comes first; the process is ended, too
 */
void
AwaitOutput(Signals& signals, pid_t child, int end)
{
    constexpr int PERIOD_MS = 100;
    pollfd output{end, POLLIN, 0};
    while (poll(&output, 1, PERIOD_MS) <= 0)
    {
        if (signals.Take())
        {
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
            close(end);
            throw Interrupted();
        }
    }
}

/**
 * Does \p work in a process of its own.
 * \return what it found; nothing if it did not end well
 * \throws Interrupted if a signal ends the program meanwhile
 */
std::optional<Trial>
Apart(const std::function<Trial()>& work)
{
    int ends[2];
    if (pipe(ends))
    {
        return {};
    }
    std::cout.flush();
    Signals signals; // the process is not left behind
    const pid_t child = fork();
    if (child == 0)
    {
        try
        {
            const Trial trial = work();
            const bool written = write(ends[1], &trial, sizeof(trial)) == sizeof(trial);
            _exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
        }
        catch (const std::exception&)
        {
            _exit(EXIT_FAILURE); // the run itself will tell
        }
    }
    close(ends[1]);
    if (child > 0)
    {
        AwaitOutput(signals, child, ends[0]);
    }
    Trial trial;
    const bool known = child > 0 && read(ends[0], &trial, sizeof(trial)) == sizeof(trial);
    close(ends[0]);
    int status = 0;
    if (child > 0)
    {
        waitpid(child, &status, 0);
    }
    return known && status == 0 ? std::optional<Trial>(trial) : std::nullopt;
}

} // namespace

std::optional<Trial>
TryRun(const RunOptions& options, const RunPlan& plan, double seconds)
{
    return Apart([&]() {
        RunPlan silent = plan;
        Silence(silent);
        const RunOptions trialOptions = TrialOptions(options, seconds);
        const double begin = ProcessorSeconds();
        Run run(silent, trialOptions);
        const double setUp = ProcessorSeconds();
        run.Execute();
        return Measure(run.GetResult(), begin, setUp);
    });
}

} // namespace wormhole
