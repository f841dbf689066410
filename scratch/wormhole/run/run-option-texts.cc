/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command/command-options.h"
#include "run-options.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

const char* const RUN_EXAMPLES = R"(
Examples:
  wormhole run --config mix/config.txt --output results
  wormhole run --topology leaf-spine:leaves=4,spines=4,hosts-per-leaf=8 --traffic permutation:bytes=1MB
  wormhole run --topology topology.txt --flows flow.txt --cc dcqcn --set ns3::RdmaDcqcn::Gain=0.01
  wormhole run --config config.txt --link-down 1ms:16-18 --link-up 2ms:16-18

wormhole topology --help and wormhole traffic --help list the kinds of networks and of traffic,
wormhole config-help the keys of config.txt. A congestion control of your own is
loaded by --load, and chosen by --cc ns3::ItsName; wormhole new control writes one to start from.
A TIME has a unit, from fs to h; a number without one counts seconds.
Exit codes: 0 all flows completed, 1 a file could not be written, or --twin found a difference,
2 wrong options or input, 3 flows are left unfinished, 130 interrupted (what was computed is
written).
)";

po::options_description
InputOptions()
{
    po::options_description group("What to simulate");
    group.add_options()(
        "config",
        po::value<std::string>()->value_name("FILE"),
        "config.txt of HPCC's simulator, ASTRA-sim or SimAI; the options below override it")(
        "topology",
        po::value<std::string>()->value_name("SPEC|FILE"),
        "network: a topology file if one of this name can be read, else KIND:KEY=VALUE,... to "
        "generate one (default: TOPOLOGY_FILE of --config)")(
        "traffic",
        po::value<Words>()->composing()->value_name("SPEC"),
        "flows to generate: KIND:KEY=VALUE,...; repeatable, several add up; not together with "
        "--flows")("flows",
                   po::value<std::string>()->value_name("FILE"),
                   "flows from a file, as HPCC's flow.txt (default: FLOW_FILE of --config)")(
        "cc",
        po::value<std::string>()->value_name("NAME"),
        "congestion control: hpcc, hpcc-pint, dcqcn, timely, dctcp, swift, powertcp, nscc, none, "
        "or "
        "a TypeId such as ns3::MyControl (default: CC_MODE of --config, else hpcc)")(
        "load",
        po::value<Words>()->composing()->value_name("FILE.so"),
        "a shared object with classes of your own, such as a congestion control; repeatable "
        "(wormhole new control --help)");
    return group;
}

po::options_description
ModelOptions()
{
    po::options_description group("How to simulate");
    group.add_options()(
        "mode",
        po::value<std::string>()->value_name("MODE"),
        "packet (default); fast (packets, but steady states are skipped and known episodes "
        "replayed); flow (max-min fair rates on the same topology and paths, of what headers, "
        "acknowledgements and the congestion control leave of links); message (workloads "
        "only: LogGOPS, without topology)")("payload",
                                            po::value<std::string>()->value_name("BYTES"),
                                            "payload of a full packet, 1 to 65459 (default: "
                                            "PACKET_PAYLOAD_SIZE of --config, else 1000)")(
        "window",
        po::value<std::string>()->value_name("KIND"),
        "bytes in flight are limited to the largest bandwidth-delay product of all pairs of hosts "
        "(global), to the pair's own (pair), or not (none); default: HAS_WIN and GLOBAL_T of "
        "--config, else global for hpcc, hpcc-pint, dctcp, powertcp and your own controls, none "
        "for others")(
        "routing",
        po::value<std::string>()->value_name("KIND"),
        "which of the equally short ways data take: ecmp (a flow keeps to one, default), spray "
        "(each packet by a draw), flowlet (LetFlow), adaptive (each packet to the shortest "
        "queue), entropy (by a value that the sender draws for each packet), reps (by values that "
        "came back unmarked) or a TypeId such as ns3::MyRouter; or detours: valiant (each packet "
        "by "
        "way of a drawn switch) or ugal (the same, unless the shortest way is less loaded); all "
        "but "
        "ecmp need a --cc without telemetry")(
        "recovery",
        po::value<std::string>()->value_name("KIND"),
        "after a loss: go-back-n (default) or irn (selective repeat; limits bytes in flight "
        "unless --window says otherwise)")(
        "flow-control",
        po::value<std::string>()->value_name("KIND"),
        "what keeps packets from finding a full buffer: pfc (pauses, default) or credits (of each "
        "link and class, as in InfiniBand)")(
        "class",
        po::value<Words>()->composing()->value_name("SPEC"),
        "what the flows of one priority get, CLASS:KEY=VALUE,...: cc=NAME (a congestion control of "
        "their own), weight=N (their part of each link, 1 to 1000, default 1), strict=1 (they go "
        "before all weighted ones); such as 2:cc=dcqcn,weight=4; repeatable")(
        "scheduler",
        po::value<std::string>()->value_name("TYPEID"),
        "which class a port sends next, as a class of yours says, such as ns3::MyScheduler "
        "(default: by turns, or the weights of --class)")(
        "set",
        po::value<Words>()->composing()->value_name("ATTR=VALUE"),
        "an attribute of ns3::RdmaNetwork, ns3::RdmaHost, ns3::RdmaSwitch or the congestion "
        "control, such as ns3::RdmaSwitch::BufferSize=16777216; repeatable (wormhole reference "
        "attributes lists them)")(
        "link-down",
        po::value<Words>()->composing()->value_name("TIME:A-B"),
        "all links between nodes A and B fail at TIME, such as 1ms:0-16; repeatable, and beside "
        "LINK_DOWN of --config")("link-up",
                                 po::value<Words>()->composing()->value_name("TIME:A-B"),
                                 "they recover; repeatable")(
        "seed",
        po::value<std::string>()->value_name("N"),
        "of generated traffic, random placement, ECN marks and link errors, 64 bits (default 1)")(
        "network-seed",
        po::value<std::string>()->value_name("N"),
        "of ECN marks and link errors alone (default: --seed)")(
        "stop",
        po::value<std::string>()->value_name("TIME"),
        "simulated time at which to stop, such as 2.5ms; nothing of that instant happens (default: "
        "SIMULATOR_STOP_TIME of --config, else when all flows have ended)")(
        "disturb",
        po::value<std::string>()->value_name("K"),
        "make one link 1 ns longer, and one flow's start, or each computation of one rank of a "
        "workload, 1 ns later: others for each K up to 10000 (default 0: none); what differs by no "
        "more than such runs do is no error")(
        "disturb-links",
        po::value<std::string>()->value_name("one|all"),
        "of --disturb: one link, 1 ns longer (one, default), or each link of a host, K ns longer: "
        "runs that one link moves may go the same way for long, and differ by less than paths that "
        "collide can make them")(
        "timing",
        po::value<std::string>()->value_name("RULE"),
        "how transmission times become time steps: exact (ps, default without --config), or in "
        "whole ns as HPCC's simulator (hpcc), ASTRA-sim's (round) and SimAI's (truncate) do, each "
        "the default for its config. ASTRA-sim's frames are 12 B shorter too, which only its "
        "config or --set ns3::RdmaNetwork::L2HeaderBytes=2 says")(
        "simulator",
        po::value<std::string>()->value_name("NAME"),
        "native (ns3::RdmaSimulatorImpl, default) or default (ns3::DefaultSimulatorImpl): same "
        "results, slower")(
        "threads",
        po::value<std::string>()->value_name("N"),
        "run nodes on up to N threads at once (1 to 256; 0, the default at packet level: one for "
        "each processor; default with fast-forward 1), where they turn out to be faster than one: "
        "same results. summary.json says under cost.threads how many ran, or why not")(
        "twin",
        "run the same in one queue, too, in a process beside this one, compare the two event by "
        "event, and stop at the first that differs (exit code 1); without --memo");
    return group;
}

