/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-generator.h"

namespace ns3
{

std::string
RdmaTrafficGeneratorHelp()
{
    return R"(Traffic: KIND or KIND:KEY=VALUE,KEY=VALUE...

  permutation   each host sends to one other and receives from one, drawn with the seed
  incast        hosts send to one receiver
      fan-in=N        senders, the first N hosts          (all but the receiver)
      receiver=ID     node id, or random                  (the last host)
      senders=random  drawn instead of the first hosts; like a random receiver, for each incast
      period=TIME     an incast at 0 and every TIME, with duration                (one incast)
      load=X          or at exponentially distributed intervals, so that all incasts are this
                      fraction of all hosts' rates, with duration
      duration=TIME   incasts start before it
  all-to-all    each host sends to each other one
      order=shift     all hosts to their next one, then all to the one after it...   (default)
      order=source    all flows of the first host, then all of the second...
  ring          each host sends to the one STRIDE places on, around the end
      stride=N                                            (1)
  poisson       hosts start flows at exponentially distributed intervals, to random other hosts
      cdf=FILE        flow sizes: lines of SIZE PERCENT, as workloads/cdf/websearch.txt   (required)
      load=X          fraction of the rate of a host's links, 0.0001 to 10                (required)
      duration=TIME   flows start before it                                               (required)
  on-off        hosts are on and off by turns, for exponentially distributed times; while on, they
                send flows one after the other to one random host, another one each time
      on=TIME, off=TIME   mean times                                                      (required)
      load=X          fraction of the rate of a host's links while it is on               (1)
      duration=TIME   flows start before it                                               (required)
  trace         arrivals from a file
      file=FILE       CSV; its first line names the columns: time_s (or _ms, _us, _ns), source,
                      destination (node ids), bytes, and others                           (required)

Keys of every kind (with their values if not given):
      bytes=SIZE      size of each flow, not with poisson and trace: B, KB, MB, GB are powers of
                      1000, KiB, MiB, GiB of 1024                                         (1MB)
      start=TIME      added to all starts: fs, ps, ns, us, ms, s                          (0)
      jitter=TIME     a random time below it is added to each start, with the seed        (0)
      priority=N      priority group, 1 to 7                                              (3)
      dport=N         UDP destination port                                                (100)
      name=NAME       what results call these flows                                       (the kind)
      stream=N        which draws of the seed: of several --traffic, the place, from 0    (0)

Examples:
  permutation:bytes=10MB,jitter=5us
  incast:fan-in=16,receiver=16,bytes=5MB
  all-to-all:bytes=64KiB
  ring:stride=8,bytes=20MB
  poisson:cdf=workloads/cdf/websearch.txt,load=0.5,duration=10ms
  incast:fan-in=16,senders=random,receiver=random,bytes=500KB,load=0.02,duration=10ms
  on-off:on=100us,off=300us,load=0.8,bytes=64KB,duration=10ms
  trace:file=workloads/arrivals.csv
)";
}

} // namespace ns3
