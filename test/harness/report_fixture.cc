/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report_fixture.h"

#include <cstdio>

namespace harness
{

using nlohmann::json;

namespace
{

/** \return a host's address as fct.txt has it: 11.0.0.1 is host 0, 11.0.1.1 host 1 */
std::string
Address(int host)
{
    char text[9];
    std::snprintf(text, sizeof(text), "0b%04x01", host);
    return text;
}

std::string
FctText(const FixtureRun& run)
{
    std::string text;
    for (const FixtureFlow& flow : run.flows)
    {
        text += Address(flow.src) + " " + Address(flow.dst) + " 10000 100 " +
                std::to_string(flow.bytes) + " " + std::to_string(flow.startNs) + " " +
                std::to_string(flow.fctNs) + " " + std::to_string(flow.aloneNs) + "\n";
    }
    return text;
}

json
Summary(const FixtureRun& run)
{
    const bool packets = run.mode == "packet" || run.mode == "fast";
    json summary{{"program", {{"version", "0.1.0"}, {"build_type", "Release"}, {"ns3", "3.37"}}},
                 {"command", {"--mode", run.mode}},
                 {"configuration",
                  {{"mode", run.mode},
                   {"topology", "star:hosts=2"},
                   {"traffic", "permutation:bytes=1000"},
                   {"congestion_control", packets ? json(run.control) : json()}}},
                 {"inputs", json::array()},
                 {"network", {{"hosts", 2}, {"switches", 1}, {"nvswitches", 0}, {"links", 2}}},
                 {"warnings", {"a buffer is small"}},
                 {"simulated_s", 10e-6},
                 {"flows", {{"count", run.flows.size()}, {"completed", run.flows.size()}}},
                 {"cost", {{"setup_s", 1}, {"run_s", run.runSeconds}, {"peak_memory_kib", 2048}}},
                 {"outputs", json::array()}};
    if (packets)
    {
        summary["counters"] = {{"packet_hops", 900},
                               {"ack_hops", 100},
                               {"buffer_drops", 3},
                               {"link_errors", 2},
                               {"link_down_drops", 0},
                               {"route_drops", 0},
                               {"marks", 70},
                               {"pauses", 20},
                               {"resumes", 20},
                               {"nacks", 4},
                               {"timeouts", 1}};
    }
    if (run.mode == "fast")
    {
        summary["fast"] = {{"events", {{"run", 100}, {"skipped", 600}, {"replayed", 300}}}};
    }
    if (run.recorded)
    {
        summary["record"] = {{"folder", "record"}, {"period_ns", 1000}, {"flows_sampled_every", 1}};
    }
    return summary;
}

/** What was sampled: a switch, node 2, with ports 0 and 1 to the hosts of these numbers. */
void
WriteRecord(const Sandbox& box, const std::string& record)
{
    box.Write(record + "topology.txt", "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 100Gbps 1000ns 0\n");
    box.Write(record + "flows.csv",
              "kind,src,dst,bytes,start_ns,fct_ns,standalone_ns\n"
              "all-reduce,0,1,1000,0,1000,500\n"
              "all-reduce,0,1,2000,0,2000,1000\n"
              "send,1,0,3000,0,2000,\n"
              "send,1,0,4000,0,4000,\n");
    box.Write(record + "rates.csv",
              "time_ns,src,dst,bytes\n"
              "0,0,1,0\n2000,0,1,2000\n4000,0,1,2000\n5000,0,1,7000\n"
              "1000,1,0,0\n3000,1,0,25000\n");
    box.Write(record + "stretches.csv",
              "src,dst,begin_ns,end_ns,state\n0,1,2500,4500,skipping\n0,1,500,1500,replaying\n");
    box.Write(record + "queues.csv",
              "time_ns,node,port,peer,bytes\n"
              "0,2,0,0,0\n1000,2,0,0,1500\n3000,2,0,0,0\n"
              "2000,2,1,1,9000\n2500,2,1,1,100\n");
    box.Write(record + "partitions.csv",
              "time_ns,state,partitions,flows\n"
              "0,recording,1,2\n1000,recording,0,0\n1000,skipping,1,2\n2000,running,3,4\n");
    box.Write(record + "events.csv",
              "time_ns,run,skipped,replayed\n0,10,0,0\n1000,60,600,100\n2000,100,600,300\n");
    box.Write(record + "over-time.csv",
              "begin_ns,end_ns,flows,jain,utilisation_mean,utilisation_max,paused_ports\n"
              "0,2000,2,0.75,0.1,0.4,0.5\n2000,4000,1,,0.2,0.8,0\n");
    box.Write(record + "pauses.csv", "node,port,peer,pauses,paused_ns\n0,0,2,1,1000\n");
    box.Write(record + "decisions.csv", "time_ns,partition,from,to,reason,flows,span_ns\n");
    box.Write(record + "timeline.csv",
              "job,rank,kind,begin_ns,end_ns\n"
              "gpt,0,computation,0,3000\ngpt,0,communication,2000,5000\n"
              "gpt,1,communication,4000,6000\ngpt,1,computation,0,1000\n");
}

} // namespace

void
WriteRun(const Sandbox& box, const std::string& folder, const FixtureRun& run)
{
    box.Write(folder + "/summary.json", Summary(run).dump());
    box.Write(folder + "/fct.txt", FctText(run));
    box.Write(folder + "/links.csv",
              "link,from,to,bytes,begin_ns,end_ns\n"
              "0,0,2,12500,0,2000\n0,2,0,25000,0,4000\n1,1,2,5000,1000,2000\n");
    if (run.recorded)
    {
        WriteRecord(box, folder + "/record/");
    }
}

void
WriteSweepTables(const Sandbox& box, const std::string& folder)
{
    box.Write(folder + "/statistics.csv",
              "load,cc,flow_kind,bytes_over,bytes_up_to,metric,runs,mean,ci95_low,ci95_high\n"
              "0.3,hpcc,all,,,slowdown_p95,3,2,1,3\n" // of all sizes
              "0.3,hpcc,all,,1000,slowdown_p95,3,1.5,-0.2,3.2\n"
              "0.3,hpcc,all,1000,,slowdown_p95,1,2.5,,\n"
              "0.3,dcqcn,all,,1000,slowdown_p95,3,4,3,5\n"
              "0.5,hpcc,all,,1000,slowdown_p95,3,5,4,6\n");
    box.Write(folder + "/distributions.csv",
              "load,cc,flow_kind,share,fct_ns,slowdown\n"
              "0.3,hpcc,all,0.5,10,1\n0.3,hpcc,all,1,30,2\n"
              "0.3,dcqcn,all,0.5,20,1.5\n0.3,dcqcn,all,1,90,9\n");
    box.Write(folder + "/over_time.csv",
              "load,cc,begin_ns,end_ns,metric,runs,mean,ci95_low,ci95_high\n"
              "0.3,hpcc,0,1000,jain,3,0.9,0.8,1\n"
              "0.3,dcqcn,0,1000,jain,3,0.5,0.4,0.6\n0.3,dcqcn,1000,2000,jain,3,0.6,0.4,0.8\n");
}

} // namespace harness