po::options_description
OutputOptions()
{
    po::options_description group("Results");
    group.add_options()(
        "output",
        po::value<std::string>()->value_name("DIR"),
        "folder for all output files, made if need be (default: wormhole-out; with --config, where "
        "it says)")("pcap",
                    po::value<std::string>()->value_name("PREFIX[:NODES]"),
                    "capture all ports, or those of NODES such as 0,4,16-19, as RoCEv2 for "
                    "Wireshark; a name is in the output folder, a path is taken as it is")(
        "links",
        "write links.csv: what flows moved over each link, and when")(
        "rtts",
        "write rtts.csv: the round-trip time of each acknowledgement of the first flow")(
        "json",
        "print the summary as JSON instead of the table")(
        "no-progress",
        "no progress on standard error")("quiet", "neither progress nor table")(
        "estimate",
        "say what the run would take, in packets, memory and time at "
        "packet level, and run nothing")("yes", "run even if that takes more memory than there is")(
        "output-limit",
        po::value<std::string>()->value_name("SIZE"),
        "most bytes of a recording, such as pfc.txt, monitors and captures; the rest is left out, "
        "and reported (default 4GiB)")(
        "stall",
        po::value<std::string>()->value_name("TIME"),
        "wall-clock time without any progress after which the run says what it waits for; after "
        "three times as long, one that is to be fast says why it has left out nothing so far "
        "(default 10s; 0: never)")("help", "this text")(
        "help-config",
        "the keys of config.txt (also: wormhole config-help)")(
        "help-workload",
        "the kinds of --workload and their keys");
    return group;
}

} // namespace

CommandOptions
RunCommandOptions()
{
    return {"run",
            "",
            {InputOptions(),
             WorkloadOptionGroup(),
             ModelOptions(),
             FastOptionGroup(),
             OutputOptions(),
             RecordOptionGroup()}};
}

std::string
RunHelp()
{
    std::ostringstream out;
    out << "usage: wormhole run --config FILE [OPTIONS]\n"
           "       wormhole run --topology SPEC|FILE (--traffic SPEC | --flows FILE) [OPTIONS]\n"
           "       wormhole run --workload SPEC|FILE ... --topology SPEC|FILE [OPTIONS]\n\n"
        << "Simulates flows over an RDMA network, packet by packet or faster (--mode), and writes "
           "their\ncompletion times (fct.txt), the PFC frames received (pfc.txt) and a summary "
           "(summary.json).\n\n";
    constexpr unsigned COLUMNS = 100;
    for (const po::options_description& group : RunCommandOptions().groups)
    {
        po::options_description wide("", COLUMNS, COLUMNS / 2);
        wide.add(group);
        out << wide;
    }
    out << RUN_EXAMPLES;
    return out.str();
}

} // namespace wormhole
