/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"
#include "commands.h"
#include "generate.h"
#include "options.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"
#include "ns3/workload-training-report.h"
#include "ns3/workload-training.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

std::string
TrainingHelpText(const po::options_description& description)
{
    std::ostringstream help;
    help << "usage: wormhole training FILE.json [--json | --markdown] [--output FILE]\n\n"
            "Says what a training job computes and sends in an iteration: parameters, "
            "floating-point\noperations, compute time, and bytes and messages by kind of traffic "
            "with their formulas.\ncontrib/workload/doc/training.md describes the file; "
            "workloads/training/ has examples.\n\n"
         << description;
    return help.str();
}

} // namespace

CommandOptions
TrainingCommandOptions()
{
    po::options_description description("Options");
    description.add_options()("json", "as JSON")("markdown", "the traffic as rows of a table")(
        "output",
        po::value<std::string>()->value_name("FILE"),
        "file to write (default: standard output)")("help", "this text");
    return {"training", "FILE.json", {description}};
}

int
TrainingCommand(const Words& words)
{
    const po::options_description description = TrainingCommandOptions().groups.front();
    const po::variables_map values = ParseOptions("training", words, description, "FILE");
    if (values.count("help"))
    {
        PrintText(TrainingHelpText(description));
        return EXIT_DONE;
    }
    if (values.count("json") && values.count("markdown"))
    {
        throw ns3::InputError("--json and --markdown exclude each other: give one of them");
    }
    const std::string file = ArgumentOf(values, "training", "FILE");
    const ns3::WorkloadTraining training = ns3::ReadWorkloadTraining(file);
    WriteGenerated(TextOption(values, "output"), {{"training", file}}, [&](std::ostream& out) {
        out << (values.count("json")       ? ns3::DescribeWorkloadTraining(training).dump(2) + "\n"
                : values.count("markdown") ? ns3::WorkloadTrainingMarkdown(training)
                                           : ns3::WorkloadTrainingText(training));
    });
    return EXIT_DONE;
}

} // namespace wormhole
